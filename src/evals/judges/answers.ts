// Judges of what an answer says, by rules: do the quotes carry its claims, does it speak of what was asked, does it read as one, is all of it
// there, was it right to abstain.
import type { Answer, Claim } from '../../core/answer.ts';
import { analyzeText } from '../../text/analyze.ts';
import { findDates } from '../../text/quantities/dates.ts';
import { findQuantities } from '../../text/quantities/quantities.ts';
import { findNames } from '../../text/words/names.ts';
import { byRules } from './by-rules.ts';
import { type Grounding, groundingOf } from './groundedness.ts';
import type { Judge } from './judge.ts';
import { citationsOfClaim, containsAnswer, findsSentence, normaliseAnswer } from './matching.ts';

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What a claim is held against: the quotes that it cites, and the computation where it was computed from them. */
export function evidenceOf(answer: Answer, claim: Claim): string[] {
  const quotes = citationsOfClaim(answer, answer.claims.indexOf(claim)).map(({ quote }) => quote);
  return claim.derivation === undefined ? quotes : [...quotes, claim.derivation];
}

const hasClaims = ({ abstained, claims }: Answer): boolean => !abstained && claims.length > 0;

export const groundedness: Judge = byRules('groundedness', 0.7, ({ answer }) => {
  if (!hasClaims(answer)) return undefined;
  const found: Grounding[] = answer.claims.map((claim) => groundingOf(claim.text, evidenceOf(answer, claim)));
  const weak = found.filter(({ isGrounded }) => !isGrounded);
  const reason = weak[0]?.reasons[0];
  return {
    score: mean(found.map(({ score }) => score)),
    reason:
      weak.length === 0
        ? 'The quotes carry every claim.'
        : `The quotes do not carry ${weak.length} of ${found.length} claims. ${reason ?? ''}`.trim(),
  };
});

/** What kind of thing a question asks for, where it says so, and whether a text has one. */
const askedKinds: readonly (readonly [asks: RegExp, has: (text: string) => boolean, what: string])[] = [
  [
    /^(?:how (?:many|much|long|old|far|tall|high|often)|wie ?(?:viele?|lange|alt|oft|weit|hoch))\b/iu,
    (text) => findQuantities(text).length > 0 || /\p{N}/u.test(text),
    'a number',
  ],
  [
    /^(?:when|(?:in|on|at) (?:what|which) (?:year|day|month|date|time)|what (?:year|date)|wann)\b/iu,
    (text) => findDates(text).length > 0 || /\p{N}/u.test(text),
    'a time',
  ],
  [/^(?:who|whom|whose|wer|wem|wen)\b/iu, (text) => findNames(text).length > 0 || /\p{Lu}/u.test(text), 'a name'],
];
const missingKindCosts = 0.5;

export const relevance: Judge = byRules('relevance', 0.5, ({ question, answer }) => {
  if (!hasClaims(answer) || answer.intent === 'conversational') return undefined;
  const asked = new Set(analyzeText(question));
  if (asked.size === 0) return undefined;
  const claims = answer.claims.map(({ text }) => text).join('\n');
  const said = new Set(analyzeText([claims, ...answer.citations.map(({ title }) => title)].join('\n')));
  const share = [...asked].filter((term) => said.has(term)).length / asked.size;
  const kind = askedKinds.find(([asks]) => asks.test(question.trim()));
  const isMissing = kind !== undefined && !kind[1](claims);
  return {
    score: share * (isMissing ? missingKindCosts : 1),
    reason: isMissing
      ? `The question asks for ${kind[2]}, and no claim has one.`
      : `The answer speaks of ${Math.round(share * 100)} % of what the question names.`,
  };
});

const dangling =
  /^(?:however|therefore|moreover|furthermore|thus|hence|he|she|they|this|these|those|such|allerdings|daher|deshalb|außerdem)\b/iu;
const markup = /(?:<\/?[a-z][^<>]{0,80}>|\*\*|\]\()/u;
const ends = /[\p{P}\p{S}\d\p{L}]["'”’»)\]]?$/u;
const broken = /(?:[,;:([{]|\b(?:and|or|of|the|a|an|to|in|und|oder|der|die|das))$/iu;
const sameFrom = 0.9;

function faultOf(text: string, position: number): string | undefined {
  const trimmed = text.trim();
  if (broken.test(trimmed) || !ends.test(trimmed)) return 'breaks off';
  if (markup.test(trimmed)) return 'has marks of a format in it';
  if (position === 0 && dangling.test(trimmed)) return 'begins as if something stood before it';
  const opened = [...trimmed].filter((character) => '([{'.includes(character)).length;
  const closed = [...trimmed].filter((character) => ')]}'.includes(character)).length;
  return opened > closed ? 'opens a bracket that it does not close' : undefined;
}

function isRepeated(words: readonly string[], earlier: readonly (readonly string[])[]): boolean {
  const mine = new Set(words);
  return earlier.some((other) => {
    const shared = new Set(other.filter((word) => mine.has(word))).size;
    return shared / Math.max(1, new Set([...mine, ...other]).size) >= sameFrom;
  });
}

export const coherence: Judge = byRules('coherence', 0.7, ({ answer }) => {
  if (!hasClaims(answer)) return undefined;
  const words = answer.claims.map(({ text }) => normaliseAnswer(text).split(' '));
  const faults = answer.claims.flatMap(({ text }, at) => {
    const fault = isRepeated(words[at] ?? [], words.slice(0, at)) ? 'says again what was said' : faultOf(text, at);
    return fault === undefined ? [] : [`Claim ${at + 1} ${fault}.`];
  });
  return {
    score: 1 - faults.length / answer.claims.length,
    reason: faults[0] ?? 'Every claim is whole, and none says the same again.',
  };
});

function shareOfWords(wanted: string, said: ReadonlySet<string>): number {
  const words = [...new Set(normaliseAnswer(wanted).split(' '))].filter((word) => word !== '');
  return words.length === 0 ? 0 : words.filter((word) => said.has(word)).length / words.length;
}

export const completeness: Judge = byRules('completeness', 0.7, ({ answer, expected }) => {
  if (expected?.unanswerable === true) return undefined;
  const { answers = [], supporting = [] } = expected ?? {};
  const claims = answer.abstained ? [] : answer.claims.map(({ text }) => text);
  if (answers.length > 0) {
    const text = claims.join('\n');
    const said = new Set(normaliseAnswer(text).split(' '));
    const best = Math.max(...answers.map((gold) => (containsAnswer(text, gold) ? 1 : shareOfWords(gold, said))));
    return { score: best, reason: `The claims have ${Math.round(best * 100)} % of the words of a right answer.` };
  }
  if (supporting.length > 0) {
    const found = supporting.filter((sentence) => findsSentence(answer, sentence)).length;
    return { score: found / supporting.length, reason: `${found} of ${supporting.length} wanted sentences are cited.` };
  }
  if (answer.parts === undefined || answer.parts.length === 0) return undefined;
  const answered = answer.parts.filter((part) => part.claims.length > 0).length;
  return {
    score: answered / answer.parts.length,
    reason: `${answered} of ${answer.parts.length} parts of the question are answered.`,
  };
});

export const abstention: Judge = byRules('abstention', 1, ({ answer, expected }) => {
  const wanted = expected?.unanswerable === true;
  if (!wanted && (expected?.answers ?? expected?.supporting ?? []).length === 0) return undefined;
  const isRight = answer.abstained === wanted;
  const did = answer.abstained ? 'abstained' : 'answered';
  return { score: isRight ? 1 : 0, reason: `It ${did}, and there is ${wanted ? 'no' : 'an'} answer.` };
});
