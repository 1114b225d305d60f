// Keeps the vectors of one tenant's chunks behind its documents: trains or takes a model, embeds what lacks vectors, and swaps
// models without a search noticing. Invariant: once settled exactly, model and vectors are a function of the corpus alone.

import type { ModelBudget } from '../core/budget.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import type { EmbedderStatus } from '../core/store-query.ts';
import { untilAborted } from '../core/waiting/until-aborted.ts';
import type { Lease } from '../db/servers/leases.ts';
import type { FixedModel, MissingSemantics, Semantics } from '../models/embedding/semantics.ts';
import { type BuildOptions, createBuilder } from './building.ts';
import { createCorpusChooser } from './corpus.ts';
import type { EncodedPorts } from './encoded.ts';
import { createEmbedPlan, type EmbedEstimate, type EmbedPlan, estimateEmbedding } from './estimate.ts';
import type { CorpusLearning, KeptModel, OpenFixedModel, ReadChunkTexts, VectorKeeping } from './ports.ts';
import { remoteTarget } from './remote.ts';
import { createServing } from './serving.ts';
import { statusOf } from './standing.ts';
import { type EmbeddingTarget, fixedTarget } from './target.ts';
import { createEmbedTimer, type EmbedTiming } from './timing.ts';

export interface SettleOptions {
  /**
   * Whether the model must be the one that this corpus gives, so that the same corpus always gives the same ranking. Otherwise a
   * model that has seen most of the corpus stays, and new chunks are folded in.
   */
  readonly exact?: boolean;
  /** Whether to wait for the sentence encoder, too, which takes a minute for a thousand chunks and more. Otherwise it comes in later. */
  readonly whole?: boolean;
  readonly onProgress?: (status: EmbedderStatus) => void;
  readonly signal?: AbortSignal;
}

export interface Embedder extends Semantics {
  /** Looks after the vectors soon: call after documents changed. Never throws, never keeps the process alive. */
  schedule(delayMs?: number): void;
  /** Resolves when every chunk has its vector. Throws `cancelled`, or what made it fail. */
  settle(options?: SettleOptions): Promise<void>;
  status(): Promise<EmbedderStatus>;
  /** What it would take to give every chunk its vector of a model, by default the configured one. Throws `unsupported` for one that is learned here. */
  estimate(model?: string, signal?: AbortSignal): Promise<EmbedEstimate>;
  /** Counts what texts that are not in the record would take; undefined where vectors cost nothing. Throws what opening the model throws. */
  plan(): Promise<EmbedPlan | undefined>;
  /** Runs `work` while no model is built and no vector made; true of it: the model in use was changed and is read again. */
  apart(work: () => Promise<boolean>): Promise<void>;
  /** Ends work under way at its next step; what was committed stays. */
  close(): Promise<void>;
}

export interface EmbedderOptions {
  /** `corpus`, `none`, or what `openFixed` is asked for. */
  readonly model: string;
  /** Whether it is somebody else's service, which may be silent. */
  readonly isRemote?: boolean;
  readonly spaces: VectorKeeping;
  readonly learning: CorpusLearning;
  readonly openFixed: OpenFixedModel;
  readonly readTexts: ReadChunkTexts;
  /** The sentence encoder, for models that are learned. Absent: it is off. */
  readonly encoded?: EncodedPorts | undefined;
  readonly clock: Clock;
  /** Waits until nobody else, at whichever server, changes the models or vectors of the tenant. Default: nobody does. */
  readonly alone?: (signal: AbortSignal) => Promise<Lease>;
  /** Whether the disk has room for more than what somebody waits for. Default: yes. */
  readonly hasRoom?: () => boolean;
  readonly timing?: EmbedTiming;
  /** Told what a model takes before the first text goes to it; absent: nobody needs to be. */
  readonly announce?: ((estimate: EmbedEstimate) => void) | undefined;
  /** For each round at a provider: what documents may cost. Queries bring the budget of their request. */
  readonly openBudget?: () => Promise<ModelBudget & { close(): Promise<void> }>;
}

interface Round extends BuildOptions {
  readonly exact: boolean;
}

/** How often an index that is being built is looked at. */
const completionMs = 100;
/** An index that does not grow for this long will not be complete soon. */
const patienceMs = 30_000;

