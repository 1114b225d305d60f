// Tells the language of a text: by script where the script decides, by the share of function words where that is clear,
// else by n-grams (eld, loaded only when first needed: it takes 30 ms and 4 MB). Short or mixed text is reported
// as not reliable. Documents are detected; queries and sentences are guessed, which never loads anything.
import { caseless, codeClasses, lower, mark, surrogate, tableOf, upper } from './code-classes.ts';
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
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['han', /\p{Script=Han}/u],
  ['ko', /\p{Script=Hangul}/u],
  ['th', /\p{Script=Thai}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['el', /\p{Script=Greek}/u],
  ['hy', /\p{Script=Armenian}/u],
  ['ka', /\p{Script=Georgian}/u],
  ['ta', /\p{Script=Tamil}/u],
  ['km', /\p{Script=Khmer}/u],
  ['lo', /\p{Script=Lao}/u],
  ['my', /\p{Script=Myanmar}/u],
];
let scriptTable: Uint8Array | undefined;

/** The main language of a text, from its first 1,000 characters. */
export function detectLanguage(text: string): DetectedLanguage {
  const sample = text.slice(0, sampleLength);
  const { letters, isPlain } = countLetters(sample);
  if (letters === 0) return { language: 'und', reliable: false };
  const script = isPlain ? undefined : byScript(sample, letters);
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
  const { letters, isPlain } = countLetters(sample);
  const script = letters === 0 || isPlain ? undefined : byScript(sample, letters);
  if (script) return script.language;
  const vote = countFunctionWords(sample);
  if (vote && (vote.clear || among.includes(vote.language))) return vote.language;
  if (among[0] !== undefined) return among[0];
  if (/\p{Script=Arabic}/u.test(sample)) return 'ar';
  return /\p{Script=Cyrillic}/u.test(sample) ? 'ru' : 'en';
}

const isLetter = (found: number | undefined): boolean => found === upper || found === lower || found === caseless;

/** `isPlain`: all of it is ASCII. */
function countLetters(sample: string): { readonly letters: number; readonly isPlain: boolean } {
  const classes = codeClasses();
  let letters = 0;
  let all = 0;
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at);
    all |= code;
    const found = classes[code];
    if (isLetter(found) || (found === surrogate && /^\p{L}/u.test(characterAt(sample, at)))) letters++;
  }
  return { letters, isPlain: all < 0x80 };
}

/** The character of which the first half stands here; nothing where the second does. */
function characterAt(sample: string, at: number): string {
  const code = sample.charCodeAt(at);
  return code < 0xdc00 ? String.fromCodePoint(sample.codePointAt(at) ?? 0) : '';
}

function byScript(sample: string, letters: number): DetectedLanguage | undefined {
  if (!/[^\P{L}\p{Script=Latin}]/u.test(sample)) return undefined;
  const counts = countScripts(sample);
  const [kana = 0, han = 0] = counts;
  if ((kana + han) * 2 > letters) return { language: kana * 10 > han ? 'ja' : 'zh', reliable: kana + han >= 2 };
  for (const [script, [language]] of scripts.entries())
    if (script > 1 && (counts[script] ?? 0) * 2 > letters) return { language, reliable: true };
  return undefined;
}

function countScripts(sample: string): readonly number[] {
  scriptTable ??= tableOf(scripts.map(([, pattern], script) => [script + 1, pattern]));
  const counts = scripts.map(() => 0);
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at);
    const script = code >= 0xd800 && code < 0xdc00 ? scriptOf(characterAt(sample, at)) : (scriptTable[code] ?? 0) - 1;
    if (script >= 0) counts[script] = (counts[script] ?? 0) + 1;
  }
  return counts;
}

const scriptOf = (character: string): number => scripts.findIndex(([, pattern]) => pattern.test(character));

/** The languages that count a word as a stop word. */
interface Voter {
  readonly languages: readonly number[];
}

interface Votes {
  readonly words: ReadonlyMap<string, Voter>;
  /** By `sketch`: whether any of the words may be meant. Most words of a text are none and need not be looked up. */
  readonly sketches: Uint8Array;
  readonly longest: number;
}

let known: Votes | undefined;
function votes(): Votes {
  if (known) return known;
  const words = new Map<string, { languages: number[] }>();
  const sketches = new Uint8Array(sketchCount);
  for (const [number, language] of stopWordLanguages.entries()) {
    // Single letters are variables, initials and list marks as often as words.
    for (const word of stopWords(language)) {
      if (word.length < 2) continue;
      const voter = words.get(word);
      if (voter) voter.languages.push(number);
      else words.set(word, { languages: [number] });
      sketches[sketch(word, 0, word.length)] = 1;
    }
  }
  known = { words, sketches, longest: Math.max(...[...words.keys()].map((word) => word.length)) };
  return known;
}

const sketchCount = 0x4000;
/** A number made of the length, the first two letters and the last. */
function sketch(text: string, start: number, end: number): number {
  const sum =
    text.charCodeAt(start) * 31 + text.charCodeAt(start + 1) * 521 + text.charCodeAt(end - 1) * 4099 + (end - start);
  return sum & (sketchCount - 1);
}

interface Vote {
  readonly language: string;
  /** Different function words found: a title may stand twice in what is looked at. */
  readonly different: number;
  /** Many, different, and well ahead of the next language. */
  readonly clear: boolean;
}

function countFunctionWords(sample: string): Vote | undefined {
  const { words, sketches, longest } = votes();
  const text = sample.toLowerCase();
  const hits = new Int32Array(stopWordLanguages.length);
  /** In the order of their first hit: the first of equals is the best. */
  const languages: number[] = [];
  const found = new Set<Voter>();
  let total = 0;
  forEachLetterRun(text, (start, end) => {
    total++;
    const length = end - start;
    if (length < 2 || length > longest || sketches[sketch(text, start, end)] === 0) return;
    const voter = words.get(text.slice(start, end));
    if (!voter) return;
    found.add(voter);
    for (const language of voter.languages) {
      const before = hits[language] ?? 0;
      if (before === 0) languages.push(language);
      hits[language] = before + 1;
    }
  });
  const [best, second] = languages.toSorted((left, right) => (hits[right] ?? 0) - (hits[left] ?? 0));
  if (best === undefined) return undefined;
  const most = hits[best] ?? 0;
  const lead = most - (second === undefined ? 0 : (hits[second] ?? 0));
  let different = 0;
  for (const voter of found) if (voter.languages.includes(best)) different += 1;
  const clear = most * 6 >= total && lead * 3 >= most && different >= 3;
  return { language: stopWordLanguages[best] ?? 'und', different, clear };
}

/** Runs of letters and marks, as the pattern of `wordsOf` has them. */
function forEachLetterRun(text: string, visit: (start: number, end: number) => void): void {
  const classes = codeClasses();
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    // Nearly all that is inside of runs.
    if (start >= 0) while (at < text.length && classes[text.charCodeAt(at)] === lower) at++;
    if (at === text.length) break;
    const found = classes[text.charCodeAt(at)];
    let width = 0;
    if (isLetter(found) || found === mark) width = 1;
    else if (found === surrogate && /^[\p{L}\p{M}]/u.test(characterAt(text, at))) width = 2;
    if (width > 0 && start < 0) start = at;
    else if (width === 0 && start >= 0) {
      visit(start, at);
      start = -1;
    }
    if (width === 2) at++;
  }
  if (start >= 0) visit(start, text.length);
}

const wordsOf = (sample: string): string[] => sample.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];

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
