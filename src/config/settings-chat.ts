// Settings of the chat over the archive of conversations.
import { apiUrl, integer, type Setting, secret, text } from './setting-kinds.ts';

export const chatSettings: readonly Setting[] = [
  {
    name: 'SUPER_MIND_BASE_URL',
    schema: apiUrl,
    meaning:
      'Address of an OpenAI-compatible chat provider (chat completions, streaming) that explores the archive for `/chat`; without a path, `/v1`',
  },
  secret('SUPER_MIND_API_KEY', 'Key of that provider'),
  { name: 'SUPER_MIND_MODEL', schema: text, default: 'default', meaning: 'Model that is asked of that provider' },
  {
    name: 'MODEL_CHAT',
    schema: text,
    meaning:
      'Model that explores the archive for `/chat`, or `none`; not set: that of SUPER_MIND_BASE_URL, or MODEL_ANSWER',
  },
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
