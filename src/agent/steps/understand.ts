// The first step of a turn: what kind of request it is, by patterns or, where they only guess, by a model.
import { classifyIntent } from '../intent/intent.ts';
import type { IntentClassifier, RoutedIntent } from '../intent/intent-by-model.ts';
import type { TurnContext, TurnRequest, Understood } from '../turn/turn-state.ts';

export interface UnderstandPorts {
  /** Says what kind of request a question is; patterns alone where there is none. */
  readonly classify?: IntentClassifier;
}

export async function understand(
  request: TurnRequest,
  { classify }: UnderstandPorts,
  context: TurnContext,
): Promise<Understood> {
  const { sink } = context;
  sink({ type: 'status', stage: 'understanding' });
  const routed: Pick<RoutedIntent, 'intent' | 'reason'> & Partial<RoutedIntent> = classify
    ? await context.timed('classifyMs', () => classify(request.question, context))
    : classifyIntent(request.question);
  const { intent, reason, degraded = [] } = routed;
  sink({ type: 'intent', intent, reason });
  for (const degradation of degraded) sink({ type: 'degraded', degradation });
  return { request, intent, degraded: [...request.degraded, ...degraded] };
}
