// The whole of a turn that asks for nothing: small talk is answered without a search, and says that it rests on no document.
import type { EventSink } from '../../core/events.ts';
import type { Understood, Verified } from '../turn/turn-state.ts';

const conversationalText =
  'Hello. Ask me something about your documents: every claim of an answer will cite the passage it rests on.';

export function greet({ request, intent }: Understood, sink: EventSink): Verified {
  sink({ type: 'delta', text: conversationalText });
  return {
    request,
    intent,
    text: conversationalText,
    claims: [],
    citations: [],
    conflicts: [],
    sources: [],
    coverage: 0,
    confidence: 0,
    ragEnabled: false,
    disclaimer: 'Response generated without documentation context',
    routing: { sources: [], reason: 'conversation: nothing was searched' },
    degraded: [],
    toolCalls: 0,
    usedFallback: false,
    isByModel: false,
  };
}
