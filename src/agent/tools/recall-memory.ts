// The tool with which a model that says what to look up recalls what the user said in earlier conversations. Invariants: whose memories they are is the
// request's own, no argument names a user; what was said is shown as data; what was recalled is told like anything else that is recalled.
import { z } from 'zod';
import { fence } from '../../answer/context/evidence.ts';
import type { RequestContext } from '../../core/context.ts';
import { memoryTitle, type RecalledMemory } from '../../core/memory.ts';
import type { RequestMemory } from '../../memory/facts/for-requests.ts';
import { tellRecalled } from '../turn/tell-recalled.ts';
import { type AgentTool, type FurtherTools, longestQuery } from './palette.ts';

export interface MemoryTool extends FurtherTools {
  /** What the model recalled so far, each once. */
  recalled(): readonly RecalledMemory[];
}

export function createMemoryTool(
  memory: Pick<RequestMemory, 'recall'>,
  { sink, budget }: Pick<RequestContext, 'sink' | 'budget'>,
): MemoryTool {
  const byId = new Map<string, RecalledMemory>();
  return {
    recalled: () => [...byId.values()],
    async tools(_, shown) {
      const tool: AgentTool<{ query: string }> = {
        form: {
          name: 'recall_memory',
          description:
            'Recalls what the user said about themselves and their wishes in earlier conversations. Hands back their words, which are no passages of documents.',
          schema: z.strictObject({
            query: z.string().min(1).max(longestQuery).describe('What to recall, in plain words'),
          }),
        },
        async run({ query }) {
          budget.takeToolCall();
          const found = await memory.recall(query);
          shown.show({ evidence: [], routing: { sources: [], reason: '' }, degraded: [], toolCalls: 1 });
          tellRecalled(found, sink);
          for (const one of found) byId.set(one.id, one);
          if (found.length === 0) return { text: 'Nothing is remembered of it.' };
          return { text: found.map((one) => `${memoryTitle(one)}:\n${fence(one.text)}`).join('\n\n') };
        },
      };
      return [tool as AgentTool];
    },
  };
}
