// The port by which requests use a sentence encoder: how near passages are to a question. A trace records the scores and no vector, so that
// a replay needs no encoder. Invariant: whoever asks goes on without an encoder, and says so in `degraded`.
import { toFootnoteError } from '../../core/errors.ts';
import type { Degradation } from '../../core/search.ts';

export interface PassageScorer {
  readonly id: string;
  /**
   * Cosines, -1 to 1, in the order of the texts. Throws `config-invalid` where nothing here can run the encoder, `upstream-unavailable` where
   * its process died, `deadline-exceeded` where it took too long, `cancelled` or the reason of `signal`.
   */
  score(query: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
  /** How well the tokens of each text match those of the query, -1 to 1. Throws likewise. */
  match(query: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
  /** How well each text matches the token of the query that it matches least, -1 to 1. Throws likewise. */
  leastMatch(query: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
}

/** An answer or a search that had to do without the scores of passages. */
export function withoutEncoder(thrown: unknown): Degradation {
  const { code, message } = toFootnoteError(thrown);
  return {
    component: 'encoder',
    code,
    detail: message,
    effect: 'Passages stand in the order that their words give.',
  };
}

export interface ScoredPassages {
  /** In the order of the texts; absent where there are none. */
  readonly scores?: readonly number[];
  /** Why there are none. */
  readonly degraded?: Degradation;
}

interface AskedTexts {
  readonly query: string;
  readonly texts: readonly string[];
  /** By their tokens, one by one, instead of by their vectors. */
  readonly byTokens?: boolean;
}

/** Never fails for want of an encoder: throws only when `signal` aborted, with its reason. */
export const scorePassages = (
  scorer: PassageScorer | undefined,
  { query, texts, byTokens = false }: AskedTexts,
  signal?: AbortSignal,
): Promise<ScoredPassages> =>
  saidBy(scorer && (() => scorer[byTokens ? 'match' : 'score'](query, texts, signal)), signal);

/** The same of how well each text matches the token of the query that it matches least. */
export const leastMatches = (
  scorer: PassageScorer | undefined,
  { query, texts }: Omit<AskedTexts, 'byTokens'>,
  signal?: AbortSignal,
): Promise<ScoredPassages> => saidBy(scorer && (() => scorer.leastMatch(query, texts, signal)), signal);

async function saidBy(
  scoring: (() => Promise<readonly number[]>) | undefined,
  signal: AbortSignal | undefined,
): Promise<ScoredPassages> {
  try {
    return scoring ? { scores: await scoring() } : {};
  } catch (thrown) {
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    return { degraded: withoutEncoder(thrown) };
  }
}
