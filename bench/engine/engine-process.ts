// One engine in a process of its own, asked by bench/engine/engine.ts: builds its index over the synthetic corpus, opens it again,
// answers rounds of queries, and is judged on small real sets. Usage: engine-process.ts <engine> <folder> <chunks>.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { evaluateRetrieval } from '../../src/evals/retrieval.ts';
import type { EvaluatedSystem } from '../../src/evals/system.ts';
import { createSpeedCorpus, type SpeedCorpus } from '../../testkit/engine-corpus.ts';
import { memoryMb, queriesPerSecond, queriesWithin, timeEach } from '../../testkit/engine-timing.ts';
import { ownEngines } from './engine-own.ts';
import { peerEngines } from './engine-peers.ts';
import { type EngineSource, folderBytes, type MeasuredEngine } from './engine-port.ts';
import { answerCalls } from './engine-turns.ts';

export const measuredEngines: Readonly<Record<string, EngineSource>> = { ...ownEngines, ...peerEngines };

export type QueryKind = 'content' | 'natural';

export interface Built {
  readonly chunksPerSecond: number;
  /** Chunks a second of the first tenth; time per chunk must not grow much over the rest. */
  readonly firstTenthPerSecond: number;
  readonly memoryMb: number;
}

export const queryCount = 500;
const seed = 1;
const trialQueries = 20;
const roundBudget = { budgetMs: 8000, least: 60, most: queryCount };

/** Feeds the whole corpus. Only the engine's time counts, not the making of the texts. */
export async function build(engine: MeasuredEngine, corpus: SpeedCorpus, chunks: number): Promise<Built> {
  let spentMs = 0;
  let firstTenthMs = 0;
  for (let first = 0; first < chunks; first += engine.batch) {
    const texts = Array.from({ length: Math.min(engine.batch, chunks - first) }, (_, at) => corpus.chunk(first + at));
    const startedAt = performance.now();
    await engine.add(first, texts);
    spentMs += performance.now() - startedAt;
    if (firstTenthMs === 0 && first + engine.batch >= chunks / 10)
      firstTenthMs = (spentMs * (chunks / 10)) / Math.min(chunks, first + engine.batch);
  }
  const startedAt = performance.now();
  await engine.finish();
  spentMs += performance.now() - startedAt;
  return {
    chunksPerSecond: (chunks / spentMs) * 1000,
    firstTenthPerSecond: (chunks / 10 / firstTenthMs) * 1000,
    memoryMb: memoryMb(),
  };
}

/** nDCG@10 of an engine on a judged set; title and text are one text to all engines, so that none has fields. */
export async function judge(
  source: EngineSource,
  { folder, split }: { folder: string; split: string },
): Promise<number> {
  const own = mkdtempSync(join(tmpdir(), 'footnote-engine-'));
  const engine = await source.open(own);
  const ids: string[] = [];
  const system: EvaluatedSystem = {
    async ingest(documents) {
      const texts: string[] = [];
      for await (const { id, title, text } of documents) {
        ids.push(id);
        texts.push(`${title}\n${text}`);
      }
      for (let first = 0; first < texts.length; first += engine.batch)
        await engine.add(first, texts.slice(first, first + engine.batch));
      await engine.finish();
      return { documents: ids.length, chunks: ids.length, failed: [] };
    },
    async search(text) {
      const hits = await engine.search(text);
      return hits.map((hit, place) => ({ documentId: ids[engine.numberOf(hit)] ?? '', score: -place }));
    },
    ask: () => Promise.reject(new Error('Engines only search.')),
    close: () => engine.close(),
  };
  try {
    const dataset = await openRetrievalDataset(folder, split);
    const report = await evaluateRetrieval({ dataset, system, mode: 'embedded', topK: 100 });
    return report.metrics.ndcg10.mean;
  } finally {
    await engine.close();
    rmSync(own, { recursive: true, force: true });
  }
}

function answerFor(name: string, folder: string, chunks: number): void {
  const source = measuredEngines[name];
  if (!source) throw new Error(`No engine ${name}; there are ${Object.keys(measuredEngines).join(', ')}.`);
  let engine: MeasuredEngine | undefined;
  let corpus: SpeedCorpus | undefined;
  const speedCorpus = (): SpeedCorpus => {
    corpus ??= createSpeedCorpus(seed, chunks);
    return corpus;
  };
  const opened = async (): Promise<MeasuredEngine> => {
    engine ??= await source.open(folder);
    return engine;
  };
  const queries = (kind: QueryKind, count: number): string[] =>
    Array.from({ length: count }, (_, at) => speedCorpus().query(at, kind));
  answerCalls({
    build: async () => build(await opened(), speedCorpus(), chunks),
    /** Milliseconds from opening the folder to the first answer. */
    async open() {
      const [query = ''] = queries('content', 1);
      const startedAt = performance.now();
      await (await opened()).search(query);
      return performance.now() - startedAt;
    },
    /** Warms up, and says how many queries of each kind a round of this engine may have. */
    async warm() {
      const { search } = await opened();
      const counts: Record<QueryKind, number> = { content: 0, natural: 0 };
      for (const kind of ['content', 'natural'] as const) {
        const trial = await timeEach(queries(kind, trialQueries), search);
        counts[kind] = queriesWithin(trial.reduce((sum, ms) => sum + ms, 0) / trial.length, roundBudget);
        await timeEach(queries(kind, counts[kind]), search);
      }
      return counts;
    },
    /** Milliseconds of each query, in order. The first ones are asked before as well: other engines had the caches. */
    async round({ kind, count }: { kind: QueryKind; count: number }) {
      const { search } = await opened();
      const asked = queries(kind, count);
      await timeEach(asked.slice(-trialQueries), search);
      return timeEach(asked, search);
    },
    /** Queries a second; null where the engine has no worker threads to count. */
    async throughput({ clients, count, oneWorker }: { clients: number; count: number; oneWorker?: boolean }) {
      const { search: all, searchWithOneWorker } = await opened();
      const search = oneWorker ? searchWithOneWorker : all;
      if (!search) return null;
      const asked = queries('content', count);
      await queriesPerSecond(asked.slice(-trialQueries), clients, search);
      return queriesPerSecond(asked, clients, search);
    },
    /** Numbers of the best ten of the first queries. */
    async best({ count }: { count: number }) {
      const { search, numberOf } = await opened();
      const found: number[][] = [];
      for (const query of queries('content', count)) found.push((await search(query)).slice(0, 10).map(numberOf));
      return found;
    },
    memory: () => memoryMb(),
    disk: () => folderBytes(folder) / 1e6,
    /** Megabytes with a vector for each text beside the index; null for engines that are not ours. */
    async memoryWithVectors({ dimensions }: { dimensions: number }) {
      const { holdVectors } = await opened();
      if (!holdVectors) return null;
      await holdVectors(chunks, dimensions);
      return memoryMb();
    },
    judge: (set: { folder: string; split: string }) => judge(source, set),
    async close() {
      await engine?.close();
      engine = undefined;
    },
  });
}

if (import.meta.main) {
  const [name = '', folder = '', chunks = '0'] = process.argv.slice(2);
  answerFor(name, folder, Number(chunks));
}
