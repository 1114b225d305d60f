// A turn that ends without a search: what is said rests on no document, and says so.
import { toInert } from '../../core/answers/inert-text.ts';
import type { EventSink } from '../../core/events.ts';
import type { Degradation } from '../../core/search.ts';
import type { Understood, Verified } from '../turn/turn-state.ts';

export interface UnsearchedTurn {
  readonly text: string;
  /** Why nothing was searched. */
  readonly reason: string;
  readonly degraded: readonly Degradation[];
  /** A model wrote the text. */
  readonly isByModel?: boolean;
}

/** What is common to all turns that end without a search. */
export const withoutSearch = ({ request, intent, degraded }: Understood, reason: string): Omit<Verified, 'text'> => ({
  request,
  intent,
  claims: [],
  citations: [],
  conflicts: [],
  sources: [],
  coverage: 0,
  confidence: 0,
  ragEnabled: false,
  routing: { sources: [], reason },
  degraded,
  toolCalls: 0,
  usedFallback: false,
  isByModel: false,
});

export function unsearched(
  state: Understood,
  { text: said, reason, degraded, isByModel = false }: UnsearchedTurn,
  sink: EventSink,
): Verified {
  const text = toInert(said);
  sink({ type: 'delta', text });
  const disclaimer = 'Response generated without documentation context';
  return { ...withoutSearch({ ...state, degraded }, reason), text, disclaimer, isByModel };
}
