// A turn of past conversations, read again as it stands in the record.
import type { ReadTurn } from '../../core/archive.ts';
import { asAbsent } from '../../core/errors.ts';
import type { ConversationCalls } from '../facade/conversations.ts';

/** All of it; undefined where it is gone. */
export const readTurn = (
  conversations: Pick<ConversationCalls, 'turn'>,
  { turn_id: id, conversation_id }: Pick<ReadTurn, 'turn_id' | 'conversation_id'>,
): Promise<ReadTurn | undefined> => conversations.turn(id, { conversation_id, content: 'full' }).catch(asAbsent);
