// Which encoding of one byte a character a text is in, by its letters: in the right one, words are of one script, upper case begins them, and the letters
// beyond ASCII are those of one language, the commonest most often. A naive Bayes classifier over letters; linear in the sample.
import { alphabets, byteEncodings, dosTables } from './decode-alphabets.ts';

/** Chances: of a letter of the language, of the commonest marks, of a mark that any text may have, of anything else. */
const chances = { letter: 0.9, common: 0.08, mark: 0.01, other: 0.0005 };
/** What is left of a chance where a character stands as no language writes it. */
const oddity = 0.01;
/** Of a letter, so often it is written large where not all are. */
const upperShare = 0.2;
/** All that an English text has beyond ASCII. */
const common = new Set('“”‘’–—…•°µ×±');
const marks = new Set('«»„‚·¢¥§©®€™½¼²³£¡¿\u00a0№×÷´');
const drawing = /[\u2500-\u25ff]/u;
/** In the middle of a word: apostrophes, the point of Catalan, soft hyphens. */
const inWord = new Set("'’·\u00ad‘´");

/** Letters that are words by themselves. */
const words = new Set('àèéóáíåöøæавикосуяеійοη');

interface Observed {
  readonly counts: Map<string, number>;
  /** Logarithm of what characters that stand oddly take off. */
  readonly odd: number;
}

/** Characters looked at. */
const sampleLength = 16_384;

/** The likeliest of `byteEncodings`; windows-1252 where no other is clearly likelier. */
export function encodingByLetters(sample: Uint8Array): string {
  let best = 'windows-1252';
  let most = Number.NEGATIVE_INFINITY;
  for (const { label, languages, rarity } of byteEncodings) {
    const text = decodeSingle(sample.subarray(0, sampleLength), label);
    if (text.includes('\ufffd')) continue;
    const { counts, odd } = observe(text);
    const fit = odd - rarity + Math.max(...languages.map((language) => fitOf(counts, chancesOf(language))));
    if (fit <= most) continue;
    most = fit;
    best = label;
  }
  return best;
}

/** Bytes as text: labels of WHATWG, and those of DOS in `dosTables`. Bytes that the encoding has not become U+FFFD. */
export function decodeSingle(bytes: Uint8Array, label: string): string {
  const table = dosTables[label];
  if (table === undefined) return new TextDecoder(label).decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/[\u0080-\u00ff]/gu, (character) => table[character.charCodeAt(0) - 0x80] ?? '\ufffd');
}

/** As people call it; the label where it is none of `byteEncodings`. */
export const nameOfEncoding = (label: string): string =>
  byteEncodings.find((one) => one.label === label)?.name ?? label;

const known = new Map<string, ReadonlyMap<string, number>>();

/** The commonest letter of a language is as common as the next two together, and so on (Zipf). */
function chancesOf(language: string): ReadonlyMap<string, number> {
  let found = known.get(language);
  if (found === undefined) {
    const letters = [...(alphabets[language] ?? '')];
    const total = letters.reduce((sum, _, rank) => sum + 1 / (rank + 2), 0);
    found = new Map(letters.map((letter, rank) => [letter, chances.letter / (rank + 2) / total]));
    known.set(language, found);
  }
  return found;
}

function fitOf(counts: ReadonlyMap<string, number>, letters: ReadonlyMap<string, number>): number {
  let sum = 0;
  const share = [...counts.keys()].some((character) => lower.test(character)) ? upperShare : 1;
  for (const [character, count] of counts) {
    const small = letters.get(character.toLowerCase());
    const chance = letters.get(character) ?? (small && small * share);
    const isMark = marks.has(character) || drawing.test(character);
    const otherwise = common.has(character) ? chances.common : isMark ? chances.mark : chances.other;
    sum += count * Math.log(chance ?? otherwise);
  }
  return sum;
}

const letter = /\p{L}|\p{M}/u;
const ascii = /[A-Za-z]/u;
const latin = /\p{Script=Latin}/u;
const upper = /\p{Lu}/u;
const lower = /\p{Ll}/u;

/** How often each character beyond ASCII stands there, and how oddly. */
// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function observe(text: string): Observed {
  const counts = new Map<string, number>();
  let odd = 0;
  const penalty = Math.log(oddity);
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character < '\u0080') continue;
    counts.set(character, (counts.get(character) ?? 0) + 1);
    const before = text[at - 1] ?? ' ';
    const after = text[at + 1] ?? ' ';
    if (common.has(character)) {
      if (lower.test(before) && lower.test(after) && !inWord.has(character)) odd += penalty;
    } else if (character < '\u00a0') odd += 2 * penalty;
    else if (!letter.test(character)) {
      // A sign in the middle of a word.
      if (lower.test(before) && lower.test(after) && !inWord.has(character)) odd += penalty;
    } else {
      const besideAscii = ascii.test(before) || ascii.test(after);
      if (besideAscii && !latin.test(character)) odd += penalty;
      // "fŸr", "Größe" as "GrˆﬂE": upper case within a word of lower case.
      if (upper.test(character) && lower.test(before)) odd += penalty;
      if (lower.test(character) && /[A-Z]/u.test(after)) odd += penalty;
      if (!letter.test(before) && !letter.test(after) && !words.has(character.toLowerCase())) odd += penalty / 2;
      if (lower.test(character) && upper.test(before) && /\p{Lu}/u.test(text[at - 2] ?? ' ')) odd += penalty / 2;
      // No language writes a letter three times in a row: lines of a drawing.
      if (character === before && character === text[at - 2]) odd += penalty;
    }
  }
  return { counts, odd };
}
