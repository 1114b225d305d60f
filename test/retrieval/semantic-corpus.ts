// A small corpus with a model learned from it, in a real store over a real record: documents of a few subjects, each told in
// words of its own, some of which never stand in one document together. Built the way the product builds it, without its timing.

import { afterAll, beforeAll } from 'vitest';
import type { CallContext } from '../../src/core/context.ts';
import type { DocumentRecord } from '../../src/core/document.ts';
import type { Scope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { closeEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import { openLegs } from '../../src/footnote/requests/request-legs.ts';
import { latentToBytes } from '../../src/models/corpus/latent-bytes.ts';
import { finish, trainLatentSemantics } from '../../src/models/corpus/latent-semantics.ts';
import { createCorpusModel } from '../../src/models/corpus/model.ts';
import type { ReadySemantics, Semantics } from '../../src/models/embedding/semantics.ts';
import { createRetriever, type RetrievalRequest, type RetrieverOptions } from '../../src/retrieval/retrieve.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { openEmbeddedSpaces } from '../../src/stores/embedded/spaces.ts';
import { analyzeQuery, analyzeText } from '../../src/text/analyze.ts';
import { createRandom } from '../../testkit/history.ts';
import { putAll } from '../../testkit/record-changes.ts';
import { createWrite, scopeOf, temporaryFolder } from '../../testkit/record-fixture.ts';
import { callContext } from '../../testkit/request-context.ts';

const subjects: Readonly<Record<string, readonly string[]>> = {
  water: ['otter', 'river', 'trout', 'burrow', 'bank', 'whisker', 'stream', 'heron', 'reed', 'pond'],
  money: ['ledger', 'invoice', 'audit', 'tax', 'credit', 'receipt', 'fiscal', 'payroll', 'auditor', 'balance'],
  sky: ['comet', 'orbit', 'telescope', 'lens', 'planet', 'moon', 'eclipse', 'nebula', 'star', 'dust'],
  bread: ['dough', 'yeast', 'oven', 'crust', 'flour', 'knead', 'loaf', 'bakery', 'rye', 'salt'],
};
const languages = ['en'];

/** Sixteen documents of each subject; every one has five of its words. The seed shuffles what stands where. */
function texts(seed: number): { id: string; text: string; subject: string }[] {
  const random = createRandom(seed);
  return Object.entries(subjects).flatMap(([subject, words]) =>
    Array.from({ length: 16 }, (_, at) => {
      const own = Array.from({ length: 5 }, (__, step) => words[(at + step * (1 + random.below(3))) % words.length]);
      return { id: `${subject}-${at}`, subject, text: `The ${own.join(' and the ')} of number ${at}.` };
    }),
  );
}

const admin = scopeOf();

async function openSemanticCorpus(seed = 1) {
  const place = temporaryFolder();
  const database = openSqliteRecord({ folder: place.folder });
  const writes = texts(seed).map(({ id, text, subject }) =>
    createWrite(text, {
      id,
      uri: `${id}.md`,
      title: `Note ${id.replace('-', ' ')}`,
      language: 'en',
      source: subject,
      // Half of what is known of money is not for everybody.
      ...(subject === 'money' && Number(id.split('-')[1]) % 2 === 0 && { access: ['accounting'] }),
    } as Partial<DocumentRecord>),
  );
  const record = database.forScope(admin);
  await record.commit(putAll(writes, createEmbeddedStore({ database, scope: admin })));
  const spaces = openEmbeddedSpaces(database, admin.tenant);

  /** Learns from the chunks, writes their vectors and makes searches use them. */
  async function learn(dimensions: number): Promise<ReadySemantics> {
    const termsOf = (text: string, title: string): string[] => [
      ...analyzeText(title, { language: 'en' }),
      ...analyzeText(text, { language: 'en' }),
    ];
    const documents = writes.flatMap(({ document, chunks }) =>
      chunks.map((chunk) => ({ key: chunk.id, terms: termsOf(chunk.text, document.title) })),
    );
    const weights = finish(trainLatentSemantics(documents, { dimensions }));
    if (!weights) throw new Error('The corpus of the test is too small to learn from.');
    const model = createCorpusModel({ weights, analyze: (text) => analyzeQuery(text, { languages }) });
    const space = { name: model.id, dimensions: model.dimensions, metric: 'cosine' } as const;
    await spaces.begin({ space, kind: 'corpus', facts: {} }, latentToBytes(weights));
    const termsByChunk = new Map(documents.map(({ key, terms }) => [key, terms]));
    for (;;) {
      const missing = await spaces.missing(space.name, { limit: 50 });
      if (missing.length === 0) break;
      const batch = missing.map((one) => {
        const chunks = writes.find(({ document }) => document.id === one.documentId)?.chunks ?? [];
        const vectors = new Float32Array(chunks.length * model.dimensions);
        for (const [at, { id }] of chunks.entries())
          vectors.set(model.embedTerms(termsByChunk.get(id) ?? []), at * model.dimensions);
        return { ...one, vectors };
      });
      await spaces.write(space.name, batch);
    }
    await spaces.activate(space.name);
    return { ready: true, model, space: space.name, learnedFrom: weights.chunks };
  }

  return {
    learn,
    /** Searches of a scope by the given semantics. */
    search(
      semantics: Semantics,
      scope: Scope = admin,
      { reranking, ...context }: Pick<RetrieverOptions, 'reranking'> & Partial<CallContext> = {},
    ) {
      const record = database.forScope(scope);
      const calls = callContext(context);
      const retriever = createRetriever({
        record,
        legs: openLegs({
          store: createEmbeddedStore({ database, scope }),
          semantics,
          fusion: { method: 'min-max', semanticWeight: undefined, rankConstant: 60 },
          documents: record.documents,
          deadline: calls.deadline,
          clock: calls.clock,
        }),
        spanUrl: (id) => `/${id}`,
        ...(reranking && { reranking }),
        context: calls,
      });
      return (request: Partial<RetrievalRequest> & { query: string }, signal?: AbortSignal) =>
        retriever.retrieve({ mode: 'hybrid', topK: 10, ...request }, { ...(signal && { signal }) });
    },
    async close() {
      await database.close();
      place.remove();
    },
  };
}

type SemanticCorpus = Awaited<ReturnType<typeof openSemanticCorpus>>;

/** One corpus for all tests of the file that calls it, and what was learned from it last. */
export function semanticCorpusForAllTests() {
  let corpus: SemanticCorpus;
  let learned: ReadySemantics;
  beforeAll(async () => {
    corpus = await openSemanticCorpus();
    learned = await corpus.learn(16);
  }, 60_000);
  afterAll(async () => {
    await corpus.close();
    await closeEngineThreads();
  });
  return {
    learned: () => learned,
    async learn(dimensions: number) {
      learned = await corpus.learn(dimensions);
      return learned;
    },
    /** By what was learned last where no other semantics are given. */
    search: (
      semantics: Semantics = { current: async () => learned },
      ...more: Parameters<SemanticCorpus['search']> extends [unknown, ...infer Rest] ? Rest : never
    ) => corpus.search(semantics, ...more),
  };
}
