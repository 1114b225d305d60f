// Fits a logistic function of a few measured numbers by Newton's method, with a ridge against every weight but the bias. Deterministic.

export interface FittedRow {
  readonly features: readonly number[];
  readonly isTrue: boolean;
  readonly weight: number;
}

export interface Logistic {
  readonly bias: number;
  readonly weights: readonly number[];
}

/** 0..1. */
export const chanceOf = ({ bias, weights }: Logistic, { features }: Pick<FittedRow, 'features'>): number =>
  1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias)));

export function fitLogistic(rows: readonly FittedRow[], ridge: number): Logistic {
  const size = (rows[0]?.features.length ?? 0) + 1;
  let weights = new Array<number>(size).fill(0);
  for (let step = 0; step < 50; step += 1) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : -ridge * weight));
    const curve = weights.map((_, row) =>
      weights.map((__, column) => (row === column ? (row === 0 ? 1e-6 : ridge) : 0)),
    );
    for (const { features, isTrue, weight } of rows) {
      const values = [1, ...features];
      const sum = values.reduce((total, value, at) => total + value * (weights[at] as number), 0);
      const share = 1 / (1 + Math.exp(-sum));
      for (const [row, value] of values.entries()) {
        gradient[row] = (gradient[row] as number) + weight * ((isTrue ? 1 : 0) - share) * value;
        const line = curve[row] as number[];
        for (const [column, other] of values.entries())
          line[column] = (line[column] as number) + weight * share * (1 - share) * value * other;
      }
    }
    const change = solve(curve, gradient);
    weights = weights.map((weight, at) => weight + (change[at] as number));
  }
  return { bias: weights[0] as number, weights: weights.slice(1) };
}

/** Solves a positive definite system by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((line, at) => [...line, right[at] as number]);
  for (const [at, pivot] of rows.entries())
    for (const [other, line] of rows.entries()) {
      if (other === at) continue;
      const factor = (line[at] as number) / (pivot[at] as number);
      for (let column = at; column < line.length; column += 1)
        line[column] = (line[column] as number) - factor * (pivot[column] as number);
    }
  return rows.map((line, at) => (line.at(-1) as number) / (line[at] as number));
}
