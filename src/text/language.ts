// Tells the language of a text: by script where the script decides, by the share of function words where that is clear,
// else by n-grams (eld, loaded only when first needed: it takes half a second and 180 MB). Short or mixed text is reported
// as not reliable. Documents are detected; queries and sentences are guessed, which never loads anything.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { stopWordLanguages, stopWords } from './stop-words.ts';

export interface DetectedLanguage {
  /** BCP 47 primary subtag; `und` if nothing tells. */
  readonly language: string;
  readonly reliable: boolean;
}

/** Characters looked at: more changes nothing and costs time. */
const sampleLength = 1000;

/** Scripts that one language (nearly) owns. */
const scripts: readonly (readonly [language: string, pattern: RegExp])[] = [
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

interface Detector {
  detect(text: string): { language: string; isReliable(): boolean };
}
let detector: Detector | undefined;
function ngramDetector(): Detector {
  // Loaded by path because the package exports itself to `import` alone, and this function is synchronous.
  detector ??= (createRequire(import.meta.url)(fileURLToPath(import.meta.resolve('eld/medium'))) as { eld: Detector })
    .eld;
  return detector;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The main language of a text, from its first 1,000 characters. */
export function detectLanguage(text: string): DetectedLanguage {
  const sample = text.slice(0, sampleLength);
  const letters = count(sample, /\p{L}/gu);
  if (letters === 0) return { language: 'und', reliable: false };
  const script = byScript(sample, letters);
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
  const letters = count(sample, /\p{L}/gu);
  const script = letters === 0 ? undefined : byScript(sample, letters);
  if (script) return script.language;
  const vote = countFunctionWords(sample);
  if (vote && (vote.clear || among.includes(vote.language))) return vote.language;
  if (among[0] !== undefined) return among[0];
  if (/\p{Script=Arabic}/u.test(sample)) return 'ar';
  return /\p{Script=Cyrillic}/u.test(sample) ? 'ru' : 'en';
}

function byScript(sample: string, letters: number): DetectedLanguage | undefined {
  if (!/[^\P{L}\p{Script=Latin}]/u.test(sample)) return undefined;
  const kana = count(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(sample, /\p{Script=Han}/gu);
  if ((kana + han) * 2 > letters) return { language: kana * 10 > han ? 'ja' : 'zh', reliable: kana + han >= 2 };
  for (const [language, pattern] of scripts) {
    if (count(sample, pattern) * 2 > letters) return { language, reliable: true };
  }
  return undefined;
}

/** Word -> languages that count it as a stop word. */
let votes: Map<string, readonly string[]> | undefined;
function voters(): Map<string, readonly string[]> {
  if (votes) return votes;
  votes = new Map();
  for (const language of stopWordLanguages) {
    // Single letters are variables, initials and list marks as often as words.
    for (const word of stopWords(language))
      if (word.length > 1) votes.set(word, [...(votes.get(word) ?? []), language]);
  }
  return votes;
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
  const tally = new Map<string, string[]>();
  for (const word of words) {
    for (const language of voters().get(word) ?? []) {
      const found = tally.get(language);
      if (found) found.push(word);
      else tally.set(language, [word]);
    }
  }
  const [best, second] = [...tally].sort((left, right) => right[1].length - left[1].length);
  if (!best) return undefined;
  const [language, found] = best;
  const hits = found.length;
  const lead = hits - (second?.[1].length ?? 0);
  const different = new Set(found).size;
  return { language, different, clear: hits * 6 >= words.length && lead * 3 >= hits && different >= 3 };
}

const wordsOf = (sample: string): string[] => sample.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];

/** Letters of different words below which n-grams name a wrong language too often to be relied on (titles, code, names). */
const enoughLetters = 80;

function byNgrams(sample: string, vote: Vote | undefined): DetectedLanguage {
  const result = ngramDetector().detect(sample);
  if (!result.language) return { language: 'und', reliable: false };
  const { language } = result;
  const list = stopWords(language);
  const words = new Set(wordsOf(sample));
  const agreed = vote !== undefined && vote.language === language && vote.different >= 2;
  const long = [...words].join('').length >= enoughLetters;
  const borne = list.size === 0 || [...words].some((word) => word.length > 1 && list.has(word));
  return { language, reliable: (agreed || (long && borne)) && result.isReliable() };
}
