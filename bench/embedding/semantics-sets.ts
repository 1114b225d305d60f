// The judged sets as bench/semantics measures them: chunks as ingestion makes them, their terms, and what the embedded store
// finds by words for each query, 1,000 deep. Everything after that is arithmetic, so that many ideas can be tried on one reading.
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { type Judgments, measureQuery, type QueryMetrics } from '../../src/evals/metrics.ts';
import {
  createLatentSemantics,
  finish,
  type TrainingOptions,
  trainLatentSemantics,
} from '../../src/models/corpus/latent-semantics.ts';
import type { LegHit } from '../../src/retrieval/fusion/fuse.ts';
import { analyzeQuery, analyzeText } from '../../src/text/analyze.ts';
import { detectLanguage, guessLanguage } from '../../src/text/language/language.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { cutPlainText, openStoreSystem } from '../../testkit/store-system.ts';

export interface SetChunk {
  readonly id: string;
  readonly documentId: string;
  readonly title: readonly string[];
  readonly body: readonly string[];
}

export interface SetQuery {
  readonly id: string;
  readonly terms: readonly string[];
  readonly judgments: Judgments;
  readonly lexical: readonly LegHit[];
}

export interface JudgedSet {
  readonly name: string;
  readonly files: readonly string[];
  readonly documents: number;
  readonly chunks: readonly SetChunk[];
  readonly placeOf: ReadonlyMap<string, number>;
  readonly queries: readonly SetQuery[];
}

function chunksOf(document: { id: string; title: string; text: string }): { language: string; chunks: SetChunk[] } {
  const { id, title } = document;
  const text = document.text === '' ? title : document.text;
  const detected = detectLanguage(`${title}\n${text}`);
  const chunks = cutPlainText({ id, title, text });
  const language = detected.reliable ? detected.language : guessLanguage(chunks[0]?.text ?? title);
  return {
    language,
    chunks: chunks.map((chunk) => ({
      id: chunk.id,
      documentId: id,
      title: analyzeText(title, { language }),
      body: analyzeText(chunk.text, { language }),
    })),
  };
}

/** Undefined where the data is not beside this checkout. */
export async function readJudgedSet(name: string): Promise<JudgedSet | undefined> {
  const [folderName = name, split = 'test'] = name.split('/');
  const folder = sharedData(folderName);
  if (folder === undefined) return undefined;
  const dataset = await openRetrievalDataset(folder, split);
  const chunks: SetChunk[] = [];
  const languages = new Map<string, number>();
  for await (const document of dataset.documents()) {
    const made = chunksOf(document);
    chunks.push(...made.chunks);
    languages.set(made.language, (languages.get(made.language) ?? 0) + made.chunks.length);
  }
  const placeOf = new Map(chunks.map((chunk, place) => [chunk.id, place]));
  const byFrequency = [...languages].sort((left, right) => right[1] - left[1]).map(([language]) => language);
  const system = await openStoreSystem();
  try {
    const { documents } = await system.ingest(dataset.documents());
    const queries: SetQuery[] = [];
    for (const query of dataset.queries) {
      const hits = await system.search(query.text, { mode: 'embedded', limit: 1000 });
      const lexical = hits.flatMap((hit) =>
        'chunkId' in hit ? [{ chunkId: String(hit.chunkId), score: hit.score }] : [],
      );
      if (lexical.length !== hits.length || lexical.some(({ chunkId }) => !placeOf.has(chunkId)))
        throw new Error(`${name}: the store found chunks that this bench does not know.`);
      const terms = analyzeQuery(query.text, { languages: byFrequency });
      queries.push({ id: query.id, terms, judgments: dataset.judgments.get(query.id) ?? new Map(), lexical });
    }
    return { name, files: dataset.files, documents, chunks, placeOf, queries };
  } finally {
    await system.close();
  }
}

/** A trained model of a set and the vectors of its chunks, one row each. */
export interface SetVectors {
  readonly dimensions: number;
  readonly chunks: Float32Array;
  ofQuery(query: SetQuery): Float32Array;
  /** The chunk's vector. */
  at(place: number): Float32Array;
  /** The nearest chunks, best first; equal ones by id. */
  nearest(vector: Float32Array, depth: number): LegHit[];
  readonly coverage: (query: SetQuery) => number;
}

export function trainSet(set: JudgedSet, options: TrainingOptions & { readonly titles?: number } = {}): SetVectors {
  const { titles = 2, ...training } = options;
  const termsOf = (chunk: SetChunk): string[] => [
    ...Array.from({ length: titles }, () => chunk.title).flat(),
    ...chunk.body,
  ];
  const documents = set.chunks.map((chunk) => ({ key: chunk.id, terms: termsOf(chunk) }));
  const weights = finish(trainLatentSemantics(documents, training));
  if (!weights) throw new Error(`${set.name} is too small to learn from.`);
  const semantics = createLatentSemantics(weights);
  const { dimensions } = semantics;
  const chunks = new Float32Array(set.chunks.length * dimensions);
  for (const [place, { terms }] of documents.entries()) chunks.set(semantics.embed(terms), place * dimensions);
  const indexed = new Set(documents.flatMap(({ terms }) => terms));
  const cosines = new Float64Array(set.chunks.length);
  return {
    dimensions,
    chunks,
    ofQuery: ({ terms }) => semantics.embed(terms),
    at: (place) => chunks.subarray(place * dimensions, (place + 1) * dimensions),
    coverage: ({ terms }) => semantics.coverage(terms, (term) => indexed.has(term)),
    nearest(vector, depth) {
      for (let place = 0; place < cosines.length; place++) {
        let sum = 0;
        const from = place * dimensions;
        for (let at = 0; at < dimensions; at++) sum += (vector[at] as number) * (chunks[from + at] as number);
        cosines[place] = sum;
      }
      const least = depth >= cosines.length ? Number.NEGATIVE_INFINITY : cosines.slice().sort()[cosines.length - depth];
      const hits: LegHit[] = [];
      for (const [place, score] of cosines.entries())
        if (score >= (least as number) && score > 0) hits.push({ chunkId: set.chunks[place]?.id ?? '', score });
      return hits
        .sort((left, right) => right.score - left.score || (left.chunkId < right.chunkId ? -1 : 1))
        .slice(0, depth);
    },
  };
}

/** The measures of a query's chunks, folded to documents by their best one. */
export function measureHits(set: JudgedSet, query: SetQuery, hits: readonly LegHit[]): QueryMetrics {
  const best = new Map<string, number>();
  for (const { chunkId, score } of hits) {
    const documentId = set.chunks[set.placeOf.get(chunkId) ?? -1]?.documentId ?? '';
    best.set(documentId, Math.max(score, best.get(documentId) ?? Number.NEGATIVE_INFINITY));
  }
  // trec_eval's order is that of scores; nothing below the first 200 documents counts in what is reported.
  const run = [...best].sort((left, right) => right[1] - left[1]).slice(0, 200);
  return measureQuery(
    run.map(([documentId, score]) => ({ documentId, score })),
    query.judgments,
  );
}