export function createEmbedder(options: EmbedderOptions): Embedder {
  const { model: setting, isRemote = false, spaces, learning, clock } = options;
  const closing = new AbortController();
  const chooser = createCorpusChooser({ spaces, learning });
  const serving = createServing({ spaces, learning, openFixed: options.openFixed, encoder: options.encoded?.encoder });
  const watchers = new Set<(status: EmbedderStatus) => void>();
  let working: EmbedderStatus | undefined;
  let failure: string | undefined;
  /** Set where the chunks teach nothing although they are enough. */
  let barren = false;
  let running: Promise<void> | undefined;
  /** Of the round under way. */
  let budget: ModelBudget | undefined;
  /** The round before left chunks that are not encoded. */
  let isMore = false;

  function show(status: EmbedderStatus | undefined): void {
    working = status;
    if (status) for (const watch of watchers) watch(status);
  }

  async function targetOf(kept: KeptModel): Promise<EmbeddingTarget | undefined> {
    if (kept.kind === 'corpus') return chooser.targetOf(kept);
    const source = String(kept.facts['source']);
    const model = await options.openFixed(source);
    return model.id === kept.space.name ? targetFor(model, source) : undefined;
  }

  function targetFor(model: FixedModel, name: string): EmbeddingTarget {
    const { readTexts } = options;
    const { remote } = model;
    return remote
      ? remoteTarget({ ...model, remote }, { name, readTexts, spaces, budget })
      : fixedTarget(model, name, readTexts);
  }

  const builder = createBuilder({
    spaces,
    serving,
    encoded: options.encoded,
    targetOf,
    show,
    embedded: (chunks) => chooser.embedded(chunks),
  });

  async function dropAll(): Promise<void> {
    for (const { space } of await spaces.models()) await spaces.drop(space.name);
    await serving.use(undefined);
  }

  async function work({ exact, isQuiet, waits }: Round, signal: AbortSignal): Promise<void> {
    isMore = false;
    const indexed = await spaces.indexed();
    if (indexed.incomplete) {
      if (!isQuiet) return;
      throw new FootnoteError(
        'conflict',
        'The search index has to be built anew first. Try again when it is complete.',
      );
    }
    if (setting !== 'corpus') {
      const model = await options.openFixed(setting);
      if (options.announce) {
        const estimate = await estimateEmbedding({ setting, model, spaces, readTexts: options.readTexts }, signal);
        if (estimate.state === 'new' && estimate.texts > 0) options.announce(estimate);
      }
      return builder.build(targetFor(model, setting), signal);
    }
    const onTraining = (chunks: number): void => show({ state: 'training', chunks, embedded: 0 });
    const choice = await chooser.choose(indexed, { exact, mayTrain: isQuiet, onTraining }, signal);
    barren = choice === 'nothing' && indexed.chunks >= learning.leastChunks;
    if (choice === 'nothing') return dropAll();
    if (choice === 'later') return builder.fillActive(signal);
    isMore = await builder.buildLearned(choice, { isQuiet, waits }, signal);
  }

  /** One round at a time. Settling waits for its turn. */
  async function run(round: Round, signal: AbortSignal): Promise<void> {
    while (running) await untilAborted(running, signal);
    const wanted = AbortSignal.any([closing.signal, signal]);
    const begun = (async () => {
      let both = wanted;
      let lease: Lease | undefined;
      try {
        wanted.throwIfAborted();
        lease = await options.alone?.(wanted);
        if (lease) both = AbortSignal.any([wanted, lease.signal]);
        const opened = await options.openBudget?.();
        budget = opened;
        try {
          await work(round, both);
        } finally {
          await opened?.close();
        }
        failure = undefined;
        // The learned vectors serve; the encoder is tried again later.
        timer.failed(builder.isEncoderHere() ? undefined : 'encoder');
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        if (!both.aborted) failure = error.message;
        if (!wanted.aborted) timer.failed(error);
        throw error;
      } finally {
        await lease?.release();
        show(undefined);
        // Ten megabytes and more that nobody needs until something changes.
        if (round.isQuiet) chooser.release();
      }
    })();
    const ended = begun
      .catch(() => undefined)
      .then(() => {
        running = undefined;
      });
    running = ended;
    return begun;
  }

  const timer = createEmbedTimer(
    async ({ quiet }) => {
      // What is left of a nearly full disk belongs to writes and deletions that somebody waits for.
      if (options.hasRoom?.() === false) {
        timer.failed('no room');
        return false;
      }
      const incomplete = (await spaces.indexed().catch(() => undefined))?.incomplete ?? true;
      await run({ exact: false, isQuiet: quiet && !incomplete }, closing.signal).catch(() => undefined);
      if (incomplete && !closing.signal.aborted) timer.changed(1000);
      return isMore;
    },
    () => clock.elapsedMs(),
    options.timing,
  );

  /** Waits until the index holds what the record holds. */
  async function complete(signal: AbortSignal): Promise<void> {
    let chunks = -1;
    let since = clock.elapsedMs();
    for (;;) {
      const indexed = await spaces.indexed();
      if (!indexed.incomplete) return;
      if (indexed.chunks !== chunks) since = clock.elapsedMs();
      chunks = indexed.chunks;
      if (clock.elapsedMs() - since > patienceMs)
        throw new FootnoteError(
          'conflict',
          'The search index is still being built from the record, and vectors come after it. Try again later; "footnote doctor" says what is wrong if it stays so.',
        );
      await untilAborted(new Promise((resolve) => setTimeout(resolve, completionMs)), signal);
    }
  }

  async function missing(): Promise<MissingSemantics> {
    const { chunks } = await spaces.indexed();
    const not = (code: MissingSemantics['code'], detail: string): MissingSemantics => ({ ready: false, code, detail });
    if (setting === 'corpus') {
      if (chunks < learning.leastChunks)
        return not(
          'too-few-chunks',
          `${chunks === 1 ? 'There is one chunk' : `There are ${chunks} chunks`}; search by meaning is learned from ${learning.leastChunks} and more.`,
        );
      if (barren) return not('too-few-chunks', `The ${chunks} chunks share too few words to learn from.`);
    } else if (!isRemote || failure === undefined) {
      try {
        // A provider that failed before is asked again behind the documents, not while somebody waits.
        await options.openFixed(setting);
      } catch (thrown) {
        return not('model-unavailable', toFootnoteError(thrown).message);
      }
    }
    if (failure !== undefined)
      return not('model-unavailable', `The vectors of search by meaning could not be made: ${failure}`);
    if (working?.state === 'embedding')
      return not('embedding', `${working.embedded} of ${working.chunks} chunks have a vector; it works once all have.`);
    timer.changed();
    const code = setting === 'corpus' ? 'training' : 'embedding';
    return not(
      code,
      `The ${chunks} chunks are being made ready for search by meaning; "footnote sync --wait" waits for it.`,
    );
  }

  return {
    isRemote,
    async current(signal) {
      if (setting === 'none')
        return { ready: false, code: 'off', detail: 'Search by meaning is off (MODEL_EMBED=none).' };
      const served = await serving.current();
      signal?.throwIfAborted();
      return served ?? missing();
    },
    schedule(delayMs) {
      builder.changed();
      if (setting !== 'none' && !closing.signal.aborted) timer.changed(delayMs);
    },
    async settle({ exact = false, whole = false, onProgress, signal = closing.signal } = {}) {
      if (setting === 'none') return;
      // The thread and the timers hold nothing: whoever waits does.
      const hold = setInterval(() => undefined, 60_000);
      if (onProgress) watchers.add(onProgress);
      try {
        await complete(AbortSignal.any([closing.signal, signal]));
        await builder.ahead(() => run({ exact, isQuiet: true, waits: whole ? 'whole' : 'quick' }, signal));
        if (isMore) timer.changed();
      } catch (thrown) {
        throw toFootnoteError(signal.aborted ? (signal.reason ?? thrown) : thrown);
      } finally {
        clearInterval(hold);
        if (onProgress) watchers.delete(onProgress);
      }
    },
    async status() {
      const { chunks } = await spaces.indexed();
      if (setting === 'none') return { state: 'off', chunks, embedded: 0 };
      const isLearned = setting === 'corpus';
      const isWaiting = isLearned && (chunks < learning.leastChunks || barren);
      const encoder = builder.isEncoderHere() ? ('available' as const) : ('unavailable' as const);
      const beside = isLearned && options.encoded && { encoder };
      return statusOf({ isLearned, isWaiting, working, failure, ...beside }, spaces, chunks);
    },
    async estimate(model = setting, signal) {
      if (model === 'corpus' || model === 'none')
        throw new FootnoteError(
          'unsupported',
          `MODEL_EMBED=${model} costs nothing: there is nothing to estimate. Name a model with --model, such as openai:text-embedding-3-small.`,
        );
      const both = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      await complete(both);
      const opened = await options.openFixed(model);
      return estimateEmbedding({ setting: model, model: opened, spaces, readTexts: options.readTexts }, both);
    },
    async plan() {
      if (setting === 'corpus' || setting === 'none') return undefined;
      return createEmbedPlan({ setting, model: await options.openFixed(setting), spaces });
    },
    apart: (work) =>
      builder.ahead(async () => {
        while (running) await running;
        const begun = (async () => {
          const lease = await options.alone?.(closing.signal);
          try {
            if (!(await work())) return;
            chooser.release();
            await serving.use((await spaces.models()).find(({ state }) => state === 'active'));
            serving.activated();
          } finally {
            await lease?.release();
          }
        })();
        running = begun
          .catch(() => undefined)
          .then(() => {
            running = undefined;
          });
        await begun;
      }),
    async close() {
      closing.abort(new FootnoteError('cancelled', 'The vectors are no longer looked after: the program closes.'));
      timer.stop();
      await running;
    },
  };
}
