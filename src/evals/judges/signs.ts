// What can be counted of a claim beside its evidence, without knowing what the verifier thinks of it: which of its words, names and numbers the
// evidence has, and whether one of the two denies what the other says. Invariant: nothing here comes from src/answer, whose verifier let the
// claim pass (docs/adr/0046).
import { analyzeWords } from '../../text/analyze.ts';
import { findQuantities, type Quantity, sameAmount } from '../../text/quantities/quantities.ts';
import { segmentSentences } from '../../text/sentences.ts';
import { findNames } from '../../text/words/names.ts';
import { polarityOf } from '../../text/words/negation.ts';
import { areOpposites } from '../../text/words/opposites.ts';

/** Each a share or a yes (1) or no (0): the more of it, the less is carried. */
export interface Signs {
  /** Words of the claim, by weight, for which the best sentences have neither the word nor a related one. */
  readonly uncovered: number;
  /** Words of names that stand nowhere in the evidence. */
  readonly namesMissing: number;
  /** A number of the claim stands nowhere in the evidence. */
  readonly numberMissing: number;
  /** The claim denies and the nearest sentence does not, or the other way round. */
  readonly denied: number;
  /** The nearest sentence has the opposite of a word of the claim. */
  readonly opposite: number;
}

/** What of a claim is not covered, for people. */
export interface Reading {
  readonly signs: Signs;
  readonly uncoveredWords: readonly string[];
}

interface Word {
  readonly term: string;
  /** As written, in lower case. */
  readonly lower: string;
  readonly weight: number;
}

interface Sentence {
  readonly text: string;
  readonly words: readonly Word[];
  readonly terms: ReadonlySet<string>;
}

const anchorWeight = 1.6;
/** So many sentences, chosen one after another for what they add, are what the claim is held against word by word. */
const mostChosen = 3;

function readWords(text: string): Word[] {
  const named = new Set(findNames(text).flatMap(({ words, initial }) => (initial ? [] : words)));
  return analyzeWords(text).map(({ term, start, end }) => {
    const written = text.slice(start, end);
    const isAnchor = /\p{N}/u.test(written) || named.has(written);
    return { term, lower: written.toLowerCase(), weight: isAnchor ? anchorWeight : 1 };
  });
}

function readSentences(evidence: readonly string[]): Sentence[] {
  return evidence
    .flatMap((text) => segmentSentences(text).map(({ start, end }) => text.slice(start, end)))
    .map((text) => {
      const words = readWords(text);
      return { text, words, terms: new Set(words.map(({ term }) => term)) };
    })
    .filter(({ words }) => words.length > 0);
}

/** How far two words that are not the same may stand for each other, 0..1: those that begin alike. */
function likeness(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return shared >= 5 && shared >= 0.7 * Math.max(a.length, b.length) ? 0.8 : 0;
}

const weightOf = (words: readonly Word[]): number => words.reduce((sum, { weight }) => sum + weight, 0);

function chooseSentences(claim: readonly Word[], sentences: readonly Sentence[]): Sentence[] {
  const chosen: Sentence[] = [];
  let left = claim;
  while (chosen.length < mostChosen && left.length > 0) {
    let best: Sentence | undefined;
    let most = 0;
    for (const sentence of sentences) {
      const gained = weightOf(left.filter(({ term }) => sentence.terms.has(term)));
      if (gained > most) [best, most] = [sentence, gained];
    }
    if (!best) break;
    chosen.push(best);
    const { terms } = best;
    left = left.filter(({ term }) => !terms.has(term));
  }
  return chosen;
}

const counted = (text: string): Quantity[] => findQuantities(text).filter(({ word }) => !word);
const negates = (text: string): boolean => polarityOf(text).polarity === 'negative';

/** Pure. Evidence without words covers nothing. */
export function readSigns(claim: string, evidence: readonly string[]): Reading {
  const words = readWords(claim);
  const sentences = readSentences(evidence);
  const chosen = chooseSentences(words, sentences);
  const [nearest] = chosen;
  const near = chosen.flatMap((sentence) => sentence.words);
  let uncovered = 0;
  let isOpposed = false;
  const uncoveredWords: string[] = [];
  for (const { term, lower, weight } of words) {
    if (chosen.some(({ terms }) => terms.has(term))) continue;
    let most = 0;
    for (const word of near) most = Math.max(most, likeness(lower, word.lower));
    uncovered += weight * (1 - most);
    if (most === 0) uncoveredWords.push(lower);
    isOpposed ||= nearest?.words.some((word) => areOpposites(lower, word.lower)) === true;
  }
  const names = findNames(claim).flatMap(({ initial, words: parts }) =>
    initial ? [] : parts.map((part) => part.toLowerCase()),
  );
  const seen = new Set(sentences.flatMap((sentence) => sentence.words.map(({ lower }) => lower)));
  const held = sentences.flatMap(({ text }) => counted(text));
  const whole = weightOf(words);
  return {
    signs: {
      uncovered: whole === 0 ? 0 : uncovered / whole,
      namesMissing: names.length === 0 ? 0 : names.filter((name) => !seen.has(name)).length / names.length,
      numberMissing: counted(claim).some((one) => !held.some((other) => sameAmount(one, other))) ? 1 : 0,
      denied: nearest && negates(claim) !== negates(nearest.text) ? 1 : 0,
      opposite: isOpposed ? 1 : 0,
    },
    uncoveredWords,
  };
}
