// An archive of conversations with nothing in it, for contract tests that speak of other things.
import { FootnoteError } from '../../src/core/errors.ts';
import type { ConversationCalls } from '../../src/footnote/facade/conversations.ts';

const missing = async (): Promise<never> => {
  throw new FootnoteError('not-found', 'There is nothing in this archive.');
};

export const fakeConversations: ConversationCalls = {
  async import({ content }) {
    if (!('path' in content)) for await (const _ of content);
    return missing();
  },
  addTurns: missing,
  list: async () => ({ data: [] }),
  get: missing,
  turns: missing,
  delete: missing,
  peek: missing,
  turn: missing,
  chat: missing,
  deleteChat: missing,
};
