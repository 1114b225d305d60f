// Words that the end of a line cuts in two, as in typeset pages: the canonical text keeps the cut ("special-\nization"),
// the search index holds the whole word as well, and what is shown as a sentence is written without the cut.

/** A hyphen (or soft hyphen) and the end of its line, before a word that goes on in lower case. */
const lineEnd = /(?:[-\u2010]|(?<=\u00ad))\n[ \t]*(\p{Ll}[\p{L}\p{M}]*)/uy;

/** The end and the letters of a word that goes on in the next line after `end`; undefined where none does. */
export function wordAfterBreak(
  text: string,
  end: number,
): { readonly letters: string; readonly end: number } | undefined {
  const code = text.charCodeAt(end);
  // Nearly every word ends otherwise; the expression is asked only about the few.
  if (code !== 0x2d && code !== 0x2010 && code !== 0x0a) return undefined;
  lineEnd.lastIndex = end;
  const match = lineEnd.exec(text);
  return match?.[1] === undefined ? undefined : { letters: match[1], end: lineEnd.lastIndex };
}

const cut = /(?:[-\u2010]|(?<soft>\u00ad))\n[ \t]*(?<right>\p{Ll}[\p{L}\p{M}]*)/gu;
/** A hyphen between what no line end parts: codes, spans of years, names. */
const withinCode = /(?<=[\p{L}\p{N}][-\u2010])\n[ \t]*(?=[\p{Lu}\p{N}])/gu;
const compoundBefore = /(?:[\p{L}\p{M}]+-)*[\p{L}\p{M}]*\p{Ll}$/u;
/** Longest word that is looked at, in UTF-16 code units. */
const longestWord = 80;
/** Words inside compounds (state-of-the-art) that no syllable break leaves at the end of a line. */
const linkingWords: ReadonlySet<string> = new Set('a and at by for in of on or out the to up'.split(' '));

/**
 * Writes words cut at the end of a line in one: "special-\nization" becomes "specialization". The hyphen stays, without
 * the break, where it belongs to the word: the reference (by default the text) has "position-wise" and no "positionwise",
 * or one letter, a linking word or "self" stands before it; before a capital or a digit it always does ("XR-\n2040", "2019-\n2021"). Nothing else
 * changes.
 */
export function joinLineEndHyphens(text: string, reference: string = text): string {
  if (!text.includes('\n')) return text;
  let known: ReadonlySet<string> | undefined;
  return text.replace(withinCode, '').replace(cut, (...found: unknown[]) => {
    const { soft, right = '' } = found.at(-1) as Record<'soft' | 'right', string | undefined>;
    const at = found.at(-3) as number;
    const whole = String(found.at(-2));
    const left = compoundBefore.exec(whole.slice(Math.max(0, at - longestWord), at))?.[0];
    if (left === undefined) return String(found[0]);
    if (soft !== undefined) return right;
    const parts = left.split('-');
    const last = parts.at(-1)?.toLowerCase() ?? '';
    if (last.length === 1 || (parts.length > 1 && linkingWords.has(last)) || isOfSelf(last, right)) return `-${right}`;
    known ??= wordsAndPairs(reference);
    return !known.has(last + right) && known.has(`${last}-${right}`) ? `-${right}` : right;
  });
}

const isOfSelf = (left: string, right: string): boolean => left === 'self' && !/^(?:ish|less|same|hood)/u.test(right);

/** The words of a text in lower case, and each two that a hyphen holds together on one line. */
function wordsAndPairs(text: string): ReadonlySet<string> {
  const known = new Set<string>();
  for (const [compound] of text.toLowerCase().matchAll(/[\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*/gu)) {
    const parts = compound.split(/[-\u2010]/u);
    parts.forEach((part, index) => {
      known.add(part);
      if (index > 0) known.add(`${parts[index - 1]}-${part}`);
    });
  }
  return known;
}
