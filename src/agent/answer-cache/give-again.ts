// A question that was answered before is answered again, without a search: the same claims and citations under a new id, and the answer says where
// they are from.
import { type Answer, type AskRequest, answerSchema, answerVersion } from '../../core/answer.ts';
import type { RequestContext } from '../../core/context.ts';
import { withRecorder } from '../../trace/recorder.ts';
import { streamText } from '../turn/stream-parts.ts';
import { type AnswerCache, type KeptAnswer, reusedFrom } from './answer-cache.ts';

const nothingSpent = { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 0, costUsd: 0 };

/** The answer that was given to the same question before, given again; undefined where there is none. */
export async function answeredBefore(
  cache: AnswerCache | undefined,
  request: AskRequest,
  context: RequestContext,
): Promise<Answer | undefined> {
  if (!cache) return undefined;
  const from = context.clock.elapsedMs();
  const { find } = withRecorder('answer-cache', { find: cache.find }, context);
  const kept = await find(request, context.clock.now());
  return kept && answerSchema.parse(giveAgain(kept, context, from));
}

/** `startedAtMs`: of the request, by its clock. */
function giveAgain(kept: KeptAnswer, { sink, ids, clock, traceId }: RequestContext, startedAtMs: number): Answer {
  const { usage: _, sessionId: __, turnId: ___, models: ____, ...given } = kept.answer;
  sink({ type: 'intent', intent: given.intent, reason: `it was answered before: "${kept.question}"` });
  sink({ type: 'status', stage: 'answering' });
  for (const citation of given.citations) sink({ type: 'citation', citation });
  streamText({ text: given.answer, marks: given.marks ?? [] }, sink);
  const answer: Answer = {
    ...given,
    id: ids.next('ans'),
    version: answerVersion,
    traceId,
    reused: reusedFrom(kept),
    usage: nothingSpent,
    timings: { totalMs: clock.elapsedMs() - startedAtMs },
  };
  sink({ type: 'done', answer });
  return answer;
}
