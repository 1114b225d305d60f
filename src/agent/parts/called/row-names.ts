// How rows are called by the things that a question names: "Fjord 4.0.0" is the row "4.0.0" of a table of versions in what is about Fjord. Pure.
import { termSet } from '../../../answer/question/terms.ts';
import { isSameThing } from '../../../answer/support/compared/things.ts';
import type { Evidence } from '../../../core/search.ts';

/** Marks of references and emphasis: "ConvS2S [9]". */
export const bare = (cell: string): string => cell.replace(/ ?\[[\d, ]{1,12}\]|[*_`]/gu, '').trim();

/** "Fjord 4.0.0" is the row "4.0.0" of a table of versions, and "Fjord 4" the one of its first version: "4.0.0", "v4", "4.x". */
export const version = / v?(\d{1,4}(?:\.\d{1,4}){0,3})$/u;
const cellOfVersion = /^(?:version )?v?(\d{1,4}(?:\.\d{1,4}){0,3})(?:\.x)?$/iu;
function withoutZeros(number: string): string {
  const places = number.split('.');
  while (places.length > 1 && places.at(-1) === '0') places.pop();
  return places.join('.');
}
export function isCalled(cell: string, name: string): boolean {
  const called = bare(cell);
  if (isSameThing(called, name)) return true;
  const [, asked] = version.exec(name) ?? [];
  const [, given] = cellOfVersion.exec(called) ?? [];
  return asked !== undefined && given !== undefined && withoutZeros(given) === withoutZeros(asked);
}
/** Without its last word, and without its first. */
export function shorterNames(name: string): readonly string[] {
  const words = name.replace(/^(?:the|an?) /iu, '').split(' ');
  return words.length < 2 ? [] : [words.slice(0, -1).join(' '), words.slice(1).join(' ')];
}
/** What a passage stands under: title, headings and the words of its address. */
export const standsUnder = ({ title, headingPath, uri }: Pick<Evidence, 'title' | 'headingPath' | 'uri'>): string =>
  [title, ...headingPath, uri.replace(/[^\p{L}\p{N}]+/gu, ' ')].join(' ');

/** A number alone calls a version only where the page is of the product. */
export function isOfProduct(evidence: Evidence, name: string, ofDocument = ''): boolean {
  if (!version.test(name)) return true;
  const product = termSet(name.replace(version, ''));
  return (
    product.size === 0 || product.isSubsetOf(termSet([standsUnder(evidence), evidence.text, ofDocument].join(' ')))
  );
}

/** Whether a document is called by the thing, or by it and what it is: "Corva 200 bilge pump", "Mistral P8: data sheet". "Alpha 2" is no document of Alpha. */
export function isTitledLike(title: string, name: string): boolean {
  if (isSameThing(title, name)) return true;
  const bareName = name
    .replace(/^(?:the|an?) /iu, '')
    .trim()
    .toLowerCase();
  const titled = title.replace(/^(?:the|an?) /iu, '').trim();
  if (bareName === '' || !titled.toLowerCase().startsWith(bareName)) return false;
  return /^(?:\s*[:|,(–—]| +- |(?: \p{Ll}[\p{L}-]*){1,4}$)/u.test(titled.slice(bareName.length));
}
