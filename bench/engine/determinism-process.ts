// One life of a process that fills a data folder, for bench/determinism: it adds the documents of a set in the order of a seed, from
// where an earlier life was killed, settles the vectors and says what its searches return. It may be killed at any moment.
// Usage (forked): node bench/engine/determinism-process.ts FOLDER SET SEED FROM
import { createHash } from 'node:crypto';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { modes } from '../../src/core/search.ts';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { seeded } from '../../src/evals/metrics.ts';
import type { EvaluatedDocument } from '../../src/evals/system.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { sharedData } from '../../testkit/shared-data.ts';

export type Message =
  | { readonly what: 'added'; readonly batches: number; readonly of: number }
  | { readonly what: 'settling' }
  | { readonly what: 'settled'; readonly model: string; readonly chunks: number; readonly digests: Digests };

/** By mode: of the order of chunks, and of their scores too. */
export type Digests = Readonly<Record<string, { readonly ranking: string; readonly scores: string }>>;

const batchSize = 40;
const queriesAsked = 60;
const hitsCompared = 50;

const say = (message: Message): void => {
  process.send?.(message);
};

async function readShuffled(setName: string, seed: number) {
  const folder = sharedData(setName);
  if (folder === undefined) throw new Error(`The evaluation data has no ${setName}.`);
  const set = await openRetrievalDataset(folder);
  const documents: EvaluatedDocument[] = [];
  for await (const document of set.documents()) documents.push(document);
  const random = seeded(seed);
  const keyed = documents.map((document) => ({ document, key: random() }));
  return { queries: set.queries, documents: keyed.sort((a, b) => a.key - b.key).map(({ document }) => document) };
}

async function live([folder = '', setName = '', seed = '1', from = '0']: readonly string[]): Promise<void> {
  const { documents, queries } = await readShuffled(setName, Number(seed));
  const opened = await openFootnote({ ...loadConfig({ environment: {} }), data: folder });
  const footnote = opened.forScope(localScope());
  const batches = Math.ceil(documents.length / batchSize);
  for (let batch = Number(from); batch < batches; batch++) {
    const lines = documents
      .slice(batch * batchSize, (batch + 1) * batchSize)
      .map(({ id, title, text }) => JSON.stringify({ _id: id, title, text }));
    const bytes = new TextEncoder().encode(lines.join('\n'));
    await footnote.documents.add({ bytes, name: 'corpus.jsonl', source: 'corpus' });
    say({ what: 'added', batches: batch + 1, of: batches });
  }
  say({ what: 'settling' });
  await opened.settle(localScope().tenant, { exact: true });
  const status = (await footnote.stores.list()).find(({ name }) => name === 'embedded');
  const digests: Record<string, { ranking: string; scores: string }> = {};
  for (const mode of modes) {
    const ranking = createHash('sha256');
    const scores = createHash('sha256');
    for (const { id, text } of queries.slice(0, queriesAsked)) {
      const { results } = await footnote.search({ query: text, mode, topK: hitsCompared });
      ranking.update(JSON.stringify([id, results.map(({ chunkId }) => chunkId)]));
      scores.update(JSON.stringify([id, results.map(({ chunkId, score }) => [chunkId, score])]));
    }
    digests[mode] = { ranking: ranking.digest('hex').slice(0, 16), scores: scores.digest('hex').slice(0, 16) };
  }
  say({ what: 'settled', model: status?.vectors?.model ?? 'none', chunks: status?.chunks ?? 0, digests });
  await opened.close();
}

if (import.meta.main) {
  await live(process.argv.slice(2));
  process.disconnect?.();
}
