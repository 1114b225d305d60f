// Decides whether evidence answers a question at all, and with what confidence: a logistic model over the signals of
// coverage.ts. One set of weights and one threshold serve every collection; docs/answers.md says how they were fitted, on
// which half, and how well the confidence is calibrated. Reasons for abstaining are words a person can act on.

import type { AnswerSignals, Judgement } from './extract/coverage.ts';
import type { Question } from './extract/question.ts';
import { isScattered } from './support/agreement.ts';

export const confidenceWeights: Readonly<Partial<Record<keyof AnswerSignals, number>>> = {
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

/** Below this confidence the composer abstains. */
export const answerThreshold = 0.185;
/** Confidence at most where the passages scatter over as many values: just below the threshold, as it may be any of them. */
const scatteredConfidence = 0.18;
/** Confidence at most where what is said gives no number, date or person that was asked for: right in seven of ten on the fitted half. */
export const unfittingConfidence = 0.7;
/** Where less of the question's names than this stands in any passage, whatever else matches is about others. */
const leastSubject = 0.3;
/** Confidence at most in that case. */
const strangerConfidence = 0.05;

/** Chance that the best claim answers the question, 0..1. */
export function confidenceOf(question: Question, { signals, agreement }: Judgement): number {
  let sum = bias;
  for (const [name, weight] of Object.entries(confidenceWeights)) sum += weight * signals[name as keyof AnswerSignals];
  const confidence = 1 / (1 + Math.exp(-sum));
  if (signals.subject < leastSubject) return Math.min(confidence, strangerConfidence);
  return isScattered(question, signals, agreement) ? Math.min(confidence, scatteredConfidence) : confidence;
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
