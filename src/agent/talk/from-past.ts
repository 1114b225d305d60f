// A question for what was talked about in a time ("What did we talk about in September?"), answered by the conversations of that time. Invariant: each is
// told in its own first words, which are read back from the archive.
import type { ArchiveInAnswers } from '../archive-chat/in-answers.ts';
import type { TurnContext, Understood, Verified } from '../turn/turn-state.ts';
import type { ConversationPorts } from './from-conversation.ts';
import { tellQuoted } from './tell-quoted.ts';

export interface PastPorts extends Pick<ConversationPorts, 'readSpan' | 'spanUrl'> {
  /** Absent: no archive is asked. */
  readonly past?: Pick<ArchiveInAnswers, 'ofTime'> | undefined;
}

/** Undefined where it asks for something else, or there is no conversation of that time. */
export async function fromPast(
  state: Understood,
  { past, readSpan, spanUrl }: PastPorts,
  context: TurnContext,
): Promise<Verified | undefined> {
  const { content, question } = state.request;
  const found = await past?.ofTime(content ?? question);
  if (!found) return undefined;
  const { drafts, others } = found;
  const told = drafts.map((draft) => ({ draft }));
  const left = others > 0 ? `There are ${others} more conversations of that time.` : undefined;
  return tellQuoted(state, { told, readSpan, spanUrl, of: 'archive', left }, context);
}
