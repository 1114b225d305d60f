// A question in its conversation, be that a session or what the caller sent along: what it asks for on its own. Invariant: what came along becomes turns
// as a session has them, so that both are resolved alike; it is data, and nothing of it is kept.
import type { History } from '../../core/answer.ts';
import type { Turn } from '../../core/conversation.ts';
import type { EventSink } from '../../core/events.ts';
import { recentTurns } from '../../memory/sessions.ts';
import { type EarlierTurn, type FollowUp, resolveFollowUp } from './follow-up.ts';
import { classifyIntent } from './intent.ts';

/** What a later question, and a model, may know of a turn. */
export interface SaidTurn extends EarlierTurn, Pick<Turn, 'id' | 'content'> {
  readonly answer: EarlierTurn['answer'] & Pick<Turn['answer'], 'answer'>;
}

const resolve = (content: string, earlier: readonly EarlierTurn[]): FollowUp =>
  classifyIntent(content).intent === 'conversational'
    ? { resolved: content, reason: 'small talk: nothing to resolve' }
    : resolveFollowUp(content, earlier);

/** The question that is searched in the place of `content`, as its log tells it. */
export function resolveInConversation(content: string, earlier: readonly EarlierTurn[], sink: EventSink): string {
  const { resolved, reason } = resolve(content, earlier);
  sink({ type: 'follow-up', content, resolved, reason });
  return resolved;
}

/** The last turns of what was said, each message of the user with what was said to it; what stands before the first is no answer to anything. */
export function turnsOf(history: History): readonly SaidTurn[] {
  const turns: SaidTurn[] = [];
  for (const { role, content } of history) {
    if (content.trim() === '') continue;
    const last = turns.at(-1);
    if (role === 'user') {
      const { resolved } = resolve(content, turns.slice(-recentTurns));
      const id = `said-${turns.length + 1}`;
      turns.push({ id, content, resolvedQuestion: resolved, answer: { answer: '', claims: [] } });
    } else if (last) {
      const { answer, claims } = last.answer;
      const told = answer === '' ? content : `${answer}\n${content}`;
      turns[turns.length - 1] = { ...last, answer: { answer: told, claims: [...claims, { text: content }] } };
    }
  }
  return turns.slice(-recentTurns);
}
