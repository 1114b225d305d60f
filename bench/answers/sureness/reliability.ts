// How far what is said of answers is from what is so.

export interface Said {
  /** Confidence, 0..1. */
  readonly said: number;
  readonly isRight: boolean;
}

export interface SaidReliability {
  /** Share of right answers. */
  readonly right: number;
  /** Expected calibration error over ten bins. */
  readonly error: number;
  /** Answers of 0.9 and more, and the share of them that is right. */
  readonly sure: number;
  readonly sureRight: number;
}

const round = (value: number): number => Math.round(1000 * value) / 1000;

export function reliabilityOf(items: readonly Said[]): SaidReliability {
  const share = (of: readonly Said[]): number => of.filter(({ isRight }) => isRight).length / Math.max(1, of.length);
  let error = 0;
  for (let bin = 0; bin < 10; bin += 1) {
    const inside = items.filter(({ said }) => Math.min(9, Math.floor(10 * said)) === bin);
    const sum = inside.reduce((total, { said, isRight }) => total + said - (isRight ? 1 : 0), 0);
    error += Math.abs(sum) / Math.max(1, items.length);
  }
  const sure = items.filter(({ said }) => said >= 0.9);
  return { right: round(share(items)), error: round(error), sure: sure.length, sureRight: round(share(sure)) };
}
