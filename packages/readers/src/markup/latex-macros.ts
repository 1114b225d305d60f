// The author's own commands that stand for words: `\newcommand{\tool}{\textsc{Foo}\xspace}`. Only those without parameters whose body is plain text are
// put in, so that nothing is run. Invariant: what they add to a document is bounded, whatever they stand for.
import { symbols } from './latex-symbols.ts';

const longestBody = 200;
/** What all of them together may add: characters. */
const maxAdded = 2_000_000;
const look =
  /\\(?:text(?:sc|tt|bf|it|sl|sf|rm|up|md|normal)|emph|mbox|ensuremath|(?:sc|tt|bf|it|sl|sf|rm|em)(?:family|shape|series)?)\b\s*/gu;

export interface LatexMacros {
  /** `body` as it stands between its braces. */
  define(name: string, body: string): void;
  /** What a command stands for; undefined where it stands for more than words. */
  textOf(name: string): string | undefined;
}

export function latexMacros(): LatexMacros {
  const texts = new Map<string, string>();
  let added = 0;
  return {
    define(name, body) {
      texts.delete(name);
      if (body.length > longestBody) return;
      const text = body
        .replace(/%[^\n]*\n?\s*/gu, '')
        .replace(look, '')
        .replace(/\\xspace\b\s*/gu, '')
        .replace(
          /\\([A-Za-z]+|[^A-Za-z])(?:\{\}|\s+(?=\S)|$)?/gu,
          (command, of: string) => texts.get(of) ?? symbols[of] ?? command,
        )
        .replace(/[{}]/gu, '')
        .replaceAll('~', ' ');
      // Parameters, tables, settings, formulas: no words.
      if (/[\\#&$]/u.test(text) || !/[\p{L}\p{N}]/u.test(text) || text.length > longestBody) return;
      texts.set(name, text);
    },
    textOf(name) {
      const text = texts.get(name);
      if (text === undefined || added + text.length > maxAdded) return undefined;
      added += text.length;
      return text;
    },
  };
}
