// A folder with a record, an index and an embedder over generated documents, opened, killed and opened again at will.
import { systemClock } from '../../src/core/ids.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite/sqlite.ts';
import { latentFromBytes } from '../../src/models/corpus/latent-bytes.ts';
import { leastChunks } from '../../src/models/corpus/latent-semantics.ts';
import { createCorpusModel } from '../../src/models/corpus/model.ts';
import { type CorpusTrainer, createCorpusTrainer } from '../../src/models/corpus/trainer.ts';
import { sharedPart } from '../../src/models/corpus/work.ts';
import type { ChunkEncoder } from '../../src/models/encoder/encoder.ts';
import type { StoreDocument } from '../../src/stores/delivered.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import type { EmbeddedStore } from '../../src/stores/embedded/port.ts';
import { openEmbeddedSpaces } from '../../src/stores/embedded/spaces.ts';
import { analyzeQuery, analyzeText } from '../../src/text/analyze.ts';
import { createEmbedder, type Embedder, type EmbedderOptions } from '../../src/vectors/embedder.ts';
import type { OpenFixedModel, VectorKeeping } from '../../src/vectors/ports.ts';
import { textHashOf } from '../../src/vectors/remote.ts';
import type { EmbedTiming } from '../../src/vectors/timing.ts';
import { createRandom } from '../../testkit/history.ts';
import { deleteAll, putAll } from '../../testkit/record-changes.ts';
import { createWrite, scopeOf, temporaryFolder } from '../../testkit/record-fixture.ts';

export type Write = ReturnType<typeof createWrite> & StoreDocument;

const subjects = [
  'otter river fish bank water stream',
  'engine piston valve oil cylinder spark',
  'court judge appeal law verdict jury',
  'bread yeast oven flour dough crust',
  'orbit moon planet rocket gravity launch',
];
export const queries = [...subjects, 'river law', 'piston dough', 'rocket'].map((text) =>
  text.split(' ').slice(0, 3).join(' '),
);

/** Document `at` of a revision: one of five subjects, and words of its own. */
export function documentOf(at: number, revision = 0, wordCount = 24): Write {
  const random = createRandom(at * 31 + revision + 1);
  const subject = (subjects[at % subjects.length] ?? '').split(' ');
  const words = Array.from({ length: wordCount }, () =>
    random.below(3) === 0 ? `word${random.below(80)}` : (subject[random.below(subject.length)] ?? ''),
  );
  const title = `${subject[0]} ${at}`;
  return createWrite(`${words.join(' ')}.`, { id: `d${at}`, uri: `${at}.md`, title, language: 'en' });
}

export interface PlaceOptions {
  readonly model?: string;
  readonly openFixed?: OpenFixedModel;
  readonly timing?: EmbedTiming;
  readonly openBudget?: EmbedderOptions['openBudget'];
  /** Beside the model that is learned. */
  readonly encoder?: ChunkEncoder;
  /** Changes what the embedder is given, such as by faults. */
  readonly around?: (spaces: VectorKeeping) => VectorKeeping;
}

export interface Place {
  database: SqliteRecordDatabase;
  embedder: Embedder;
  store: EmbeddedStore;
  readonly trainer: CorpusTrainer;
  /** How often a model was trained. */
  trained: number;
  put(writes: readonly Write[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Cuts off whatever runs and opens the folder again. */
  kill(options?: PlaceOptions): Promise<void>;
  /** Ids and scores of the best hits of every query, by vector. */
  rankings(): Promise<unknown>;
  spaces(): VectorKeeping;
  close(): Promise<void>;
}

const admin = scopeOf();

export function openPlace(options: PlaceOptions = {}): Place {
  const place = temporaryFolder();
  const trainer = createCorpusTrainer({ version: '1' });
  let current = options;

  function open(): { database: SqliteRecordDatabase; embedder: Embedder; store: EmbeddedStore } {
    const database = openSqliteRecord({ folder: place.folder });
    const store = createEmbeddedStore({ database, scope: admin });
    const spaces = openEmbeddedSpaces(database, admin.tenant);
    const embedder = createEmbedder({
      model: current.model ?? 'corpus',
      spaces: current.around?.(spaces) ?? spaces,
      learning: {
        ...trainer,
        train(parts, signal) {
          self.trained++;
          return trainer.train(parts, signal);
        },
        leastChunks,
        version: '1',
        sharedPart,
        open(bytes) {
          const weights = latentFromBytes(bytes);
          const analyze = (text: string, kind: string): readonly string[] =>
            kind === 'query' ? analyzeQuery(text, { languages: ['en'] }) : analyzeText(text);
          return { model: createCorpusModel({ weights, analyze }), learnedFrom: weights.chunks };
        },
      },
      openFixed: current.openFixed ?? (() => Promise.reject(new Error('no fixed model was expected'))),
      async readTexts(documentId) {
        const chunks = await database.forScope(admin).documents.chunks(documentId);
        return chunks.length === 0 ? undefined : chunks.map(({ text }) => text);
      },
      encoded: current.encoder && {
        encoder: current.encoder,
        async readChunks(documentId) {
          const chunks = await database.forScope(admin).documents.chunks(documentId);
          return chunks.map(({ text }) => ({ head: '', text, hash: textHashOf(text) }));
        },
      },
      clock: systemClock,
      timing: current.timing ?? { soonMs: 3_600_000 },
      ...(current.openBudget && { openBudget: current.openBudget }),
    });
    return { database, embedder, store };
  }

  const self: Place = {
    ...open(),
    trainer,
    trained: 0,
    async put(writes) {
      await self.database.forScope(admin).commit(putAll(writes, self.store));
      self.embedder.schedule();
    },
    async remove(ids) {
      await self.database.forScope(admin).commit(deleteAll(ids, self.store));
      self.embedder.schedule();
    },
    async kill(next) {
      current = next ?? current;
      const closing = self.embedder.close();
      await self.database.close();
      await closing;
      Object.assign(self, open());
    },
    async rankings() {
      const found = await self.embedder.current();
      if (!found.ready) throw new Error(`not ready: ${found.code}: ${found.detail}`);
      const all: unknown[] = [found.space];
      for (const query of queries) {
        const [vector] = await found.model.embed([query], { kind: 'query' });
        const page = await self.store.search({
          text: '',
          mode: 'vector',
          vector: vector!,
          space: found.space,
          limit: 10,
        });
        all.push({
          hits: page.hits.map(({ chunkId, documentId, score }) => [chunkId, documentId, score]),
          degraded: page.degraded,
        });
      }
      return all;
    },
    spaces: () => openEmbeddedSpaces(self.database, admin.tenant),
    async close() {
      await self.embedder.close();
      await self.database.close();
      await trainer.close();
      place.remove();
    },
  };
  return self;
}
