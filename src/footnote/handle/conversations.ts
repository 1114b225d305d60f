// The archive of conversations of one scope, as doors may call it.
import type { Archive } from '../../memory/archive/archive.ts';
import type { Archives } from '../archives.ts';
import type { ConversationCalls } from '../facade/conversations.ts';

export interface ConversationParts {
  readonly archives: Archives;
  readonly archive: Archive;
  /** Longest turn that is read whole, tokens. */
  readonly turnMaxTokens: number;
}

export function createConversationsPart({ archives, archive, turnMaxTokens }: ConversationParts): ConversationCalls {
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
  };
}
