// The archive of conversations of one scope, as doors may call it.
import type { createArchiveChat } from '../../agent/archive-chat/archive-chat.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Archive, ArchiveChats } from '../../memory/archive/archive.ts';
import type { ConversationCalls } from '../facade/conversations.ts';
import type { Archives } from '../keeping/archives.ts';

export interface ConversationParts {
  readonly archives: Archives;
  readonly archive: Archive;
  readonly chats: ArchiveChats;
  readonly chat: ReturnType<typeof createArchiveChat>;
  /** Up to which a turn is read whole. */
  readonly turnMaxTokens: number;
}

export function createConversationsPart(parts: ConversationParts): ConversationCalls {
  const { archives, archive, chats, chat, turnMaxTokens } = parts;
  return {
    import({ content, details }, call = {}) {
      const read = (path: string) =>
        archive.importFile(path, { ...(typeof details === 'function' ? details() : details), ...call });
      return 'path' in content ? read(content.path) : archives.spooled(content, read);
    },
    addTurns: (id, { messages, ...given }) => archive.addTurns({ id, ...given }, messages),
    list: (request) => archive.list(request),
    get: (id) => archive.get(id),
    turns: (id, request) => archive.turns(id, request, turnMaxTokens),
    delete: (id) => archive.delete(id),
    peek: (request) => archive.peek(request),
    turn: (id, { conversation_id: conversationId, ...request } = {}) =>
      archive.turn(id, { ...request, conversationId, maxTokens: turnMaxTokens }),
    chat: ({ conversation_id: conversationId, messages }, call) => chat.start({ conversationId, messages }, call),
    async deleteChat(id) {
      if (!(await chats.delete(id))) throw new FootnoteError('not-found', `There is no chat "${id}" over the archive.`);
    },
  };
}
