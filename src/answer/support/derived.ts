// What is computed from a quote: a figure that it states in another unit, or with more digits than the claim. Invariant: nothing else differs, and the
// computation is shown. Which of two things is longer, cheaper or earlier is no figure: a judge decides it.
import { compareTexts, type QuoteUnder } from './comparison.ts';
import { changedFigure, isSameOtherwise } from './facts.ts';

/** `reasons`: for which the comparison word by word refused the claim. Undefined where one of them is more than that. */
export function derivationOf(claim: string, under: QuoteUnder, reasons: readonly string[]): string | undefined {
  if (reasons.length === 0 || !reasons.every((reason) => changedFigure.test(reason))) return undefined;
  const comparison = compareTexts({ claim, quotes: [under] });
  if (!reasons.every((reason) => isSameOtherwise(reason, comparison))) return undefined;
  return reasons.map((reason) => reason.replace(changedFigure, '').replace(' → ', ' is ')).join('; ');
}
