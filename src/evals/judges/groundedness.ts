// Whether texts carry a claim, judged by rules of its own: a logistic sum of what is missing or denied, never by the verifier that let the
// claim pass (docs/adr/0046). Weights and threshold were fitted on SciFact's training claims alone; bench judges has the figures on others.
import { readSigns, type Signs } from './signs.ts';

const weights: Signs = { uncovered: -3.1, namesMissing: -0.4, numberMissing: -0.5, denied: -0.35, opposite: -1.05 };
const intercept = 1.43;
/** Of a claim that has nothing against it: the score is told as a share of it, so that what is quoted word for word has 1. */
const most = logistic(intercept);
/** Of the told score: from here on a claim counts as carried. */
export const groundedFrom = 0.66;

function logistic(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}

export interface Grounding {
  /** 0..1 */
  readonly score: number;
  readonly isGrounded: boolean;
  /** What speaks against the claim, as sentences for people. */
  readonly reasons: readonly string[];
}

const wordsTold = 5;

const onOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** Pure. A claim beside no evidence has score 0. */
export function groundingOf(claim: string, evidence: readonly string[]): Grounding {
  if (evidence.every((text) => text.trim() === ''))
    return { score: 0, isGrounded: false, reasons: ['There is no evidence beside the claim.'] };
  // A passage may deny in one sentence what it says in another; it denies nothing of itself.
  if (evidence.some((text) => onOneLine(text) === onOneLine(claim))) return { score: 1, isGrounded: true, reasons: [] };
  const { signs, uncoveredWords } = readSigns(claim, evidence);
  let sum = intercept;
  for (const [name, weight] of Object.entries(weights)) sum += weight * signs[name as keyof Signs];
  const score = Math.min(1, logistic(sum) / most);
  const told = uncoveredWords.slice(0, wordsTold).join(', ');
  const reasons = [
    ...(uncoveredWords.length > 0 ? [`The evidence has no word for: ${told}.`] : []),
    ...(signs.namesMissing > 0 ? ['A name of the claim is not in the evidence.'] : []),
    ...(signs.numberMissing > 0 ? ['A number of the claim is not in the evidence.'] : []),
    ...(signs.denied > 0 ? ['One denies what the other says.'] : []),
    ...(signs.opposite > 0 ? ['The evidence has the opposite of a word of the claim.'] : []),
  ];
  return { score, isGrounded: score >= groundedFrom, reasons };
}
