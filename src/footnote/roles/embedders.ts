// The embedders of this process, one for each tenant: the model that the settings name, over the tenant's own index and vectors.
// One thread learns for all of them; closing ends all work at its next step.
import type { Config } from '../../config.ts';
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import { defaultTenant, type Scope, tenantScope } from '../../core/scope.ts';
import { type Leases, openLocalLeases, untilTaken } from '../../db/servers/leases.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { latentFromBytes } from '../../models/corpus/latent-bytes.ts';
import { leastChunks } from '../../models/corpus/latent-semantics.ts';
import { createCorpusModel } from '../../models/corpus/model.ts';
import { createCorpusTrainer } from '../../models/corpus/trainer.ts';
import { sharedPart } from '../../models/corpus/work.ts';
import { createEmbeddingCache, withEmbeddingCache } from '../../models/embedding/embedding-cache.ts';
import { parseEmbeddingReference } from '../../models/embedding/facts.ts';
import { openProviderEmbeddings, type ProviderEmbeddingsOptions } from '../../models/embedding/provider-embeddings.ts';
import type { FixedModel } from '../../models/embedding/semantics.ts';
import type { ChunkEncoder } from '../../models/encoder/encoder.ts';
import { openLocalModel } from '../../models/local/model.ts';
import type { ModelSettings } from '../../models/open-models.ts';
import type { EmbeddedStore } from '../../stores/embedded/port.ts';
import { indexVersion } from '../../stores/embedded/tenant-index.ts';
import type { VectorKeeping } from '../../stores/embedded/vector-keeping.ts';
import { analyzeQuery, analyzeText } from '../../text/analyze.ts';
import { createEmbedder, type Embedder, type EmbedderOptions } from '../../vectors/embedder.ts';
import { textForModel } from '../../vectors/ports.ts';
import { textHashOf } from '../../vectors/remote.ts';
import { isLearnedHere } from '../beside/given-vectors.ts';
import { findSetAside } from '../record/bundled.ts';

export interface Embedders {
  of(tenant: string): Embedder;
  /** Opens the model that is configured where it is not learned here, whether or not there are vectors of it; absent: it is learned, or there is none. */
  readonly fixed?: () => Promise<FixedModel>;
  close(): Promise<void>;
}

/** What embedders take of a record. */
export interface EmbedderPlace {
  recordOf(scope: Scope): TenantRecord;
  storeOf(scope: Scope): Pick<EmbeddedStore, 'health'>;
  spacesOf(tenant: string): VectorKeeping;
  /** Of the chunks of a tenant (ISO 639-1), most frequent first. */
  languagesOf(tenant: string): readonly string[] | Promise<readonly string[]>;
  /** Whether the disk has room for more than what somebody waits for. */
  hasRoom(): boolean;
}

export interface EmbeddersOptions {
  readonly place: EmbedderPlace;
  /** One server at a time learns and embeds for a tenant. Default: this process has the record. */
  readonly leases?: Leases;
  readonly models: Config['models'];
  readonly clock: Clock;
  /** The sentence encoder beside models that are learned here. Absent: it is off. */
  readonly encoderOf?: ((tenant: string) => ChunkEncoder) | undefined;
  /** Keys and addresses of providers, for models of theirs. Default: none is configured. */
  readonly providers?: ModelSettings;
  /** What embedding a tenant's documents may cost in one round. Default: no limit. */
  readonly openBudget?: (scope: Scope) => ReturnType<NonNullable<EmbedderOptions['openBudget']>>;
  /** Told what the configured model takes before the first text goes to it. */
  readonly announce?: EmbedderOptions['announce'];
  /** What of opening a model of a provider differs from the ordinary, for tests and measurements. */
  readonly remote?: ProviderEmbeddingsOptions;
}

const embedderScope = (tenant: string): Scope => tenantScope(tenant, 'embedder');

/** An interrupted build goes on this long after the start, when searches have had their turn. */
const openingMs = 2500;

