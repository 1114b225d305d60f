// Says where the text of a document may not be what people see: characters without a meaning, letters that make no language, pages
// with hardly any text. Warnings only: nothing is changed or left out. Measured on letters alone, so that it holds for any language.
import type { ParsedDocument } from './document.ts';

export interface QualityWarning {
  readonly kind: 'unknown-characters' | 'garbled' | 'few-characters';
  /** For people. */
  readonly message: string;
  /** Numbers of the pages concerned; absent where the format has none. */
  readonly pages?: readonly number[];
}

/** Characters that a font or an encoding left without meaning: the replacement character, private use, controls. */
const unknownPattern = /[\ufffd\p{Co}\u0001-\u0008\u000e-\u001f\u007f]/gu;
/** Shares of all characters but spaces: worth a warning, and no text at all. */
const someUnknown = 0.005;
const mostlyUnknown = 0.1;
/** Fewer characters than this tell nothing. */
const fewestCharacters = 40;
/** Letters of Latin script from which the tests for a language begin, and what is looked at at most. */
const fewestLetters = 300;
const sampleLength = 20_000;
/**
 * Pairs of letters that are frequent in European languages. They make up 30 to 55 percent of all pairs in English, German, French,
 * Spanish, Finnish, Polish and Turkish prose, and less than a tenth where a font maps its letters to others.
 */
const frequentPairs = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ' +
    'ch ll be ma si om ur ei ie ge un di em qu ai la el ue os ad do da ta na no po pr ia za ow ka ki ni wi za il ko la su ja lo in am ir'
  ).split(' '),
);
const fewFrequentPairs = 0.13;
/** Of a, e, i and o, each makes up two percent of the letters of any of these languages, and far more of most. */
const rarestVowel = 0.002;
/** A page of a document with pages of text that has fewer characters than this is worth a look. */
const fewOnPage = 20;

/** Text that is no language as it stands: its characters have no meaning, or other ones than people see. */
export function isGarbled(text: string): boolean {
  const sample = text.slice(0, sampleLength);
  const visible = sample.replace(/\s+/gu, '').length;
  if (visible < fewestCharacters) return false;
  if ((sample.match(unknownPattern) ?? []).length > visible * mostlyUnknown) return true;
  const words =
    sample
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[a-z]+/gu) ?? [];
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  if (letters < fewestLetters || letters < visible * 0.5) return false;
  return ['a', 'e', 'i', 'o'].some((vowel) => countOf(words, vowel) < letters * rarestVowel) || hasForeignPairs(words);
}

function countOf(words: readonly string[], letter: string): number {
  let count = 0;
  for (const word of words) for (const one of word) if (one === letter) count++;
  return count;
}

function hasForeignPairs(words: readonly string[]): boolean {
  let pairs = 0;
  let frequent = 0;
  for (const word of words)
    for (let at = 1; at < word.length; at++) {
      pairs++;
      if (frequentPairs.has(word.slice(at - 1, at + 1))) frequent++;
    }
  return pairs >= fewestLetters / 2 && frequent < pairs * fewFrequentPairs;
}

/** What a reader should know before trusting the text. In the order of their weight; usually none. */
export function qualityWarnings({
  text,
  pages,
  blocks = [],
}: Pick<ParsedDocument, 'text' | 'pages'> & Partial<Pick<ParsedDocument, 'blocks'>>): QualityWarning[] {
  const warnings: QualityWarning[] = [];
  const unknown = (text.match(unknownPattern) ?? []).length;
  if (unknown > 0 && unknown > text.length * someUnknown)
    warnings.push({
      kind: 'unknown-characters',
      message: `${unknown} of ${text.length} characters have no known meaning: the character map of the file is broken, or it was saved in another encoding.`,
    });
  const garbled = pages.filter((page) => isGarbled(text.slice(page.start, page.end))).map(({ number }) => number);
  if (garbled.length > 0)
    warnings.push({
      kind: 'garbled',
      message: `The text of ${listed(garbled)} is not what is printed there: its letters make no words.`,
      pages: garbled,
    });
  // Figures, ids and code make no words where they are expected.
  else if (pages.length === 0 && !isMostlyData(text, blocks) && isGarbled(text))
    warnings.push({
      kind: 'garbled',
      message: 'The text makes no words in any language: it may be data, or saved in another encoding.',
    });
  const sparse = sparsePages({ text, pages });
  if (sparse.length > 0)
    warnings.push({ kind: 'few-characters', message: `There is hardly any text on ${listed(sparse)}.`, pages: sparse });
  return warnings;
}

const dataKinds: ReadonlySet<string> = new Set(['table-row', 'record', 'code']);

function isMostlyData(text: string, blocks: ParsedDocument['blocks']): boolean {
  const length = blocks.reduce((sum, { kind, start, end }) => sum + (dataKinds.has(kind) ? end - start : 0), 0);
  return length * 2 > text.length;
}

/** Pages with hardly any text among pages with text. Where most are so, the document is so: a poster, a set of figures. */
function sparsePages({ text, pages }: Pick<ParsedDocument, 'text' | 'pages'>): number[] {
  if (pages.length < 3) return [];
  const sparse = pages.filter(({ start, end }) => text.slice(start, end).replace(/\s+/gu, '').length < fewOnPage);
  return sparse.length <= pages.length / 2 ? sparse.map(({ number }) => number) : [];
}

const mostNamed = 12;

function listed(pages: readonly number[]): string {
  const named = pages.slice(0, mostNamed).join(', ');
  const left = pages.length - mostNamed;
  return `${pages.length === 1 ? 'page' : 'pages'} ${named}${left > 0 ? ` and ${left} more` : ''}`;
}
