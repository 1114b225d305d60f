// How near texts are to a question in meaning, within a time: what answers and searches take of an encoder. Invariant: scores have six digits,
// so that a trace holds them as they were used.
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Degradation } from '../../core/search.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Encoder } from './encoder.ts';
import type { PassageScorer } from './passage-scorer.ts';

const digits = 1e6;

/** Cosines of vectors of length 1, in the order of the texts; 0 for a text without a word. Throws like `Encoder.encode`. */
export async function cosinesOf(
  encoder: Pick<Encoder, 'encode' | 'encodeQuery'>,
  query: string,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly number[]> {
  if (texts.length === 0) return [];
  const asked = await encoder.encodeQuery(query, signal);
  const vectors = await encoder.encode(texts, signal);
  return vectors.map((vector) => {
    const cosine = vector.reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0);
    // Of -0 a trace has 0.
    return Math.round(cosine * digits) / digits + 0;
  });
}

export interface PassageScorerOptions {
  readonly id: string;
  readonly encoder: Pick<Encoder, 'encode' | 'encodeQuery'>;
  /** Longest wait of one call. */
  readonly timeoutMs: number;
}

/** A scorer whose calls end in time, whatever becomes of the process that encodes. */
export function createPassageScorer({ id, encoder, timeoutMs }: PassageScorerOptions): PassageScorer {
  return {
    id,
    async score(query, texts, signal) {
      if (texts.length === 0) return [];
      const limit = AbortSignal.timeout(timeoutMs);
      const ending = signal ? AbortSignal.any([signal, limit]) : limit;
      try {
        return await untilAborted(cosinesOf(encoder, query, texts, ending), ending);
      } catch (thrown) {
        if (signal?.aborted) throw toFootnoteError(signal.reason);
        if (!limit.aborted) throw toFootnoteError(thrown);
        throw new FootnoteError(
          'deadline-exceeded',
          `The sentence encoder gave no scores within ${timeoutMs} ms. Allow more (ENCODER_TIMEOUT_MS), or ask again: what it has encoded is kept.`,
          { cause: thrown },
        );
      }
    },
  };
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

/** Never fails for want of an encoder: throws only when `signal` aborted, with its reason. */
export async function scorePassages(
  scorer: PassageScorer | undefined,
  { query, texts }: { readonly query: string; readonly texts: readonly string[] },
  signal?: AbortSignal,
): Promise<ScoredPassages> {
  if (!scorer) return {};
  try {
    return { scores: await scorer.score(query, texts, signal) };
  } catch (thrown) {
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    return { degraded: withoutEncoder(thrown) };
  }
}
