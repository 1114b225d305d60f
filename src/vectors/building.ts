// Models being built behind the one in use: begun, filled document by document, and swapped in once all vectors are there. Invariants: searches always have a
// model that is whole; and where the sentence encoder is added to a learned model, which takes long, nobody waits for it: that one serves until then, and
// who wants his turn has it.
import { isFootnoteError } from '../core/errors.ts';
import type { EmbedderStatus } from '../core/store-query.ts';
import { embedDocuments } from './documents.ts';
import { type EncodedPorts, encodedTarget, isEncoded, learnedOf, mostEncoded } from './encoded.ts';
import type { KeptModel, VectorKeeping } from './ports.ts';
import type { Serving } from './serving.ts';
import type { EmbeddingTarget } from './target.ts';

export interface BuilderPorts {
  readonly spaces: VectorKeeping;
  readonly serving: Serving;
  readonly encoded: EncodedPorts | undefined;
  /** A model that is kept, as it was learned or opened. Undefined where it cannot be had. */
  readonly targetOf: (kept: KeptModel) => Promise<EmbeddingTarget | undefined>;
  /** Undefined: what is done now needs nobody's patience. */
  readonly show: (status: EmbedderStatus | undefined) => void;
  /** Told of chunks of a learned model that have their vectors by now. */
  readonly embedded: (chunks: number) => void;
}

export interface BuildOptions {
  /** Whether there is time for what takes long. */
  readonly isQuiet: boolean;
  /** Somebody waits: for all of it, or for what is quickly done. */
  readonly waits?: 'whole' | 'quick' | undefined;
}

export interface Builder {
  /** Makes this the model in use, with vectors of all chunks. */
  build(target: EmbeddingTarget, signal: AbortSignal): Promise<void>;
  /** A learned model, which serves at once, and then with the encoder. True: there is more to encode. */
  buildLearned(learned: EmbeddingTarget, options: BuildOptions, signal: AbortSignal): Promise<boolean>;
  /** What came in is found by the model in use, whichever is to follow it. */
  fillActive(signal: AbortSignal): Promise<void>;
  /** Documents changed. */
  changed(): void;
  /** Runs `work`, before which encoding that nobody waits for ends. */
  ahead<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether the encoder runs here, as far as it was tried. */
  isEncoderHere(): boolean;
}

/** Chunks that are encoded while somebody waits for the vectors: some seconds. */
const quickChunks = 64;
/** Chunks that are encoded in a round that nobody waits for. */
const roundChunks = 256;
const encoderFailures: ReadonlySet<string> = new Set(['upstream-unavailable', 'config-invalid']);

