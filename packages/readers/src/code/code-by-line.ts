// Source code of languages without a grammar here (Kotlin, Swift): the canonical text is the source, cited by line; symbols are found by the words
// that declare them and by matching braces. It may miss one in unusual code, and never loses text.

import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { lineSpans } from '../canonical/line-spans.ts';
import type { Block } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { withRest } from './code-rest.ts';

const languages: Readonly<Record<string, string>> = { 'text/x-kotlin': 'Kotlin', 'text/x-swift': 'Swift' };

export const codeByLine: Parser = {
  name: 'code-by-line',
  mimes: Object.keys(languages),
  parse: async (input: ParseInput) => {
    const { text, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    const mime = input.mime ?? '';
    const symbols = symbolsOf(text);
    return parsedDocument({
      text,
      mime,
      blocks: withRest(text, symbols),
      metadata: { programmingLanguage: languages[mime] ?? 'unknown' },
      citeByLine: true,
      warnings,
    });
  },
};

/** Modifiers and annotations of one line, the word that declares, and the name (of a receiver and a type too). */
const declaration =
  /^\s*(?:@[\w.]+(?:\([^)\n]{0,200}\))?\s+)*(?:[a-z]+(?:\([a-z]{1,20}\))?\s+){0,6}?(?<kind>class|interface|object|struct|enum|protocol|extension|actor|fun|func|init|deinit|typealias)\b\s*(?:class\s+)?(?:<[^>\n]{0,100}>\s*)?(?<name>`[^`\n]{1,100}`|[\p{L}_][\p{L}\p{N}_.<>?]{0,100}|[-+*/=<>!&|^~%]{1,3})?/u;
const kindNames: Readonly<Record<string, string>> = {
  fun: 'function',
  func: 'function',
  init: 'constructor',
  deinit: 'destructor',
  typealias: 'type',
};
const annotation = /^\s*(?:@|\/\/|\/?\*)/u;

interface OpenSymbol {
  readonly start: number;
  readonly path: string;
  readonly isFunction: boolean;
  /** Braces that were open where it began. */
  readonly depth: number;
  hasBody: boolean;
}

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function symbolsOf(text: string): Block[] {
  const symbols: Block[] = [];
  const open: OpenSymbol[] = [];
  const lines = lineSpans(text);
  const scan = braceScanner();
  let depth = 0;
  let firstAnnotation = -1;
  const close = (symbol: OpenSymbol, end: number): void => {
    symbols.push({ start: symbol.start, end, kind: 'code', symbol: symbol.path });
  };
  for (const { start, end } of lines) {
    const line = text.slice(start, end);
    const inside = scan.isInside();
    const last = open.at(-1);
    const found =
      inside || open.some(({ isFunction }) => isFunction) ? undefined : declaration.exec(line.slice(0, 500))?.groups;
    // A declaration without a body ends where the next one begins, or at a blank line.
    if (last !== undefined && !last.hasBody && depth === last.depth && (found !== undefined || line.trim() === '')) {
      open.pop();
      close(last, previousEnd(text, start));
    }
    if (found !== undefined && open.length < 40) {
      const kind = found['kind'] ?? '';
      const isMember = open.length > 0 && /^(?:fun|func)$/u.test(kind);
      const label = `${isMember ? 'method' : (kindNames[kind] ?? kind)}${found['name'] === undefined ? '' : ` ${found['name'].replaceAll('`', '')}`}`;
      const outer = open.at(-1)?.path;
      open.push({
        start: firstAnnotation >= 0 ? firstAnnotation : start + line.length - line.trimStart().length,
        path: outer === undefined ? label : `${outer} > ${label}`,
        isFunction: /^(?:fun|func|init|deinit)$/u.test(kind),
        depth,
        hasBody: false,
      });
    }
    if (!inside && annotation.test(line)) {
      if (firstAnnotation < 0) firstAnnotation = start + line.length - line.trimStart().length;
    } else if (!inside) firstAnnotation = -1;
    for (const step of scan.read(line)) {
      depth = Math.max(0, depth + step);
      let top = open.at(-1);
      if (step > 0) {
        if (top !== undefined && depth === top.depth + 1) top.hasBody = true;
        continue;
      }
      // The brace may close what holds a declaration without a body, too.
      while (top !== undefined && (top.hasBody ? depth <= top.depth : depth < top.depth)) {
        open.pop();
        close(top, top.hasBody ? end : Math.max(top.start, previousEnd(text, start)));
        top = open.at(-1);
      }
    }
  }
  for (let symbol = open.pop(); symbol !== undefined; symbol = open.pop()) close(symbol, text.trimEnd().length);
  return symbols.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start || b.end - a.end);
}

function previousEnd(text: string, at: number): number {
  let end = at;
  while (end > 0 && /\s/u.test(text[end - 1] ?? '')) end--;
  return end;
}

/** Tells the braces of the code from those in strings and comments, line after line. */
function braceScanner() {
  let comments = 0;
  let longString = false;
  return {
    isInside: (): boolean => comments > 0 || longString,
    *read(line: string): Generator<1 | -1> {
      const tokens = /"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.){1,8}'|\/\*|\*\/|\/\/|[{}]/gu;
      for (let found = tokens.exec(line); found !== null; found = tokens.exec(line)) {
        const [token] = found;
        if (longString) {
          if (token === '"""') longString = false;
          else if (token.startsWith('"')) tokens.lastIndex = found.index + 1;
        } else if (token === '/*') comments++;
        else if (token === '*/') comments = Math.max(0, comments - 1);
        else if (comments > 0) {
          if (token.length > 2) tokens.lastIndex = found.index + 1;
        } else if (token === '//') return;
        else if (token === '"""') longString = true;
        else if (token === '{') yield 1;
        else if (token === '}') yield -1;
      }
    },
  };
}
