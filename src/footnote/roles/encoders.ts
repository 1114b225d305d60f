// The sentence encoder of a process: opened with the first question, one child for all tenants, closed with the rest. Invariant: with
// ENCODER=off there is none, and one that cannot be run fails its question alone, with the command that repairs it.
import type { Config } from '../../config.ts';
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import { joinedAbort } from '../../core/signals/joined-abort.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { TurnEncoder } from '../../memory/archive/index/meaning.ts';
import { type Meaning, meaningBy } from '../../memory/facts/fitted/meaning.ts';
import { createChunkEncoder } from '../../models/encoder/chunk-encoder.ts';
import { createPassageScorer } from '../../models/encoder/cosines.ts';
import type { ChunkEncoder, Encoder } from '../../models/encoder/encoder.ts';
import { createRecentVectors, type VectorShelf, withKeptVectors } from '../../models/encoder/kept-vectors.ts';
import { type LocalEncoder, openLocalEncoder } from '../../models/encoder/local-encoder.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import { isEnglishOrUnclear } from '../../text/language/language.ts';

export interface OpenedEncoder {
  /** Scores passages for the requests of a tenant, whose vectors the shelf keeps. */
  scorerOf(tenant: string, shelf?: VectorShelf): PassageScorer;
  /** Vectors of memories of a tenant, which the shelf keeps, and of what is asked. */
  meaningOf(tenant: string, shelf?: VectorShelf): Meaning;
  /** For the archives of conversations, which keep their vectors themselves. */
  readonly ofTurns: TurnEncoder;
  /** For vectors of the chunks of a tenant, which whoever looks after them keeps; `giveWay` lets questions go first. */
  chunksOf(tenant: string, giveWay: () => Promise<void>): ChunkEncoder;
  /** Begins to load it, so that the first question does not wait for it. What goes wrong is told to questions. */
  warm(): void;
  close(): Promise<void>;
}

/** As traces name it, before its files are read. */
const scorerId = 'all-MiniLM-L6-v2-int8';

/** Undefined: it is switched off. Reads and starts nothing. `open` is for tests. */
export function openEncoder(
  { encoder: { isOn, timeoutMs } }: Pick<Config, 'encoder'>,
  open: (signal: AbortSignal) => Promise<LocalEncoder> = (signal) => openLocalEncoder({}, signal),
): OpenedEncoder | undefined {
  if (!isOn) return undefined;
  const closing = new AbortController();
  const recent = createRecentVectors();
  let opening: Promise<LocalEncoder> | undefined;
  const forget = async (one: Promise<LocalEncoder>): Promise<void> => {
    if (opening === one) opening = undefined;
    await (await one).close();
  };
  const opened = (): Promise<LocalEncoder> => {
    if (opening) return opening;
    const started = open(closing.signal);
    opening = started;
    // What was missing may be there the next time.
    started.catch(() => forget(started).catch(() => undefined));
    return started;
  };
  /** Where its files have become others, the next question gets those. */
  async function current<Made>(make: (encoder: LocalEncoder) => Promise<Made>): Promise<Made> {
    const one = opened();
    try {
      return await make(await one);
    } catch (error) {
      if (!isFootnoteError(error) || error.code !== 'conflict') throw error;
      await forget(one);
      throw new FootnoteError('upstream-unavailable', error.message, { cause: error });
    }
  }
  const keeping = (tenant: string, shelf?: VectorShelf): Omit<Encoder, 'id' | 'languages'> => {
    const kept = (encoder: Encoder): Encoder => withKeptVectors(encoder, { tenant, recent, shelf });
    return {
      encode: (texts, signal) => current((encoder) => kept(encoder).encode(texts, signal)),
      encodeQuery: (query, signal) => current((encoder) => kept(encoder).encodeQuery(query, signal)),
      match: (query, texts, signal) => current((encoder) => encoder.match(query, texts, signal)),
      leastMatch: (query, texts, signal) => current((encoder) => encoder.leastMatch(query, texts, signal)),
    };
  };
  return {
    scorerOf: (tenant, shelf) => createPassageScorer({ id: scorerId, timeoutMs, encoder: keeping(tenant, shelf) }),
    meaningOf: (tenant, shelf) => meaningBy(keeping(tenant, shelf), timeoutMs),
    ofTurns: {
      id: () => current(async ({ id }) => id),
      encode: (texts) => current((encoder) => encoder.encode(texts)),
      async encodeQuery(query) {
        const signal = AbortSignal.timeout(timeoutMs);
        return isEnglishOrUnclear(query) ? current((encoder) => encoder.encodeQuery(query, signal)) : undefined;
      },
    },
    chunksOf(tenant, giveWay) {
      // A question that was asked is known to those who score its passages.
      const { encodeQuery } = keeping(tenant);
      return createChunkEncoder({
        about: () => current(async ({ id, dimensions }) => ({ id, dimensions })),
        encode: (texts, signal) => current((encoder) => encoder.encode(texts, signal)),
        async encodeQuery(query, signal) {
          const ending = joinedAbort([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
          try {
            return await untilAborted(encodeQuery(query, ending.signal), ending.signal);
          } finally {
            ending.release();
          }
        },
        giveWay,
      });
    },
    warm() {
      opened()
        .then((encoder) => encoder.warm())
        .catch(() => undefined);
    },
    async close() {
      closing.abort();
      await opening?.then((encoder) => encoder.close()).catch(() => undefined);
    },
  };
}
