// What would be refused if the line of refusing stood elsewhere. Refusing is decided by the chance that the evidence answers at all, which an
// answer that is given does not tell: it is heard while the answer is made.
import { answerThreshold } from '../../src/answer/confidence.ts';
import { surenessChannel, surenessNames } from '../../src/answer/extract/sureness.ts';
import type { CaseResult } from '../../src/evals/answers.ts';

export interface ChanceListener {
  /** The highest chance that was heard since the last call; undefined where none was. */
  take(): number | undefined;
  close(): void;
}

const place = surenessNames.indexOf('answerable');

export function listenToChances(): ChanceListener {
  let heard: number[] = [];
  const listen = (message: unknown): void => {
    const chance = (message as { readonly numbers?: readonly number[] }).numbers?.[place];
    if (chance !== undefined) heard.push(chance);
  };
  surenessChannel.subscribe(listen);
  return {
    take() {
      const chance = heard.length === 0 ? undefined : Math.max(...heard);
      heard = [];
      return chance;
    },
    close: () => void surenessChannel.unsubscribe(listen),
  };
}

export interface WeighedResult {
  readonly isAbstained: boolean;
  /** Chance that the evidence answers, 0..1. A question whose parts were answered has that of its likeliest part. */
  readonly chance: number;
}

/** Answers that were made without such a chance, as comparisons are, are never refused. */
export const weigh = ({ abstained, confidence }: CaseResult, heard: number | undefined): WeighedResult => ({
  isAbstained: abstained,
  chance: abstained ? confidence : (heard ?? 1),
});

/** Share that is refused below a threshold; what is refused at the real one for another reason stays refused. */
export const refusedBelow = (results: readonly WeighedResult[], threshold: number): number =>
  results.filter(({ isAbstained, chance }) => chance < threshold || (isAbstained && threshold >= answerThreshold))
    .length / Math.max(1, results.length);

/** The threshold at which this share is refused. */
export function thresholdAt(results: readonly WeighedResult[], share: number): number {
  const sorted = results.map(({ chance }) => chance).sort((a, b) => a - b);
  return sorted[Math.floor(share * sorted.length)] ?? 0;
}
