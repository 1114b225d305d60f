// Structured lines of the log: one for each search, also for those that a question makes, and one for each answer that read past conversations.
// Invariants: what was asked stands in them only where the operator wants it, cut short; turns are named by their ids, without their words.
import type { ArchiveChatRequest, ReadTurn } from '../../core/archive.ts';
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

export interface ArchiveLogLine {
  readonly event: 'archive';
  readonly at: string;
  readonly traceId: string;
  readonly outcome: RequestFigures['outcome'];
  /** Each once, in the order of their reading. */
  readonly turns: readonly Pick<ReadTurn, 'conversation_id' | 'turn_id'>[];
  readonly query?: string;
}

export type RequestLogLine = SearchLogLine | ArchiveLogLine;

const queryCharacters = 100;

type Asked = Partial<Record<'query' | 'question' | 'content', string>> & Partial<Pick<ArchiveChatRequest, 'messages'>>;

function askedOf({ events }: FinishedRequest): string | undefined {
  const [first] = events;
  if (first?.event.type !== 'request') return undefined;
  const { query, question, content, messages } = first.event.body as Asked;
  // By code points: half a character would be no text.
  return [...(query ?? question ?? content ?? messages?.at(-1)?.content ?? '')].slice(0, queryCharacters).join('');
}

/** Turns of the archive that a request read, each once. */
function turnsOf({ events }: FinishedRequest): ArchiveLogLine['turns'] {
  const turns = new Map<string, ArchiveLogLine['turns'][number]>();
  for (const { event } of events) {
    if (event.type !== 'call' || event.call.port !== 'archive' || event.call.method !== 'turn') continue;
    if (event.call.error) continue;
    const { conversation_id, turn_id } = event.call.response as ReadTurn;
    turns.set(JSON.stringify([conversation_id, turn_id]), { conversation_id, turn_id });
  }
  return [...turns.values()];
}

/** The lines of a request. Milliseconds to a tenth, scores to four places. */
export function toLogLines(
  finished: FinishedRequest,
  { searches, outcome }: RequestFigures,
  { withQueries }: { readonly withQueries: boolean },
): RequestLogLine[] {
  const turns = turnsOf(finished);
  if (searches.length === 0 && turns.length === 0) return [];
  const query = withQueries ? askedOf(finished) : undefined;
  const { startedAt: at, traceId } = finished;
  const asked = query === undefined ? {} : { query };
  const places = (value: number, count: number): number => Number(value.toFixed(count));
  const found = searches.map(({ mode, resultCount, topScore, avgScore, latencyMs, usedFallback, sources }) => ({
    event: 'search' as const,
    at,
    traceId,
    mode,
    resultCount,
    ...(topScore !== undefined && { topScore: places(topScore, 4) }),
    ...(avgScore !== undefined && { avgScore: places(avgScore, 4) }),
    latencyMs: places(latencyMs, 1),
    usedFallback,
    sources,
    ...asked,
  }));
  return turns.length === 0 ? found : [...found, { event: 'archive', at, traceId, outcome, turns, ...asked }];
}
