// How the answers of a running server stand by what judges said of them: averages, how well the critic agrees, whether they drift. Pure.

/** Pearson's r; undefined for fewer than three pairs, or where one side is always the same. */
export function correlationOf(
  pairs: readonly { readonly critic: number; readonly judged: number }[],
): number | undefined {
  const count = pairs.length;
  if (count < 3) return undefined;
  const mean = (read: (pair: (typeof pairs)[number]) => number): number =>
    pairs.reduce((sum, pair) => sum + read(pair), 0) / count;
  const [critic, judged] = [mean((pair) => pair.critic), mean((pair) => pair.judged)];
  let [both, left, right] = [0, 0, 0];
  for (const pair of pairs) {
    both += (pair.critic - critic) * (pair.judged - judged);
    left += (pair.critic - critic) ** 2;
    right += (pair.judged - judged) ** 2;
  }
  return left < 1e-12 || right < 1e-12 ? undefined : both / Math.sqrt(left * right);
}

export interface DayFigures {
  readonly day: string;
  readonly evaluations: number;
  readonly groundedness: number | null;
}

export interface Drift {
  /** Mean groundedness of the last days and of those before. */
  readonly recent: number;
  readonly earlier: number;
  readonly difference: number;
  /** The last days lie below by more than chance would have it. */
  readonly isFalling: boolean;
}

const recentDays = 7;
/** So many answers on either side, at least, or nothing is said. */
const least = 20;
/** A fall that people notice. */
const noticed = 0.05;

/** The last seven days that have evaluations, against those before them; undefined where there is too little to say. */
export function driftOf(days: readonly DayFigures[]): Drift | undefined {
  const known = days.flatMap(({ evaluations, groundedness }) =>
    groundedness === null ? [] : [{ evaluations, groundedness }],
  );
  const parts = [known.slice(-recentDays), known.slice(0, -recentDays)];
  const [recent, earlier] = parts.map((part) => {
    const count = part.reduce((sum, { evaluations }) => sum + evaluations, 0);
    const sum = part.reduce((total, { evaluations, groundedness }) => total + evaluations * groundedness, 0);
    return count < least ? undefined : sum / count;
  });
  if (recent === undefined || earlier === undefined) return undefined;
  const difference = recent - earlier;
  return { recent, earlier, difference, isFalling: difference <= -noticed };
}
