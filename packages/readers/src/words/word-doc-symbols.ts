// Letters of symbol fonts in a DOC: Word keeps a symbol that was inserted as `(` with its font and place beside it ([MS-DOC] §2.6.1, sprmCSymbol), and others as places
// of the font in which they stand. Invariant: a text keeps its length, since all else is found by position.

import { utf16Text } from '../canonical/utf16-text.ts';
import { isSymbolFont, symbolText } from '../office/office-symbols.ts';
import { type PropertyRun, runFrom, sprmValue } from './word-doc-runs.ts';

const [insertedSymbol, fontOfRun] = [0x6a09, 0x4a4f];
/** Stands for what has no character: it is no letter and takes no room. */
const nothing = '\u200b';

/** Characters that begin at an offset of the file, each of so many bytes, as they are shown. */
export type SymbolReader = (text: string, offset: number, width: number) => string;

export function symbolReader(runs: readonly PropertyRun[], fonts: readonly string[]): SymbolReader {
  const special = runs.flatMap(({ from, to, sprms }) => {
    const inserted = sprmValue(sprms, insertedSymbol);
    if (inserted !== undefined) {
      const shown = symbolText(fonts[inserted & 0xffff] ?? '', inserted >>> 16);
      return [{ from, to, shown: () => shown }];
    }
    const font = fonts[sprmValue(sprms, fontOfRun) ?? -1] ?? '';
    return isSymbolFont(font) ? [{ from, to, shown: (sign: string) => symbolSign(sign, font) }] : [];
  });
  return (text, offset, width) => {
    const parts: string[] = [];
    let done = 0;
    let at = runFrom(special, offset);
    for (let run = special[at]; run !== undefined && run.from < offset + text.length * width; run = special[++at]) {
      const from = Math.max(done, Math.ceil((run.from - offset) / width));
      const to = Math.min(text.length, Math.ceil((run.to - offset) / width));
      if (from >= to) continue;
      const { shown } = run;
      // Marks (of fields, notes, cells) stay what they are.
      const part = text.slice(from, to).replace(/[^\u0000-\u001f]/g, (sign) => onePlace(shown(sign)));
      parts.push(text.slice(done, from), part);
      done = to;
    }
    const known = done === 0 ? text : parts.join('') + text.slice(done);
    return known.replace(/[\uf020-\uf0ff]/gu, (sign) => onePlace(symbolSign(sign, '')));
  };
}

const onePlace = (shown: string): string => (shown.length === 1 ? shown : nothing);

function symbolSign(sign: string, font: string): string {
  const code = sign.charCodeAt(0);
  return sign.length === 1 && (code <= 0xff || (code >= 0xf020 && code <= 0xf0ff)) ? symbolText(font, code) : sign;
}

/** Names of fonts by their number ([MS-DOC] §2.9.286): a count, then for each its length, what it is like, and its name. */
export function fontNames(table: Buffer): string[] {
  const names: string[] = [];
  for (let at = 4; at + 40 < table.length; at += 1 + (table[at] ?? 0)) {
    const end = Math.min(at + 1 + (table[at] ?? 0), table.length);
    names.push(utf16Text(table.subarray(at + 40, end)).split('\0', 1)[0] ?? '');
    if (table[at] === 0) break;
  }
  return names;
}
