// Tells the language of a text: by script where the script decides, by the share of function words where that is clear,
// else by n-grams (eld, loaded only when first needed: it takes 0.1 s and 4 MB). Short or mixed text is reported
// as not reliable. Documents are detected; queries and sentences are guessed, which never loads anything.
import { openNgramDetector } from './language-ngrams.ts';
import { stopWordLanguages, stopWords } from './stop-words.ts';

export interface DetectedLanguage {
  /** BCP 47 primary subtag; `und` if nothing tells. */
  readonly language: string;
  readonly reliable: boolean;
}

/** Characters looked at: more changes nothing and costs time. */
const sampleLength = 1000;

/** Scripts that one language (nearly) owns, after those of Japanese and Chinese. */
const scripts: readonly (readonly [language: string, pattern: RegExp])[] = [
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['han', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hy', /\p{Script=Armenian}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['km', /\p{Script=Khmer}/gu],
  ['lo', /\p{Script=Lao}/gu],
  ['my', /\p{Script=Myanmar}/gu],
];

/** The main language of a text, from its first 1,000 characters. */
export function detectLanguage(text: string): DetectedLanguage {
  const sample = text.slice(0, sampleLength);
  if (!/\p{L}/u.test(sample)) return { language: 'und', reliable: false };
  const script = byScript(sample);
  if (script) return script;
  const vote = countFunctionWords(sample);
  return vote?.clear ? { language: vote.language, reliable: true } : byNgrams(sample, vote);
}

/**
 * A language to analyse a short text by, in microseconds and without n-grams. `among` are the languages that it may well
 * be in, most likely first; without them Latin script without function words is taken for English.
 */
export function guessLanguage(text: string, among: readonly string[] = []): string {
  const sample = text.slice(0, sampleLength);
  const script = byScript(sample);
  if (script) return script.language;
  const vote = countFunctionWords(sample);
  if (vote && (vote.clear || among.includes(vote.language))) return vote.language;
  if (among[0] !== undefined) return among[0];
  if (/\p{Script=Arabic}/u.test(sample)) return 'ar';
  return /\p{Script=Cyrillic}/u.test(sample) ? 'ru' : 'en';
}

/** What `guessLanguage` is told to fall back to: no language. */
const unclear = 'und';
const foreignLetters = /[^\P{L}\p{Script=Latin}]/gu;

/** Whether a model that knows English alone may read a text: it is English, or too short to tell, and in Latin letters. In microseconds. */
export function isEnglishOrUnclear(text: string): boolean {
  const guessed = guessLanguage(text, [unclear]);
  if (guessed !== 'en' && guessed !== unclear) return false;
  const sample = text.slice(0, sampleLength);
  if (isPlain(sample)) return true;
  return (sample.match(foreignLetters)?.length ?? 0) * 2 <= (sample.match(/\p{L}/gu)?.length ?? 0);
}

const isPlain = (sample: string): boolean => Buffer.byteLength(sample) === sample.length;

function byScript(sample: string): DetectedLanguage | undefined {
  if (isPlain(sample) || !/[^\P{L}\p{Script=Latin}]/u.test(sample)) return undefined;
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const counts = scripts.map(([, pattern]) => sample.match(pattern)?.length ?? 0);
  const [kana = 0, han = 0] = counts;
  if ((kana + han) * 2 > letters) return { language: kana * 10 > han ? 'ja' : 'zh', reliable: kana + han >= 2 };
  for (const [script, [language]] of scripts.entries())
    if (script > 1 && (counts[script] ?? 0) * 2 > letters) return { language, reliable: true };
  return undefined;
}

let known: ReadonlyMap<string, readonly number[]> | undefined;
/** By stop word the languages that have it, by their places in `stopWordLanguages`. */
function voters(): ReadonlyMap<string, readonly number[]> {
  if (known) return known;
  const words = new Map<string, number[]>();
  for (const [number, language] of stopWordLanguages.entries())
    for (const word of stopWords(language)) {
      // Single letters are variables, initials and list marks as often as words.
      if (word.length >= 2) words.set(word, [...(words.get(word) ?? []), number]);
    }
  known = words;
  return words;
}

interface Vote {
  readonly language: string;
  /** Different function words found: a title may stand twice in what is looked at. */
  readonly different: number;
  /** Many, different, and well ahead of the next language. */
  readonly clear: boolean;
}

function countFunctionWords(sample: string): Vote | undefined {
  const words = wordsOf(sample);
  /** How often each language was voted for, in the order of first votes: the first of equals is the best. */
  const hits = new Map<number, number>();
  const found = new Set<string>();
  for (const word of words)
    for (const language of voters().get(word) ?? []) {
      found.add(word);
      hits.set(language, (hits.get(language) ?? 0) + 1);
    }
  const [first, second] = [...hits].toSorted((left, right) => right[1] - left[1]);
  if (first === undefined) return undefined;
  const [best, most] = first;
  const lead = most - (second?.[1] ?? 0);
  const different = [...found].filter((word) => voters().get(word)?.includes(best)).length;
  const clear = most * 6 >= words.length && lead * 3 >= most && different >= 3;
  return { language: stopWordLanguages[best] ?? 'und', different, clear };
}

/** The expression for all scripts takes ten times as long. */
const wordsOf = (sample: string): string[] =>
  sample.toLowerCase().match(isPlain(sample) ? /[a-z]+/g : /[\p{L}\p{M}]+/gu) ?? [];

/** Letters of different words below which n-grams name a wrong language too often to be relied on (titles, code, names). */
const enoughLetters = 80;

function byNgrams(sample: string, vote: Vote | undefined): DetectedLanguage {
  const result = openNgramDetector().detect(sample);
  if (!result.language) return { language: 'und', reliable: false };
  const { language } = result;
  const list = stopWords(language);
  const words = new Set(wordsOf(sample));
  const agreed = vote !== undefined && vote.language === language && vote.different >= 2;
  const long = [...words].join('').length >= enoughLetters;
  const borne = list.size === 0 || [...words].some((word) => word.length > 1 && list.has(word));
  return { language, reliable: (agreed || (long && borne)) && result.isReliable() };
}
