// A question in its conversation, be that a session or what the caller sent along: what it asks for on its own. Invariant: what came along becomes turns
// as a session has them, so that both are resolved alike; it is data, and nothing of it is kept.
import type { History } from '../../core/answer.ts';
import type { Turn } from '../../core/conversation.ts';
import type { EventSink } from '../../core/events.ts';
import { recentTurns } from '../../memory/sessions.ts';
import { followUpChance, type LookFor, resolveFollowUp } from './follow-up.ts';
import { classifyIntent } from './intent.ts';

/** What a later question, and a model, may know of a turn. */
export interface SaidTurn extends Pick<Turn, 'id' | 'content' | 'resolvedQuestion'> {
  readonly answer: Pick<Turn['answer'], 'answer'> & { readonly claims: readonly { readonly text: string }[] };
}

interface Looking {
  readonly lookFor: LookFor;
  /** Whether what is remembered of the user answers a message by itself. */
  readonly isOfUser?: (content: string) => Promise<boolean>;
  readonly sink: EventSink;
}

const isSmallTalk = (content: string): boolean => classifyIntent(content).intent === 'conversational';

/** The question that is searched in the place of `content`, as its log tells it. Throws what `lookFor` throws. */
export async function resolveInConversation(
  content: string,
  earlier: readonly Pick<Turn, 'content'>[],
  { lookFor, isOfUser, sink }: Looking,
): Promise<string> {
  const before = askedBefore(earlier);
  const why = isSmallTalk(content)
    ? 'small talk: nothing to resolve'
    : before !== undefined && (await isOfUser?.(content))
      ? 'stands alone: a memory answers it'
      : undefined;
  const { resolved, reason } =
    why === undefined ? await resolveFollowUp(content, before, lookFor) : { resolved: content, reason: why };
  sink({ type: 'follow-up', content, resolved, reason });
  return resolved;
}

/** A question that goes on by itself says too little: it comes with the one before it, as far back as this. */
const mostBefore = 3;

function askedBefore(earlier: readonly Pick<Turn, 'content'>[]): string | undefined {
  const asked = earlier.map(({ content }) => content).filter((content) => !isSmallTalk(content));
  if (asked.length === 0) return undefined;
  const last = asked.slice(-mostBefore);
  const from = last.findLastIndex((content) => followUpChance(content, 0) < 0.5);
  return last.slice(Math.max(0, from)).join(' ');
}

/** The last turns of what was said, each message of the user with what was said to it; what stands before the first is no answer to anything. */
export function turnsOf(history: History): readonly SaidTurn[] {
  const turns: SaidTurn[] = [];
  for (const { role, content } of history) {
    if (content.trim() === '') continue;
    const last = turns.at(-1);
    if (role === 'user')
      turns.push({
        id: `said-${turns.length + 1}`,
        content,
        resolvedQuestion: content,
        answer: { answer: '', claims: [] },
      });
    else if (last) {
      const { answer, claims } = last.answer;
      const told = answer === '' ? content : `${answer}\n${content}`;
      turns[turns.length - 1] = { ...last, answer: { answer: told, claims: [...claims, { text: content }] } };
    }
  }
  return turns.slice(-recentTurns);
}
