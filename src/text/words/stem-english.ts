// The English stemmer of Snowball (Porter 2) for words of small Latin letters alone, about ten times as fast as the library
// and letter for letter the same: test/text/words/stem-english.test.ts holds it against the library.

const exceptions: ReadonlyMap<string, string> = new Map(
  'andes atlas bias cosmos dying:die early:earli gently:gentl howe idly:idl lying:lie news only:onli singly:singl skies:sky skis:ski sky tying:tie ugly:ugli'
    .split(' ')
    .map((pair) => pair.split(':'))
    .map(([word = '', stem = word]) => [word, stem]),
);
/** Words that keep their ending, once a plural s is gone. */
const keptEndings: ReadonlySet<string> = new Set(
  'canning earring exceed herring inning outing proceed succeed'.split(' '),
);

type Suffixes = readonly (readonly [suffix: string, replacement: string])[];

/** Suffixes by their last letter, longest first. */
function byLastLetter(replacements: Readonly<Record<string, string>>): readonly (Suffixes | undefined)[] {
  const grouped: [string, string][][] = [];
  const longestFirst = Object.entries(replacements).sort(([left], [right]) => right.length - left.length);
  for (const [suffix, replacement] of longestFirst) {
    const last = suffix.charCodeAt(suffix.length - 1);
    grouped[last] = [...(grouped[last] ?? []), [suffix, replacement]];
  }
  return grouped;
}

const derivations = byLastLetter({
  anci: 'ance',
  enci: 'ence',
  ogi: 'og',
  li: '',
  bli: 'ble',
  abli: 'able',
  alli: 'al',
  fulli: 'ful',
  lessli: 'less',
  ousli: 'ous',
  entli: 'ent',
  aliti: 'al',
  biliti: 'ble',
  iviti: 'ive',
  tional: 'tion',
  ational: 'ate',
  alism: 'al',
  ation: 'ate',
  ization: 'ize',
  izer: 'ize',
  ator: 'ate',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
});
const adjectives = byLastLetter({
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  tional: 'tion',
  ational: 'ate',
  ful: '',
  ness: '',
});
const residues = byLastLetter(
  Object.fromEntries(
    'ic ance ence able ible ate ive ize iti al ism ion er ous ant ent ment ement'
      .split(' ')
      .map((suffix) => [suffix, '']),
  ),
);
const verbEndings = byLastLetter({ ed: '', ing: '', edly: '', ingly: '', eed: 'ee', eedly: 'ee' });

/** The longest suffix in the table that `word` ends with. */
function suffixOf(
  word: string,
  table: readonly (Suffixes | undefined)[],
): readonly [suffix: string, replacement: string] | undefined {
  return table[word.charCodeAt(word.length - 1)]?.find(([suffix]) => word.endsWith(suffix));
}

/** a, e, i, o, u and y; a y that is a consonant is written Y. */
function isVowel(code: number): boolean {
  return code === 0x61 || code === 0x65 || code === 0x69 || code === 0x6f || code === 0x75 || code === 0x79;
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word.charCodeAt(at))) return true;
  return false;
}

/** Whether the first `end` letters close with a short syllable. */
function endsShort(word: string, end: number): boolean {
  if (end < 2) return false;
  const last = word.charCodeAt(end - 1);
  if (isVowel(last) || !isVowel(word.charCodeAt(end - 2))) return false;
  if (end === 2) return true;
  return last !== 0x77 && last !== 0x78 && last !== 0x59 && !isVowel(word.charCodeAt(end - 3));
}

function markConsonants(word: string): string {
  if (!word.includes('y')) return word;
  let marked = word.startsWith('y') ? 'Y' : word.charAt(0);
  for (let at = 1; at < word.length; at++)
    marked += word.charCodeAt(at) === 0x79 && isVowel(marked.charCodeAt(at - 1)) ? 'Y' : word.charAt(at);
  return marked;
}

/** The end of the first consonant after a vowel, from `from`; the length where there is none. */
function regionAfter(word: string, from: number): number {
  let at = from;
  while (at < word.length && !isVowel(word.charCodeAt(at))) at++;
  while (at < word.length && isVowel(word.charCodeAt(at))) at++;
  return at < word.length ? at + 1 : word.length;
}

function dropPlural(word: string): string {
  if (!word.endsWith('s')) return word.endsWith('ied') ? word.slice(0, word.length > 4 ? -2 : -1) : word;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  if (word.endsWith('us') || word.endsWith('ss')) return word;
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word;
}

function dropVerbEnding(word: string, region1: number): string {
  const found = suffixOf(word, verbEndings);
  if (!found) return word;
  const base = word.length - found[0].length;
  if (found[1] !== '') return base >= region1 ? word.slice(0, base) + found[1] : word;
  if (!hasVowel(word, base)) return word;
  const stem = word.slice(0, base);
  if (/(?:at|bl|iz)$/u.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/u.test(stem)) return stem.slice(0, -1);
  return base === region1 && endsShort(stem, base) ? `${stem}e` : stem;
}

function derive(word: string, region1: number): string {
  const found = suffixOf(word, derivations);
  if (!found) return word;
  const [suffix, replacement] = found;
  const base = word.length - suffix.length;
  if (base < region1) return word;
  if (suffix === 'ogi' && word[base - 1] !== 'l') return word;
  if (suffix === 'li' && !/[cdeghkmnrt]/u.test(word.charAt(base - 1))) return word;
  return word.slice(0, base) + replacement;
}

function dropAdjective(word: string, region1: number, region2: number): string {
  const found = suffixOf(word, adjectives);
  if (!found) return word;
  const base = word.length - found[0].length;
  return base < (found[0] === 'ative' ? Math.max(region1, region2) : region1) ? word : word.slice(0, base) + found[1];
}

function dropResidue(word: string, region2: number): string {
  const found = suffixOf(word, residues);
  if (!found) return word;
  const base = word.length - found[0].length;
  if (base < region2 || (found[0] === 'ion' && !/[st]/u.test(word.charAt(base - 1)))) return word;
  return word.slice(0, base);
}

function dropLastLetter(word: string, region1: number, region2: number): string {
  const base = word.length - 1;
  if (word.endsWith('e'))
    return base >= region2 || (base >= region1 && !endsShort(word, base)) ? word.slice(0, base) : word;
  return word.endsWith('ll') && base >= region2 ? word.slice(0, base) : word;
}

/** The stem of a word of three or more letters a to z. */
export function stemEnglish(word: string): string {
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  const marked = markConsonants(word);
  const prefix = /^(?:arsen|commun|gener)/u.exec(marked);
  const region1 = prefix ? prefix[0].length : regionAfter(marked, 0);
  const region2 = regionAfter(marked, region1);
  let stem = dropPlural(marked);
  if (!keptEndings.has(stem)) {
    stem = dropVerbEnding(stem, region1);
    const { length } = stem;
    if (length > 2 && /[yY]$/u.test(stem) && !isVowel(stem.charCodeAt(length - 2))) stem = `${stem.slice(0, -1)}i`;
    stem = derive(stem, region1);
    stem = dropAdjective(stem, region1, region2);
    stem = dropResidue(stem, region2);
    stem = dropLastLetter(stem, region1, region2);
  }
  return stem.replaceAll('Y', 'y');
}
