// Decides whether evidence answers a question at all, by a logistic model over the signals of coverage.ts, and with what confidence the
// first claim does, by another over what is measured of that claim (extract/sureness.ts). One set of weights and one threshold serve every
// collection; docs/answers.md says how they were fitted and how well confidence is calibrated. Reasons for abstaining are words a person can act on.

import { confidenceModel } from './confidence-weights.ts';
import { isScattered } from './extract/agreement.ts';
import type { AnswerSignals, Judgement } from './extract/coverage.ts';
import { hopsOf } from './hops.ts';
import type { Question } from './question/question.ts';
import { scoreOf } from './stumps.ts';

export const answerableWeights: Readonly<Partial<Record<keyof AnswerSignals, number>>> = {
  piece: 3.15,
  window: 1.5,
  chunk: 2.6,
  names: 1.05,
  subject: 0.8,
  lead: 4.35,
  strength: 1.8,
  length: 2.75,
};
const bias = -8.15;

/** Where the evidence is less likely than this to answer, the composer abstains. */
export const answerThreshold = 0.185;
/** At most that likely where the passages scatter over as many values: just below the threshold, as it may be any of them. */
const scattered = 0.18;
/** Confidence at most where what is said gives no number, date or person that was asked for: right in seven of ten on the fitted half. */
const unfitting = 0.7;
/** The same where a number is asked for and none is said (none of 52 right sentences of an open half lacks it), or a time (1 of 49 does). */
const lacking = 0.2;
/** The same where the claim seems to be of somebody or something else. */
const beside = 0.36;
const most = { unfitting, beside, lacking };

/**
 * How far the claims give what is asked for: a value of that kind, none that can be seen, what seems to be of something else, or not even what no
 * right claim lacks.
 */
export type Giving = 'fitting' | keyof typeof most;
/** Below this confidence nothing is asserted: the answer shows what comes closest, and says so. */
export const closestBelow = 0.37;
/** Where less of the question's names than this stands in any passage, whatever else matches is about others. */
const leastSubject = 0.3;
/** At most that likely in that case. */
const ofOthers = 0.05;

/** Chance that the evidence answers the question at all, 0..1. */
export function answerableOf(question: Question, { signals, agreement }: Judgement): number {
  let sum = bias;
  for (const [name, weight] of Object.entries(answerableWeights)) sum += weight * signals[name as keyof AnswerSignals];
  const share = 1 / (1 + Math.exp(-sum));
  if (isOfOthers({ signals })) return Math.min(share, ofOthers);
  return isScattered(question, signals, agreement) ? Math.min(share, scattered) : share;
}

/** Whom the question names hardly any passage names. */
export const isOfOthers = ({ signals }: Pick<Judgement, 'signals'>): boolean => signals.subject < leastSubject;

/**
 * Chance that the first claim answers the question, 0..1; `numbers` are those of `surenessOf`. A question whose answer stands behind another
 * ("the director of the film that …") is seldom answered by the sentence that fits it best, however well it fits: its chance is one of its own.
 */
export function confidenceOf(numbers: readonly number[], giving: Giving, model = confidenceModel): number {
  const hops = hopsOf(numbers, model.hops);
  const plain = scoreOf(numbers, model);
  const share = Math.round(1000 * ((1 - hops) * plain + hops * model.hops.right)) / 1000;
  return giving === 'fitting' ? share : Math.min(share, most[giving]);
}

/** Why the evidence does not answer, for people: the weightiest lack first. */
export function abstainReasonOf(
  question: Question,
  { signals, agreement }: Judgement,
  missing: readonly string[],
): string {
  const quoted = missing
    .slice(0, 3)
    .map((word) => `"${word}"`)
    .join(', ');
  if (question.names.length > 0 && (signals.subject < leastSubject || signals.names < 0.5))
    return `The passages found do not speak of ${question.names
      .slice(0, 2)
      .map((name) => `"${name}"`)
      .join(' or ')}.`;
  if (isScattered(question, signals, agreement))
    return `${agreement.rivals} documents fit the question about equally well, but most of them do not name the same answer.`;
  if (signals.numbers < 0.5) return `The passages found do not mention ${question.numbers.join(', ')}.`;
  if (missing.length > 0) return `No passage says enough about what was asked: ${quoted} stands in none that fits.`;
  if (signals.fit < 0.3) return `The passages found touch on this but give no ${lackOf(question.type)}.`;
  return 'The passages found touch on this but do not answer it.';
}

function lackOf(type: Question['type']): string {
  if (type === 'number' || type === 'quantity') return 'number';
  if (type === 'date') return 'date';
  if (type === 'person' || type === 'place') return 'name';
  return 'answer of the kind asked for';
}
