// What a model was shown and what not, and why, as one call of the trace.
import type { Tokenizer } from '../../models/language/tokenizer-of.ts';
import { type Recording, recordCall } from '../../trace/recorder.ts';
import type { Context } from '../claims/draft.ts';
import { repairPromptName } from '../prompts/repair-claim.ts';
import type { Room } from './room.ts';

/** What was shown and what was not, and why: kept in the trace. */
export function traceContext(
  context: Context,
  { room, tokenizer, latencyMs, prompt }: { room: Room; tokenizer: Tokenizer; latencyMs: number; prompt: string },
  recording: Recording,
): void {
  const blocks = context.blocks.map(({ evidence: { chunkId, start, end }, tokens, isSummary }, at) => ({
    id: at + 1,
    chunkId,
    start,
    end,
    tokens,
    ...(isSummary && { isSummary }),
  }));
  const { name, isExact } = tokenizer;
  const request = { ...room, tokenizer: { name, isExact }, prompts: [prompt, repairPromptName] };
  const response = { tokens: context.tokens, blocks, dropped: context.dropped };
  recordCall({ port: 'answer.context', method: 'assemble', request }, recording)({ response, latencyMs });
}
