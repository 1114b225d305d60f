// Which question a message of a conversation asks, told by how surely what this server holds answers either reading. Neither a store beside the record, the web nor a
// language model is asked for it. Invariant: a look that fails is no answer, and stops nobody: the search that follows says what is wrong.
import { answerChance } from '../answer/passages/passage-composer.ts';
import type { RequestContext } from '../core/context.ts';
import type { SearchOptions } from '../core/search.ts';
import type { RequestMemory } from '../memory/facts/for-requests.ts';
import { resolveInConversation, type SaidTurn } from './intent/conversation.ts';
import { usualDepth } from './intent/depths.ts';
import type { LookFor } from './intent/follow-up.ts';
import type { RequestPorts } from './request-ports.ts';

interface Look extends Pick<SearchOptions, 'sources' | 'filter'> {
  readonly contextTokens: number;
}

interface Said {
  readonly content: string;
  /** Absent: it is said in no conversation. */
  readonly earlier?: readonly SaidTurn[] | undefined;
  /** Told the outcome. */
  readonly onResolved?: ((question: string) => void) | undefined;
}

interface LookPorts extends Pick<RequestPorts, 'here' | 'passageScorer'> {
  /** Absent: nothing is remembered. */
  readonly memory?: Pick<RequestMemory, 'answersTo'> | undefined;
}

/** The question that is searched in the place of a message. Throws where the request is over. */
export async function questionIn(
  { content, earlier, onResolved }: Said,
  { memory, look, ...ports }: LookPorts & { readonly look: Look },
  context: RequestContext,
): Promise<string> {
  if (!earlier) return content;
  const lookFor = lookingHere(ports, look, context);
  const isOfUser = async (message: string) => ((await memory?.answersTo(message)) ?? []).length > 0;
  const looking = { lookFor, isOfUser, sink: context.sink };
  const question = await resolveInConversation(content, earlier, looking);
  onResolved?.(question);
  return question;
}

function lookingHere(
  { here, passageScorer }: Pick<RequestPorts, 'here' | 'passageScorer'>,
  { sources, filter, contextTokens }: Look,
  { deadline }: Pick<RequestContext, 'deadline'>,
): LookFor {
  const { signal } = deadline;
  return async (question) => {
    try {
      const asked = {
        query: question,
        mode: 'embedded',
        topK: usualDepth,
        isForAnswer: true,
        sources,
        filter,
      } as const;
      const { evidence } = await here.retrieve(asked, { sink: () => {} });
      const request = { question, evidence, contextTokens };
      const statistics = async () => here.statistics?.(question, signal);
      return await answerChance(request, { passageScorer, statistics, deadline, timed: async (_, work) => work() });
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  };
}
