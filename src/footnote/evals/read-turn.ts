// A turn of past conversations, read again as it stands in the record.
import type { ReadTurn } from '../../core/archive.ts';
import { isFootnoteError } from '../../core/errors.ts';
import type { ConversationCalls } from '../facade/conversations.ts';

/** All of it; undefined where it is gone. */
export async function readTurn(
  conversations: Pick<ConversationCalls, 'turn'>,
  { turn_id: id, conversation_id }: Pick<ReadTurn, 'turn_id' | 'conversation_id'>,
): Promise<ReadTurn | undefined> {
  try {
    return await conversations.turn(id, { conversation_id, content: 'full' });
  } catch (thrown) {
    if (isFootnoteError(thrown) && thrown.code === 'not-found') return undefined;
    throw thrown;
  }
}
