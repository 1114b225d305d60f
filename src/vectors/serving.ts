// The model that searches go by: the active one of the store, opened once. Invariant: it changes in one step, when another was
// activated, and a model whose bytes or files are gone is not served, nor one as it was before words were taken out of it.
import { isFootnoteError } from '../core/errors.ts';
import type { ReadySemantics } from '../models/embedding/semantics.ts';
import type { ChunkEncoder } from '../models/encoder/encoder.ts';
import { isEncoded, withEncoder } from './encoded.ts';
import type { CorpusLearning, KeptModel, OpenFixedModel, VectorKeeping } from './ports.ts';

export interface Serving {
  /** Undefined where there is no active model that can be opened. */
  current(): Promise<ReadySemantics | undefined>;
  /** From the moment that it resolves this model is served; undefined: none, as long as none is active. */
  use(model: KeptModel | undefined): Promise<void>;
  /** What was served ahead of it being active is active now, or will not be. */
  activated(): void;
}

export interface ServingOptions {
  readonly spaces: VectorKeeping;
  readonly learning: CorpusLearning;
  readonly openFixed: OpenFixedModel;
  /** For models that have it beside what was learned. */
  readonly encoder?: ChunkEncoder | undefined;
}

export function createServing({ spaces, learning, openFixed, encoder }: ServingOptions): Serving {
  let served: ReadySemantics | undefined;
  /** The space of one that is served before it is active. */
  let ahead: string | undefined;
  /** As the record told it before it was opened: what was opened is as new, or newer. */
  let seal: string | undefined;
  let opening: Promise<void> | undefined;

  async function open(kept: KeptModel): Promise<ReadySemantics | undefined> {
    const { kind, space, facts } = kept;
    if (kind === 'corpus') {
      const bytes = await spaces.modelBytes(space.name);
      if (!bytes) return undefined;
      const { model, learnedFrom } = learning.open(bytes);
      return {
        ready: true,
        space: space.name,
        model: isEncoded(kept) ? withEncoder(model, kept, encoder) : model,
        learnedFrom,
      };
    }
    const model = await openFixed(String(facts['source']));
    return model.id === space.name ? { ready: true, space: space.name, model, learnedFrom: 0 } : undefined;
  }

  async function tryOpen(model: KeptModel | undefined): Promise<ReadySemantics | undefined> {
    try {
      return model && (await open(model));
    } catch (error) {
      if (!isFootnoteError(error)) throw error;
      return undefined;
    }
  }

  /** Another server may have activated another one, or taken deleted words out of it. */
  async function isCurrent({ space }: ReadySemantics): Promise<boolean> {
    if (!spaces.active || space === ahead) return true;
    const active = await spaces.active();
    return active?.space === space && active.seal === seal;
  }

  return {
    async current() {
      if (served && (await isCurrent(served))) return served;
      opening ??= (async () => {
        const told = await spaces.active?.();
        const active = (await spaces.models()).find(({ state }) => state === 'active');
        served = await tryOpen(active);
        seal = told?.space === active?.space.name ? told?.seal : undefined;
      })().finally(() => {
        opening = undefined;
      });
      await opening;
      return served;
    },
    async use(model) {
      await opening;
      served = await tryOpen(model);
      ahead = model?.space.name;
      seal = undefined;
    },
    activated() {
      ahead = undefined;
    },
  };
}
