// The search terms of memories and of what is asked about them: those of the house's analyzer, read as English so that short texts are
// always read alike, with words for the same relation made one. Deterministic.
import { analyzeText } from '../../../text/analyze.ts';

/** Words that say the same of a user, as stems; the first stands for all. */
const sameWords = `prefer preferenc favourit favorit love like enjoy fond ador fan
live resid reside base home hometown locat dwell
work employ employe job
name call
use utilis utiliz
birthday born birth
color colour
hate dislik detest despis loath
program programm code
answer repli respons respond
meet meeting
organis organiz
deploy deploi deployment
allerg allergi
team squad`;

const wordFor = new Map<string, string>(
  sameWords.split('\n').flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return others.map((other) => [other, first] as const);
  }),
);

/** Words that carry nothing of what is remembered or asked. */
const empty: ReadonlySet<string> = new Set(
  'pleas rememb rememberd know tell told said say remind actual realli also alway usual general normal current now just still person mostli main wa am im ive thing got get'.split(
    ' ',
  ),
);

/** In the order of the text, as often as they occur. */
export function wordTerms(text: string): readonly string[] {
  return analyzeText(text.replace(/[’ʼ]/gu, "'"), { language: 'en' })
    .map((term) => wordFor.get(term) ?? term)
    .filter((term) => !empty.has(term) && !/\s/u.test(term));
}

/** Each once. A text of nothing else keeps its empty words. */
export function memoryTerms(text: string): readonly string[] {
  const terms = wordTerms(text);
  return [...new Set(terms.length > 0 ? terms : analyzeText(text, { language: 'en', keepStopWords: true }))];
}
