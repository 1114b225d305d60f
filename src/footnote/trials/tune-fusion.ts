// Finds how the legs of mode hybrid should be joined for an operator's own questions. Each labelled query is searched once by words, once
// by meaning and once as it is searched now; every setting of the grid is then a fusion of the same two legs, done by the code that
// serves searches. Invariant: only settings that the configuration can express are tried, and nothing is changed.
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Evidence, Filter, SearchResponse } from '../../core/search.ts';
import type { EvaluationQuery, Labels } from '../../evals/datasets.ts';
import { type Judgments, measureQuery } from '../../evals/metrics.ts';
import { foldToDocuments } from '../../evals/retrieval.ts';
import { type TuningReport, tune } from '../../evals/tune.ts';
import { type FusionOptions, type FusionSettings, fuse, fusionFor, type LegHit } from '../../retrieval/fusion/fuse.ts';
import type { Footnote } from '../facade.ts';

export interface FusionSetting {
  readonly method: FusionSettings['method'];
  readonly semanticWeight: number;
}

export interface FusionTuning {
  readonly footnote: Footnote;
  readonly labels: Labels;
  /** As the configuration has it: the smoothing of reciprocal ranks is not tuned. */
  readonly fusion: FusionSettings;
  /** Kind of the embedding model: it decides how scores are normalised. */
  readonly kind: 'corpus' | 'fixed';
  readonly folds?: number;
  readonly seed?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface FusionTuningReport extends TuningReport<FusionSetting> {
  readonly inUseSetting: { readonly method: FusionSettings['method']; readonly semanticWeight?: number };
  /** Mean nDCG@10 of every setting over all queries: chosen and scored on the same labels, so the best of them flatters itself. */
  readonly grid: readonly { readonly setting: FusionSetting; readonly ndcg10: number }[];
  /** Judged documents that are not in the data folder; they count for nothing. */
  readonly unknownDocuments: number;
  /** Queries left out because no relevant document is in the data folder. */
  readonly unusableQueries: number;
}

/** As deep as the legs of a search for a few hits are, so that what is measured is what such a search does. */
const legDepth = 100;
/** Leaves room for the hits that a search adds to fold equal texts. */
const hybridDepth = 90;
/** A lookup travels in an address, percent-encoded and twice, where a server answers; headers may have 16 KiB. */
const lookupLength = 5000;
const weights = Array.from({ length: 21 }, (_, step) => step / 20);
/** The vector leg has nothing to offer, for this query or for any. */
const emptyLegCode = 'query-unknown';

/** The settings tried, nearest to what is measured best for this kind of model first, so that a tie changes least. */
export function fusionGrid(kind: 'corpus' | 'fixed'): FusionSetting[] {
  const usual = fusionFor({ kind, learnedFrom: Number.MAX_SAFE_INTEGER }, unset).semanticWeight;
  const nearest = [...weights].sort((left, right) => Math.abs(left - usual) - Math.abs(right - usual) || left - right);
  return [
    ...nearest.map((semanticWeight): FusionSetting => ({ method: 'min-max', semanticWeight })),
    // With all of the weight on one leg, both methods give that leg's order.
    ...nearest
      .filter((weight) => weight > 0 && weight < 1)
      .map((semanticWeight): FusionSetting => ({ method: 'rrf', semanticWeight })),
  ];
}

const unset: FusionSettings = { method: 'min-max', semanticWeight: undefined, rankConstant: 60 };

/** What one query's searches returned, as far as scoring needs it. */
interface ReadQuery {
  readonly id: string;
  readonly judgments: Judgments;
  readonly lexical: readonly LegHit[];
  /** Absent where only words could serve. */
  readonly vector?: readonly LegHit[];
  /** The question's words are of another language than the documents: searches leave the guard out. */
  readonly isForeign: boolean;
  readonly documentsOf: ReadonlyMap<string, readonly string[]>;
  readonly inUse: number;
}

/**
 * Searches every labelled query and cross-validates. Throws `unsupported` where search by meaning is off or has no model yet,
 * `invalid-request` where the labels speak of other documents, and what a search throws.
 */
export async function tuneFusion(tuning: FusionTuning, signal?: AbortSignal): Promise<FusionTuningReport> {
  const { footnote, labels, fusion, kind, folds = 5, seed = 1 } = tuning;
  const { judgments, unknownDocuments } = await resolveJudgments(footnote, labels, signal);
  const usable = labels.queries.filter(({ id }) => judgments.has(id));
  if (usable.length === 0)
    throw new FootnoteError(
      'invalid-request',
      `None of the ${labels.queries.length} labelled queries has a relevant document in this data folder. The labels must name documents by id or uri (footnote documents lists both).`,
    );
  const read: ReadQuery[] = [];
  for (const query of usable) {
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    read.push(await readQuery(footnote, query, { judgments: judgments.get(query.id) ?? new Map(), signal }));
    tuning.onProgress?.(read.length, usable.length);
  }
  const grid = fusionGrid(kind);
  const candidates = grid.map((setting) => {
    const options = fusionFor({ kind, learnedFrom: 0 }, { ...fusion, ...setting });
    return { setting, scores: read.map((query) => scoreOf(query, options)) };
  });
  const report = tune({
    queryIds: read.map(({ id }) => id),
    inUse: read.map(({ inUse }) => inUse),
    candidates,
    folds,
    seed,
  });
  const { method, semanticWeight } = fusion;
  return {
    ...report,
    inUseSetting: { method, ...(semanticWeight !== undefined && { semanticWeight }) },
    grid: candidates.map(({ setting, scores }) => ({
      setting,
      ndcg10: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    })),
    unknownDocuments,
    unusableQueries: labels.queries.length - usable.length,
  };
}

/** The judgments in ids of this data folder: labels may name a document by id or by uri. */
async function resolveJudgments(footnote: Footnote, labels: Labels, signal?: AbortSignal) {
  const named = [...new Set([...labels.judgments.values()].flatMap((ofQuery) => [...ofQuery.keys()]))];
  const idsOf = new Map<string, Set<string>>();
  for (const values of toLookups(named)) {
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    const filter: Filter = {
      op: 'or',
      filters: (['id', 'uri'] as const).map((field) => ({ op: 'in', field, values })),
    };
    let cursor: string | undefined;
    do {
      const page = await footnote.documents.list({ filter, limit: 1000, ...(cursor !== undefined && { cursor }) });
      for (const { id, uri } of page.data)
        for (const name of [id, uri]) idsOf.set(name, (idsOf.get(name) ?? new Set()).add(id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
  const judgments = new Map<string, Map<string, number>>();
  for (const [queryId, ofQuery] of labels.judgments) {
    const known = [...ofQuery].flatMap(([name, judgment]) =>
      [...(idsOf.get(name) ?? [])].map((id) => [id, judgment] as const),
    );
    if (known.some(([, judgment]) => judgment >= 1)) judgments.set(queryId, new Map(known));
  }
  return { judgments, unknownDocuments: named.filter((name) => !idsOf.has(name)).length };
}

/** The names in groups that are short enough to be asked for at once. */
function toLookups(names: readonly string[]): string[][] {
  const groups: string[][] = [];
  let length = lookupLength;
  for (const name of names) {
    const own = encodeURIComponent(`"${name}",`).length;
    length += own;
    if (length > lookupLength) {
      groups.push([]);
      length = own;
    }
    groups.at(-1)?.push(name);
  }
  return groups;
}

async function readQuery(
  footnote: Footnote,
  { id, text }: EvaluationQuery,
  { judgments, signal }: { readonly judgments: Judgments; readonly signal: AbortSignal | undefined },
): Promise<ReadQuery> {
  const call = signal ? { signal } : {};
  const vector = await footnote.search({ query: text, mode: 'vector', topK: legDepth }, call);
  const missing = vector.degraded.find(({ component }) => component === 'vector');
  if (missing && missing.code !== emptyLegCode)
    throw new FootnoteError(
      'unsupported',
      `Mode hybrid has one leg only, so there is nothing to tune: ${missing.detail} Try again when search by meaning is ready.`,
    );
  const lexical = await footnote.search({ query: text, mode: 'embedded', topK: legDepth }, call);
  const hybrid = await footnote.search({ query: text, mode: 'hybrid', topK: hybridDepth }, call);
  return {
    id,
    judgments,
    lexical: toLeg(lexical),
    ...(!missing && { vector: toLeg(vector) }),
    isForeign: hybrid.degraded.some(({ code }) => code === 'language-mismatch'),
    documentsOf: new Map([...lexical.results, ...vector.results].map((hit) => [hit.chunkId, documentsOf(hit)])),
    inUse: ndcgOf(
      hybrid.results.map((hit) => ({ documents: documentsOf(hit), score: hit.score })),
      judgments,
    ),
  };
}

const toLeg = ({ results }: SearchResponse): LegHit[] => results.map(({ chunkId, score }) => ({ chunkId, score }));

/** A result stands for every document that has the very same text. */
const documentsOf = ({ documentId, alsoIn }: Evidence): string[] => [
  documentId,
  ...alsoIn.map((twin) => twin.documentId),
];

function ndcgOf(
  hits: readonly { readonly documents: readonly string[]; readonly score: number }[],
  judgments: Judgments,
): number {
  const found = hits.flatMap(({ documents, score }) => documents.map((documentId) => ({ documentId, score })));
  return measureQuery(foldToDocuments(found), judgments).ndcg10;
}

function scoreOf({ lexical, vector, isForeign, documentsOf: owners, judgments }: ReadQuery, options: FusionOptions) {
  const { guard: _, ...unguarded } = options;
  const hits = vector ? fuse({ lexical, vector }, isForeign ? unguarded : options).hits : lexical;
  return ndcgOf(
    hits.map(({ chunkId, score }) => ({ documents: owners.get(chunkId) ?? [], score })),
    judgments,
  );
}
