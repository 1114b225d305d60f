// Which passages are of another number than the one that a question names: "Contract 8814" beside "Contract 8841", "Report 2022" beside "Report 2023".
// Titles and headings tell it, and only where some passage carries the number that was asked for. Pure.
import { termOf } from '../../text/analyze.ts';
import { aroundPassage, codesIn, holdsCode } from '../../text/codes.ts';
import { stopWords } from '../../text/language/stop-words.ts';
import { asksBeside } from './releases.ts';

type Passage = Parameters<typeof aroundPassage>[0];

const words = /[\p{L}\p{M}\p{Nd}]+(?:[-–/._][\p{L}\p{Nd}]+)*/gu;
const digit = /\p{Nd}/u;
const year = /^(?:1\d|20)\d\d$/u;
/** "Kestrel 3": shorter than a code, and known by the word before it. */
const short = /^\p{Nd}{1,2}$/u;

/** Numbers with the word before them as search spells it, '' for none; "leases 12 and 13" have one label. */
function numbersIn(text: string, language: string): readonly { readonly label: string; readonly written: string }[] {
  let [label, isRun] = ['', false];
  return Array.from(text.matchAll(words)).flatMap(([written]) => {
    const isNumber = digit.test(written);
    const isStop = !isNumber && stopWords(language).has(written.toLowerCase());
    if (!isNumber && !(isStop && isRun)) label = isStop ? '' : termOf(written, language);
    isRun = isNumber || (isStop && isRun);
    return isNumber ? [{ label, written }] : [];
  });
}

const namesOf = ({ title, headingPath }: Passage): readonly string[] => [title, ...headingPath];
/** Like titles are written alike but for their numbers. */
const shapeOf = (name: string): string => name.replace(words, (word) => (digit.test(word) ? '#' : word.toLowerCase()));

/** Tells of a piece of a passage whether it is of another number than the question names, unless that asks for what is beside it. */
export function ofOtherNumber(
  question: string,
  passages: readonly Passage[],
  language: string,
): (piece: string, passage: Passage) => boolean {
  const kinds = new Map<string, readonly string[]>();
  // Of other languages it is not known how they ask for what is beside a year or a chapter.
  const isRead = /^en\b/u.test(language);
  const codes = codesIn(question, language);
  for (const { label, written } of asksBeside.test(question) ? [] : numbersIn(question, language)) {
    const kind = year.test(written) ? '' : label;
    const plain = short.test(written) ? written : (codesIn(written, language)[0] ?? written);
    const isNumber = isRead && (year.test(written) || (kind !== '' && short.test(written)));
    if (isNumber || codes.includes(plain) || (kind !== '' && kinds.has(kind)))
      kinds.set(kind, [...(kinds.get(kind) ?? []), plain]);
  }
  const tests = Array.from(kinds, ([kind, asked]) => {
    const isAsked = (text: string): boolean =>
      asked.some((one) =>
        short.test(one)
          ? numbersIn(text, language).some(({ label, written }) => label === kind && written === one)
          : holdsCode(text, one),
      );
    const isCarried = passages.some((passage) => aroundPassage(passage).some(isAsked));
    const like = new Set(passages.flatMap(namesOf).filter(isAsked).map(shapeOf));
    const isNumbered = (name: string): boolean =>
      like.has(shapeOf(name)) || (kind !== '' && numbersIn(name, language).some(({ label }) => label === kind));
    return (piece: string, passage: Passage): boolean =>
      isCarried && namesOf(passage).some(isNumbered) && !aroundPassage({ ...passage, text: piece }).some(isAsked);
  });
  return (piece, passage) => tests.some((isOther) => isOther(piece, passage));
}