export function createEmbedders(options: EmbeddersOptions): Embedders {
  const {
    place,
    leases = openLocalLeases(),
    models,
    clock,
    providers = { roles: {} },
    remote = {},
    openBudget,
  } = options;
  // Changes with how models are learned and how chunks are analysed: then there is another model of the same corpus.
  const version = `lsa-2 index-${indexVersion}`;
  const trainer = createCorpusTrainer({ version });
  const embedders = new Map<string, Embedder>();
  const fixed = new Map<string, Promise<FixedModel & { close(): Promise<void> }>>();
  const closing = new AbortController();
  const cache = createEmbeddingCache({ clock, queryTtlSeconds: models.queryTtlSeconds });

  /** Whoever needs it first pays for the call that opens it. */
  function openFixed(name: string, scope: Scope): Promise<FixedModel> {
    const present = fixed.get(name);
    if (present) return present;
    const opening = openModel(name, scope).then((model) => ({
      ...withEmbeddingCache(model, cache),
      close: () => model.close(),
    }));
    const guarded = opening.then((model) => ({
      ...model,
      async embed(...given: Parameters<FixedModel['embed']>) {
        try {
          return await model.embed(...given);
        } catch (error) {
          // Its files are others now: the next one to ask gets what they have become.
          if (isFootnoteError(error) && error.code === 'conflict' && fixed.get(name) === guarded) {
            fixed.delete(name);
            await model.close();
          }
          throw error;
        }
      },
    }));
    fixed.set(name, guarded);
    // One that could not be opened may be there the next time.
    guarded.catch(() => fixed.delete(name));
    return guarded;
  }

  /** A model that is not learned here, by its setting: `onnx:<folder>` or `provider:model`. */
  async function openModel(name: string, scope: Scope): Promise<FixedModel & { close(): Promise<void> }> {
    const reference = parseEmbeddingReference(name);
    if (reference) {
      const recordedDimensions = await lengthOf(name);
      const budget = await openBudget?.(scope);
      try {
        const given = {
          elapsedMs: () => clock.elapsedMs(),
          ...(recordedDimensions !== undefined && { recordedDimensions }),
          ...(budget && { budget: budget.forRole('embed') }),
          ...remote,
        };
        return await openProviderEmbeddings(providers, reference, given, closing.signal);
      } finally {
        await budget?.close();
      }
    }
    const local = /^onnx:(.+)$/u.exec(name)?.[1];
    if (local === undefined)
      throw new FootnoteError(
        'config-invalid',
        `There is no embedding model ${name}. Set MODEL_EMBED to onnx:<folder>, or to provider:model such as openai:text-embedding-3-small.`,
      );
    return openLocalModel({ folder: models.folder, name: local });
  }

  /** As it was found when vectors of this model were made here before. */
  async function lengthOf(name: string): Promise<number | undefined> {
    for (const tenant of embedders.keys()) {
      const kept = await place.spacesOf(tenant).models();
      const same = kept.find(({ kind, facts }) => kind === 'fixed' && facts['source'] === name);
      if (same) return same.space.dimensions;
    }
    return undefined;
  }

  function open(tenant: string): Embedder {
    const scope = embedderScope(tenant);
    const record = place.recordOf(scope);
    const { documents } = record;
    const isRemote = parseEmbeddingReference(models.embed) !== undefined;
    const store = place.storeOf(scope);
    const spaces = place.spacesOf(tenant);
    const analyze = async (text: string, kind: 'query' | 'document'): Promise<readonly string[]> =>
      kind === 'document' ? analyzeText(text) : analyzeQuery(text, { languages: await place.languagesOf(tenant) });

    const encoder = options.encoderOf?.(tenant);

    return createEmbedder({
      model: models.embed,
      encoded: encoder && {
        encoder,
        async readChunks(documentId) {
          const document = await documents.get(documentId);
          return (
            document &&
            (await documents.chunks(documentId)).map((chunk) => ({
              head: [...new Set([document.title, ...chunk.headingPath])].join('\n'),
              text: chunk.text,
              hash: textHashOf(textForModel(document, chunk)),
            }))
          );
        },
      },
      isRemote: parseEmbeddingReference(models.embed) !== undefined,
      spaces: {
        ...spaces,
        async indexed() {
          const found = await spaces.indexed();
          // Asking for its health makes an index that is not complete go on being built.
          if (found.incomplete) await store.health();
          return found;
        },
      },
      learning: {
        ...trainer,
        leastChunks,
        version,
        sharedPart,
        open(bytes) {
          const weights = latentFromBytes(bytes);
          return { model: createCorpusModel({ weights, analyze }), learnedFrom: weights.chunks };
        },
      },
      openFixed: (name) => openFixed(name, scope),
      async readTexts(documentId) {
        const document = await documents.get(documentId);
        if (!document) return undefined;
        // No provider is sent what is set aside: an empty text has no vector, and is found by its words.
        const isAside = isRemote && (await findSetAside(record))?.documentIds.has(documentId) === true;
        const chunks = await documents.chunks(documentId);
        return chunks.map((chunk) => (isAside ? '' : textForModel(document, chunk)));
      },
      clock,
      hasRoom: place.hasRoom,
      alone: (signal) => untilTaken(leases, `embed:${tenant}`, signal),
      ...(openBudget && { openBudget: () => openBudget(scope) }),
      announce: options.announce,
    });
  }

  // What a server that ended did not live to embed.
  const ignore = leases.onLeft(() => {
    for (const embedder of embedders.values()) embedder.schedule();
  });
  return {
    ...(!isLearnedHere(models.embed) && { fixed: () => openFixed(models.embed, embedderScope(defaultTenant)) }),
    of(tenant) {
      const present = embedders.get(tenant);
      if (present) return present;
      const embedder = open(tenant);
      embedders.set(tenant, embedder);
      embedder.schedule(openingMs);
      return embedder;
    },
    async close() {
      ignore();
      // A provider that is silent keeps nobody from closing.
      closing.abort(new FootnoteError('cancelled', 'The embedding models are closed.'));
      await Promise.all([...embedders.values()].map((embedder) => embedder.close()));
      await trainer.close();
      for (const opening of fixed.values()) await opening.then((model) => model.close()).catch(() => undefined);
    },
  };
}