export function createBuilder({ spaces, serving, encoded, targetOf, show, embedded }: BuilderPorts): Builder {
  /** Documents changed since the model in use was last brought up to date. */
  let stale = true;
  /** Ends what is encoded behind everybody. */
  let slice = new AbortController();
  let ahead = 0;
  let isEncoderHere = true;

  const activeOf = async (): Promise<KeptModel | undefined> =>
    (await spaces.models()).find(({ state }) => state === 'active');

  async function richerOf(learned: EmbeddingTarget): Promise<EmbeddingTarget | undefined> {
    if (!encoded) return undefined;
    const target = await encodedTarget(learned, encoded, spaces).catch(() => undefined);
    isEncoderHere = target !== undefined;
    return target;
  }

  /** Nobody waits for it where `isBehind`: then it ends after some chunks. */
  async function fill(
    target: EmbeddingTarget,
    signal: AbortSignal,
    { isBehind, between }: { readonly isBehind: boolean; readonly between?: () => Promise<void> },
  ): Promise<void> {
    const { space, kind } = target.model;
    const covered = await spaces.coverage(space.name);
    let { chunks } = covered;
    let made = 0;
    const tell = (): void => {
      if (!isBehind) show({ state: 'embedding', model: space.name, chunks, embedded: covered.embedded + made });
      else if (made >= roundChunks) slice.abort();
    };
    if (covered.embedded < chunks) tell();
    await embedDocuments(
      {
        spaces,
        target,
        ...(between && { between }),
        embedded(count) {
          made += count;
          chunks = Math.max(chunks, covered.embedded + made);
          // What is encoded behind a model was counted when that one was made.
          if (kind === 'corpus' && !(isBehind && between)) embedded(count);
          tell();
        },
      },
      signal,
    );
  }

  async function fillBeside(active: KeptModel | undefined, signal: AbortSignal, isBehind: boolean): Promise<void> {
    if (!active || !stale) return;
    // Who waits for a learned model is not to wait for the encoder.
    if (isEncoded(active) && !isBehind) return;
    stale = false;
    // A model of before that cannot be opened any more gets no more vectors; the new one will have them.
    const kept = await targetOf(active).catch(() => undefined);
    const target = kept && isEncoded(active) ? await richerOf(kept) : kept;
    if (target?.model.space.name !== active.space.name) return;
    try {
      await embedDocuments({ spaces, target, embedded: () => undefined }, signal);
    } catch (thrown) {
      stale = true;
      throw thrown;
    }
  }

  /** Chunks that came in behind a model with the encoder, and are found by words alone. */
  async function lackedBy({ space }: KeptModel): Promise<number> {
    const { chunks, embedded: has } = await spaces.coverage(space.name);
    return chunks - has;
  }

  async function buildAs(target: EmbeddingTarget, signal: AbortSignal, isBehind = false): Promise<void> {
    const { name } = target.model.space;
    const kept = await spaces.models();
    const active = kept.find(({ state }) => state === 'active');
    if (active?.space.name === name) {
      // What was begun and is no longer wanted.
      const learned = learnedOf(target.model).space.name;
      for (const one of kept)
        if (one.state === 'building' && learnedOf(one).space.name !== learned) await spaces.drop(one.space.name);
      // The same model may have been learned of another corpus.
      if (JSON.stringify(active.facts) !== JSON.stringify(target.model.facts))
        await spaces.begin(target.model, target.bytes);
      stale = false;
      return fill(target, signal, { isBehind });
    }
    await fillBeside(active, signal, isBehind);
    await spaces.begin(target.model, target.bytes);
    await fill(target, signal, { isBehind, between: () => fillBeside(active, signal, isBehind) });
    // Reads the new vectors before searches need them.
    await spaces.coverage(name);
    signal.throwIfAborted();
    // Before the vectors of the other model go: searches that begin from now on use the new one.
    await serving.use({ ...target.model, state: 'active' });
    try {
      await spaces.activate(name);
    } finally {
      serving.activated();
    }
  }

  /** False: the encoder failed. */
  async function tryRicher(build: () => Promise<void>): Promise<boolean> {
    try {
      await build();
      return true;
    } catch (thrown) {
      if (!isFootnoteError(thrown) || !encoderFailures.has(thrown.code)) throw thrown;
      isEncoderHere = false;
      return false;
    }
  }

  async function encodeBehind(
    learned: EmbeddingTarget,
    richer: EmbeddingTarget,
    signal: AbortSignal,
  ): Promise<boolean> {
    show(undefined);
    slice = new AbortController();
    if (ahead > 0) return true;
    try {
      const isBuilt = await tryRicher(() => buildAs(richer, AbortSignal.any([signal, slice.signal]), true));
      if (!isBuilt) await buildAs(learned, signal);
      return false;
    } catch (thrown) {
      if (!slice.signal.aborted) throw thrown;
      return true;
    }
  }

  return {
    build: (target, signal) => buildAs(target, signal),
    async buildLearned(learned, { isQuiet, waits }, signal) {
      const { chunks } = await spaces.indexed();
      const richer = chunks <= mostEncoded ? await richerOf(learned) : undefined;
      const active = await activeOf();
      const isRich = active !== undefined && isEncoded(active);
      if (richer && waits) {
        // What another encoder said, as of another version, is no part of it.
        const isSame = isRich && active.facts['encoder'] === richer.model.facts['encoder'];
        const has = isSame ? (await spaces.coverage(active.space.name)).embedded : 0;
        const isWorthIt = waits === 'whole' || chunks - has <= quickChunks;
        if (isWorthIt && (await tryRicher(() => buildAs(richer, signal)))) return false;
      }
      // One that has the encoder serves until its successor has it, but where much came in that it lacks.
      if (!richer || waits || !isRich || (await lackedBy(active)) > quickChunks) await buildAs(learned, signal);
      if (!richer || waits || !isQuiet) return richer !== undefined && isEncoderHere;
      return encodeBehind(learned, richer, signal);
    },
    async fillActive(signal) {
      const active = await activeOf();
      if (!active || !stale || !isEncoded(active)) return fillBeside(active, signal, false);
      const learned = await targetOf(active).catch(() => undefined);
      if (learned && (await lackedBy(active)) > quickChunks) return buildAs(learned, signal);
      await tryRicher(() => fillBeside(active, signal, true));
    },
    changed() {
      stale = true;
    },
    async ahead(work) {
      ahead += 1;
      slice.abort();
      try {
        return await work();
      } finally {
        ahead -= 1;
      }
    },
    isEncoderHere: () => isEncoderHere,
  };
}
