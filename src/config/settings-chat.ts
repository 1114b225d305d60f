// Settings of the chat over the archive of conversations.
import { integer, later, type Setting, secret, url } from './setting-kinds.ts';

export const chatSettings: readonly Setting[] = [
  later('SUPER_MIND_BASE_URL', url, { meaning: 'OpenAI-compatible chat provider of /chat' }),
  { ...secret('SUPER_MIND_API_KEY', 'Key of that provider'), unused: true },
  {
    name: 'CHAT_TURN_MAX_TOKENS',
    schema: integer(1, 100_000),
    default: '2000',
    meaning: 'Tokens up to which a turn of the archive is read whole; a longer one is summarised, and says so',
  },
  {
    name: 'CHAT_MAX_TOKENS',
    schema: integer(1, 1_000_000),
    default: '50000',
    meaning: 'Tokens of the archive that a question to `/chat` may read',
  },
  {
    name: 'CHAT_MAX_HYDRATIONS',
    schema: integer(0, 1000),
    default: '20',
    meaning: 'Turns of the archive that a question to `/chat` may read',
  },
];
