// The last step of a turn: the answer with what it took, who served it, and its times.
import { type Answer, answerVersion } from '../../core/answer.ts';
import { servedModels } from '../turn/served-models.ts';
import { spentOn } from '../turn/spent-on.ts';
import type { TurnContext, Verified } from '../turn/turn-state.ts';

/** `timings` is asked when all else is known. */
export async function finish(
  state: Verified,
  timings: () => Answer['timings'],
  { sink, budget, ids, traceId }: TurnContext,
): Promise<Answer> {
  const { request, intent, abstainReason, disclaimer } = state;
  const spent = await spentOn(budget);
  const served = servedModels(budget);
  for (const degradation of served.degraded) sink({ type: 'degraded', degradation });
  // A model whose words were of no use did not answer.
  const models = served.models.filter(({ role }) => role !== 'answer' || state.isByModel);
  const answer: Answer = {
    id: ids.next('ans'),
    version: answerVersion,
    ...(request.sessionId !== undefined && { sessionId: request.sessionId }),
    ...(request.turnId !== undefined && { turnId: request.turnId }),
    traceId,
    mode: request.mode,
    intent,
    answer: state.text,
    marks: state.marks ?? [],
    claims: state.claims,
    ...(state.passages && { passages: state.passages }),
    citations: state.citations,
    conflicts: state.conflicts,
    ...(state.agreements && { agreements: state.agreements }),
    ...(state.parts && { parts: [...state.parts] }),
    ...(state.critique && { critique: state.critique }),
    ...(state.sections && { sections: [...state.sections] }),
    sources: state.sources,
    abstained: abstainReason !== undefined,
    ...(abstainReason !== undefined && { abstainReason }),
    ragEnabled: state.ragEnabled,
    confidence: state.confidence,
    ...(state.closestPassages && { closestPassages: true }),
    coverage: state.coverage,
    ...(disclaimer !== undefined && { disclaimer }),
    routing: state.routing,
    degraded: [...state.degraded, ...served.degraded],
    ...(state.usedFallback && { usedFallback: true }),
    ...(models.length > 0 && { models: [...models] }),
    usage: {
      ...spent,
      toolCalls: state.toolCalls,
      ...(state.claimCounts && { claims: state.claimCounts }),
      ...(state.hydration && { hydration: state.hydration }),
    },
    timings: timings(),
  };
  sink({ type: 'done', answer });
  return answer;
}
