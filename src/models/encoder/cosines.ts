// How near texts are to a question in meaning, within a time: what answers and searches take of an encoder. Invariant: scores have six digits,
// so that a trace holds them as they were used.
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { joinedAbort } from '../../core/signals/joined-abort.ts';
import { dot } from '../../core/values/dot.ts';
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
  return vectors.map((vector) => rounded(dot(vector, asked)));
}

/** Of -0 a trace has 0. */
const rounded = (score: number): number => Math.round(score * digits) / digits + 0;

export interface PassageScorerOptions {
  readonly id: string;
  readonly encoder: Pick<Encoder, 'encode' | 'encodeQuery' | 'match' | 'leastMatch'>;
  /** Longest wait of one call. */
  readonly timeoutMs: number;
}

/** A scorer whose calls end in time, whatever becomes of the process that encodes. */
export function createPassageScorer({ id, encoder, timeoutMs }: PassageScorerOptions): PassageScorer {
  const inTime =
    (scoresOf: PassageScorer['score']): PassageScorer['score'] =>
    async (query, texts, signal) => {
      if (texts.length === 0) return [];
      const limit = AbortSignal.timeout(timeoutMs);
      const ending = joinedAbort(signal ? [signal, limit] : [limit]);
      try {
        return await untilAborted(scoresOf(query, texts, ending.signal), ending.signal);
      } catch (thrown) {
        if (signal?.aborted) throw toFootnoteError(signal.reason);
        if (!limit.aborted) throw toFootnoteError(thrown);
        throw new FootnoteError(
          'deadline-exceeded',
          `The sentence encoder gave no scores within ${timeoutMs} ms. Allow more (ENCODER_TIMEOUT_MS), or ask again: what it has encoded is kept.`,
          { cause: thrown },
        );
      } finally {
        ending.release();
      }
    };
  return {
    id,
    score: inTime((query, texts, signal) => cosinesOf(encoder, query, texts, signal)),
    match: inTime(async (query, texts, signal) => (await encoder.match(query, texts, signal)).map(rounded)),
    leastMatch: inTime(async (query, texts, signal) => (await encoder.leastMatch(query, texts, signal)).map(rounded)),
  };
}
