// Text as it is compared when a quote is looked for: Unicode NFKC, one kind of quote, dash and space, no invisible characters, no
// emphasis marks, words whole that the end of a line cut. Invariant: every unit knows where it stands in the text as written, so that
// whatever is found is cited as written.

export interface FoldedText {
  readonly text: string;
  /** The same length as `text`; case taken away unit by unit. */
  readonly lower: string;
  /** For each unit of `text` the offsets it came from. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Signs, and what each of them is compared as. */
const same: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['’‘ʼ‚‛´′', "'"],
    ['“”„‟«»″', '"'],
    ['‐‑‒–—―−', '-'],
    ['`*\u00ad', ''],
    // How the fence of the prompt writes an opening that looks like one of its own.
    ['‹', '<'],
    ['›', '>'],
  ].flatMap(([signs = '', plain = '']) => [...signs].map((sign) => [sign, plain])),
);
const invisible = /^(?:\p{Cf}|\p{Cc}|\p{Variation_Selector})$/u;
const space = /^(?!\ufeff)[\s\u0085]$/u;
const cluster = /\P{M}\p{M}*|\p{M}+/gu;

/** A break of the line between two halves of a word, from the hyphen on. */
const brokenWord = /[ \t]*\r?\n[ \t]*\p{Ll}/uy;

/** Folds `text`; linear in its length. */
export function foldWithOffsets(text: string): FoldedText {
  let folded = '';
  let last = '';
  let skipTo = 0;
  const starts: number[] = [];
  const ends: number[] = [];
  const push = (units: string, start: number, end: number): void => {
    folded += units;
    last = units;
    for (let at = 0; at < units.length; at += 1) {
      starts.push(start);
      ends.push(end);
    }
  };
  for (const match of text.matchAll(cluster)) {
    const [written] = match;
    const start = match.index;
    const end = start + written.length;
    if (start < skipTo) continue;
    const plain = same[written] ?? (written.length === 1 && written <= '\u007f' ? written : written.normalize('NFKC'));
    for (const character of plain) {
      const known = same[character] ?? character;
      if (space.test(known)) {
        if (last !== ' ' && folded !== '') push(' ', start, end);
      } else if (known === '-' && isBroken(text, end, last)) skipTo = lineAfter(text, end);
      else if (known !== '' && !invisible.test(known)) push(known, start, end);
    }
  }
  return { text: folded, lower: lowerOf(folded), starts, ends };
}

/** Neither the hyphen nor the break that cut a word in two is a part of it. */
function isBroken(text: string, end: number, before: string): boolean {
  brokenWord.lastIndex = end;
  return /\p{Ll}$/u.test(before) && brokenWord.test(text);
}

function lineAfter(text: string, end: number): number {
  const gap = /^\s*/u.exec(text.slice(end, end + 80));
  return end + (gap?.[0].length ?? 0);
}

/** Letters whose small form has another length stay as they are, so that offsets hold. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/./gsu, (character) => {
    const small = character.toLowerCase();
    return small.length === character.length ? small : character;
  });
}
