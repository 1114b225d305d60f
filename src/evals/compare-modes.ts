// What a mode changes against another on the same queries: the mean difference with its interval and p-value, how many queries win,
// lose and tie, and the queries that gain and lose most, each with the document that explains it. Pure.
import type { Mode } from '../core/search.ts';
import type { Labels } from './datasets.ts';
import { type Comparison, compare, type Judgments } from './metrics.ts';
import type { RankedQuery, RetrievalReport } from './retrieval.ts';

export interface QueryChange {
  readonly queryId: string;
  /** Empty for a judged query that the set has no text for. */
  readonly text: string;
  /** nDCG@10 in the reference mode. */
  readonly before: number;
  readonly after: number;
  /** The relevant document whose move changed the score most; absent where none moved. */
  readonly documentId?: string;
  /** Its rank, from 1, in each mode that found it. */
  readonly ranks: Readonly<Partial<Record<Mode, number>>>;
}

export interface ModeComparison {
  readonly mode: Mode;
  readonly reference: Mode;
  /** nDCG@10 of the mode less that of the reference, over queries. */
  readonly difference: Comparison;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Greatest first. */
  readonly gained: readonly QueryChange[];
  readonly lost: readonly QueryChange[];
}

/** Smaller differences are sums in another order. */
const noDifference = 1e-9;

/**
 * Compares each report with that of the reference mode; nothing if that mode was not measured. `shown` is how many queries are named
 * on either side (default 5).
 */
export function compareModes(
  reports: readonly RetrievalReport[],
  labels: Labels,
  options: { readonly reference?: Mode; readonly shown?: number; readonly seed?: number } = {},
): ModeComparison[] {
  const { reference: wanted = 'embedded', shown = 5, seed = 1 } = options;
  const reference = reports.find(({ mode }) => mode === wanted);
  if (!reference) return [];
  const texts = new Map(labels.queries.map(({ id, text }) => [id, text]));
  const ranks = new Map(reports.map((report) => [report.mode, rankIn(report.run)]));
  const ids = [...reference.perQuery.keys()];
  const scoreIn = (report: RetrievalReport, id: string): number => report.perQuery.get(id)?.ndcg10 ?? 0;

  const describe = (id: string, report: RetrievalReport): QueryChange => {
    const change = { before: scoreIn(reference, id), after: scoreIn(report, id) };
    const documentId = explainingDocument(labels.judgments.get(id) ?? new Map(), change, (document) => ({
      before: ranks.get(reference.mode)?.(id, document),
      after: ranks.get(report.mode)?.(id, document),
    }));
    const found = [...ranks].flatMap(([mode, rankOf]) => {
      const rank = documentId === undefined ? undefined : rankOf(id, documentId);
      return rank === undefined ? [] : [[mode, rank] as const];
    });
    return {
      queryId: id,
      text: texts.get(id) ?? '',
      ...change,
      ...(documentId !== undefined && { documentId }),
      ranks: Object.fromEntries(found),
    };
  };

  return reports
    .filter((report) => report !== reference)
    .map((report): ModeComparison => {
      const changes = ids
        .map((id) => ({ id, difference: scoreIn(report, id) - scoreIn(reference, id) }))
        .sort((left, right) => right.difference - left.difference || (left.id < right.id ? -1 : 1));
      const wins = changes.filter(({ difference }) => difference > noDifference);
      const losses = changes.filter(({ difference }) => difference < -noDifference).reverse();
      return {
        mode: report.mode,
        reference: reference.mode,
        difference: compare(
          ids.map((id) => scoreIn(reference, id)),
          ids.map((id) => scoreIn(report, id)),
          { seed },
        ),
        wins: wins.length,
        losses: losses.length,
        ties: changes.length - wins.length - losses.length,
        gained: wins.slice(0, shown).map(({ id }) => describe(id, report)),
        lost: losses.slice(0, shown).map(({ id }) => describe(id, report)),
      };
    });
}

type RankOf = (queryId: string, documentId: string) => number | undefined;

function rankIn(run: readonly RankedQuery[]): RankOf {
  const byQuery = new Map(run.map(({ queryId, documents }) => [queryId, documents]));
  return (queryId, documentId) => {
    const place = byQuery.get(queryId)?.findIndex((document) => document.documentId === documentId) ?? -1;
    return place < 0 ? undefined : place + 1;
  };
}

/** The relevant document whose share of the discounted gain within the first ten moved most, the way the score moved. */
function explainingDocument(
  judgments: Judgments,
  { before, after }: { readonly before: number; readonly after: number },
  ranksOf: (documentId: string) => { readonly before: number | undefined; readonly after: number | undefined },
): string | undefined {
  const direction = Math.sign(after - before);
  let best: { readonly id: string; readonly moved: number } | undefined;
  for (const [id, judgment] of judgments) {
    if (judgment < 1) continue;
    const worth = (rank: number | undefined): number =>
      rank === undefined || rank > 10 ? 0 : judgment / Math.log2(rank + 1);
    const ranks = ranksOf(id);
    const moved = direction * (worth(ranks.after) - worth(ranks.before));
    if (moved > 0 && (best === undefined || moved > best.moved)) best = { id, moved };
  }
  return best?.id;
}
