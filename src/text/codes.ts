// Codes that a text names and that stand for one thing alone: numbers of invoices, contracts and rooms, parts, article numbers. Who asks for one is
// not answered by what is said of another, however alike. Years, dates, measures, ordinals and plain counts are none. Pure.
import { stopWords } from './language/stop-words.ts';
import { findQuantities } from './quantities/quantities.ts';

const separators = "-–/._'’ \u00a0\u2009\u202f";
const candidate = /[\p{Script=Latin}\p{Nd}]+(?:[-–/._][\p{Script=Latin}\p{Nd}]+)*/gu;
const digit = /\p{Nd}/u;
const letter = /\p{L}/u;
const alphanumeric = /[\p{Script=Latin}\p{Nd}]/u;
const year = /^(?:1\d|20)\d\d(?:[-–/](?:(?:1\d|20)\d\d|\d\d))?$/u;
/** "10th", "1990s", "20GB", "2-bändig": an ordinal, a measure, or a count in a word. */
const measure = /^\p{Nd}{1,4}(?:[-–]?\p{Ll}+|\p{L}{1,4}|\p{L}{0,4}[-–]\p{L}{4,})(?:[-–]\p{L}+)*$/u;
/** A capital and a figure together, or letters and two figures. */
const mixed = /\p{Lu}\p{L}{0,8}\p{Nd}|\p{Nd}\p{L}{0,3}\p{Lu}|\p{Nd}[^\p{Nd}]{0,3}\p{Nd}/u;
const shortest = 3;
/** So many figures in a row are a number of something, whatever parts them from others. */
const longRun = /\p{Nd}{5}/u;
/** What is before and behind a figure of a greater one. */
const [partBefore, partBehind] = [/\p{Nd}[.,'’]$/u, /^[.,'’]\p{Nd}/u];

/** As `holdsCode` looks for them: without what parts their characters. */
export function codesIn(text: string, language = 'en'): readonly string[] {
  const found = new Set<string>();
  const bare: string[] = [];
  const measured = findQuantities(text).filter(({ unit }) => unit !== undefined);
  for (const { 0: written, index } of text.matchAll(candidate)) {
    if (written.length < shortest || !digit.test(written) || year.test(written) || measure.test(written)) continue;
    const [before, behind] = [
      text.slice(Math.max(0, index - 2), index),
      text.slice(index + written.length).slice(0, 2),
    ];
    if (partBefore.test(before) || partBehind.test(behind)) continue;
    if (letter.test(written)) {
      if (!mixed.test(written)) continue;
    } else if (measured.some(({ start, end }) => start <= index && index < end)) continue;
    else if ([...written].some((character) => separators.includes(character))) {
      if (!longRun.test(written)) continue;
    } else if (!isLabelled(text, index, written, language)) {
      bare.push(written);
      continue;
    }
    found.add(squeezed(written).text);
  }
  // "Leases 70455 and 70461": what looks like the code before it is one.
  const isLike = (written: string): boolean =>
    [...found].some((code) => code.length === written.length && !letter.test(code));
  return [...found, ...bare.filter(isLike)];
}

/** "Contract 8841", "room 412", "# 33", "000321": behind a name of its kind, or with zeros that no count begins with. */
function isLabelled(text: string, index: number, written: string, language: string): boolean {
  if (written.startsWith('00')) return true;
  const before = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{1,40}|[#№])([.:]?) ?$/u.exec(
    text.slice(Math.max(0, index - 40), index),
  );
  if (before === null) return false;
  const word = (before[1] ?? '').toLowerCase();
  // "No. 12" is an abbreviation, whatever "no" is.
  return before[2] !== '' || (!stopWords(language).has(word) && !stopWords('en').has(word));
}

/** Whether a text holds a code by itself, not within another one. */
export function holdsCode(text: string, code: string): boolean {
  const { text: plain, starts } = squeezed(text);
  for (let at = plain.indexOf(code); at !== -1; at = plain.indexOf(code, at + 1)) {
    const [first, last] = [starts[at] as number, starts[at + code.length - 1] as number];
    if (!alphanumeric.test(text[first - 1] ?? '') && !alphanumeric.test(text[last + 1] ?? '')) return true;
  }
  return false;
}

function squeezed(text: string): { readonly text: string; readonly starts: readonly number[] } {
  const starts: number[] = [];
  let plain = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (separators.includes(character)) continue;
    starts.push(at);
    // A capital that becomes two letters would shift what follows.
    const small = character.toLowerCase();
    plain += small.length === 1 ? small : character;
  }
  return { text: plain, starts };
}

/** The first code of a question where what was said, and what stands around it, holds none of its codes. */
export function lackedCode(question: string, told: readonly string[], language?: string): string | undefined {
  const codes = codesIn(question, language);
  const isTold = codes.some((code) => told.some((text) => holdsCode(text, code)));
  return isTold ? undefined : codes[0];
}

/** What says of what a passage is. */
export const aroundPassage = ({
  text,
  title,
  uri,
  headingPath,
}: {
  readonly text: string;
  readonly title: string;
  readonly uri: string;
  readonly headingPath: readonly string[];
}): readonly string[] => [text, title, uri, ...headingPath];
