// Settings of the chat over the archive of conversations.
import { integer, later, type Setting, secret, url } from './setting-kinds.ts';

export const chatSettings: readonly Setting[] = [
  later('SUPER_MIND_BASE_URL', url, { meaning: 'OpenAI-compatible chat provider of /chat' }),
  { ...secret('SUPER_MIND_API_KEY', 'Key of that provider'), unused: true },
  later('CHAT_TURN_MAX_TOKENS', integer(1, 100_000), { default: '2000', meaning: 'Longest chat turn' }),
  later('CHAT_MAX_TOKENS', integer(1, 1_000_000), { default: '50000', meaning: 'Context of a chat over the archive' }),
  later('CHAT_MAX_HYDRATIONS', integer(0, 1000), { default: '20', meaning: 'Turns read in full by such a chat' }),
];
