// A histogram over time of all hits: bins of the calendar without a gap between the first and the last, the highest of them marked, and
// where it is worth to look closer. Linear in hits.
import type { BinUnit, PeekBin } from '../../../core/archive.ts';
import { FootnoteError } from '../../../core/errors.ts';
import type { Calendar, Unit } from './calendar.ts';

/** A request for more is refused. */
const mostBins = 5000;
/** What `auto` keeps to. */
const autoBins = 60;

const daysOf: Readonly<Record<Unit, number>> = { hour: 1 / 24, day: 1, week: 7, month: 30.4, quarter: 91, year: 365 };
const finer: readonly Unit[] = ['hour', 'day', 'week', 'month', 'quarter', 'year'];
const dayMs = 86_400_000;

export interface Span {
  readonly fromMs: number;
  /** Belongs to it. */
  readonly lastMs: number;
}

export function chooseUnit({ fromMs, lastMs }: Span, wanted: BinUnit = 'auto'): Unit {
  const days = (lastMs - fromMs) / dayMs;
  if (wanted === 'auto')
    // Hours are only of use within some days, weeks are nobody's memory.
    return finer.find((unit) => unit !== 'week' && days / daysOf[unit] <= autoBins) ?? 'year';
  if (days / daysOf[wanted] > mostBins)
    throw new FootnoteError(
      'invalid-request',
      `bin: "${wanted}" would cut ${Math.ceil(days)} days into more than ${mostBins} bins. Choose a larger one, or a time_range.`,
    );
  return wanted;
}

export interface Bins {
  readonly unit: Unit;
  /** One more than there are bins. */
  readonly edges: readonly number[];
  /** -1 outside of them. */
  binAt(ms: number): number;
}

export function cutBins(span: Span, unit: Unit, calendar: Calendar): Bins {
  const edges: number[] = [];
  for (let ms = span.fromMs; edges.length <= mostBins + 1; ) {
    const { fromMs, toMs } = calendar.binOf(ms, unit);
    if (edges.length === 0) edges.push(fromMs);
    edges.push(toMs);
    if (toMs > span.lastMs) break;
    ms = toMs;
  }
  return {
    unit,
    edges,
    binAt(ms) {
      let low = 0;
      let high = edges.length - 1;
      if (!(ms >= (edges[0] as number) && ms < (edges[high] as number))) return -1;
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        if ((edges[middle] as number) <= ms) low = middle;
        else high = middle;
      }
      return low;
    },
  };
}

/** Peaks at most. */
const mostPeaks = 5;

/** Bins that stand out: no lower than those beside them, and higher than most. */
export function findPeaks(counts: readonly number[]): ReadonlySet<number> {
  const filled = counts.filter((count) => count > 0);
  if (filled.length === 0) return new Set();
  const mean = filled.reduce((sum, count) => sum + count, 0) / filled.length;
  const deviation = Math.sqrt(filled.reduce((sum, count) => sum + (count - mean) ** 2, 0) / filled.length);
  const standing = counts
    .map((count, at) => ({ count, at }))
    .filter(({ count, at }) => {
      if (count <= mean || count < mean + deviation / 2) return false;
      return count >= (counts[at - 1] ?? 0) && count >= (counts[at + 1] ?? 0);
    })
    .sort((left, right) => right.count - left.count || left.at - right.at);
  // Where all are alike the first of them is shown.
  if (standing.length === 0) return new Set([counts.indexOf(Math.max(...filled))]);
  return new Set(standing.slice(0, mostPeaks).map(({ at }) => at));
}

export function printBins(
  { edges, unit }: Bins,
  { counts, best }: { readonly counts: readonly number[]; readonly best: readonly number[] },
  calendar: Calendar,
): readonly PeekBin[] {
  const peaks = findPeaks(counts);
  return counts.map((count, at) => ({
    label: calendar.labelOf(edges[at] as number, unit),
    from: new Date(edges[at] as number).toISOString(),
    to: new Date(edges[at + 1] as number).toISOString(),
    count,
    top_k: best[at] as number,
    peak: peaks.has(at),
  }));
}

/** The bin with most of the best hits, and how to cut it; undefined where the hits lie in one bin that is not worth cutting. */
export function suggestZoom(bins: readonly PeekBin[], unit: Unit) {
  const filled = bins.filter(({ count }) => count > 0);
  const [best] = filled.toSorted((left, right) => right.top_k - left.top_k || right.count - left.count);
  const next = ({ year: 'month', quarter: 'month', month: 'day', week: 'day', day: 'hour', hour: undefined } as const)[
    unit
  ];
  if (!best || next === undefined || (filled.length === 1 && best.count < 2)) return undefined;
  const hits = best.count === 1 ? '1 hit' : `${best.count} hits`;
  return {
    time_range: { from: best.from, to: best.to },
    bin: next,
    reason: `${best.label} has ${hits}, ${best.top_k} of them among the best.`,
  };
}
