// One structured line of the log for each search, also for those that a question makes. What was asked stands in it only where the
// operator wants it, cut short.
import type { FinishedRequest, RequestFigures } from './finished.ts';

export interface SearchLogLine {
  readonly event: 'search';
  readonly at: string;
  readonly traceId: string;
  readonly mode: string;
  readonly resultCount: number;
  readonly topScore?: number;
  readonly avgScore?: number;
  readonly latencyMs: number;
  readonly usedFallback: boolean;
  readonly sources: readonly string[];
  readonly query?: string;
}

const queryCharacters = 100;

function askedOf({ events }: FinishedRequest): string | undefined {
  const [first] = events;
  if (first?.event.type !== 'request') return undefined;
  const { query, question, content } = first.event.body as Partial<Record<'query' | 'question' | 'content', string>>;
  // By code points: half a character would be no text.
  return [...(query ?? question ?? content ?? '')].slice(0, queryCharacters).join('');
}

/** A line for each search of a request. Milliseconds to a tenth, scores to four places. */
export function toSearchLines(
  finished: FinishedRequest,
  { searches }: RequestFigures,
  { withQueries }: { readonly withQueries: boolean },
): SearchLogLine[] {
  if (searches.length === 0) return [];
  const query = withQueries ? askedOf(finished) : undefined;
  const places = (value: number, count: number): number => Number(value.toFixed(count));
  return searches.map(({ mode, resultCount, topScore, avgScore, latencyMs, usedFallback, sources }) => ({
    event: 'search' as const,
    at: finished.startedAt,
    traceId: finished.traceId,
    mode,
    resultCount,
    ...(topScore !== undefined && { topScore: places(topScore, 4) }),
    ...(avgScore !== undefined && { avgScore: places(avgScore, 4) }),
    latencyMs: places(latencyMs, 1),
    usedFallback,
    sources,
    ...(query !== undefined && { query }),
  }));
}
