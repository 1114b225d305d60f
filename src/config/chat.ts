// The chat over the archive of conversations: its settings, and what they say.
import { apiUrl, integer, type SettingKinds, secret, text, type ValuesOf } from './setting-kinds.ts';

export const chatSettings = {
  SUPER_MIND_BASE_URL: apiUrl.describe(
    'Address of an OpenAI-compatible chat provider (chat completions, streaming) that explores the archive for `/chat`; without a path, `/v1`',
  ),
  SUPER_MIND_API_KEY: secret('Key of that provider'),
  SUPER_MIND_MODEL: text.default('default').describe('Model that is asked of that provider'),
  MODEL_CHAT: text.describe(
    'Model that explores the archive for `/chat`, or `none`; not set: that of SUPER_MIND_BASE_URL, or MODEL_ANSWER',
  ),
  CHAT_TURN_MAX_TOKENS: integer(1, 100_000)
    .default(2000)
    .describe('Tokens up to which a turn of the archive is read whole; a longer one is summarised, and says so'),
  CHAT_MAX_TOKENS: integer(1, 1_000_000)
    .default(50_000)
    .describe('Tokens of the archive that a question to `/chat` may read'),
  CHAT_MAX_HYDRATIONS: integer(0, 1000)
    .default(20)
    .describe('Turns of the archive that a question to `/chat` may read'),
} satisfies SettingKinds;

/** The address of an API; what is written without a path has the usual one. */
const toAddress = (written: string): string =>
  URL.parse(written)?.pathname === '/' ? new URL('/v1', written).href : written;

export const readChat = (values: ValuesOf<typeof chatSettings>) => ({
  turnMaxTokens: values.CHAT_TURN_MAX_TOKENS,
  maxTokens: values.CHAT_MAX_TOKENS,
  maxHydrations: values.CHAT_MAX_HYDRATIONS,
  /** Whom `/chat` asks before the answer role; undefined: nobody else. */
  provider:
    values.SUPER_MIND_BASE_URL === undefined
      ? undefined
      : { address: toAddress(values.SUPER_MIND_BASE_URL), model: values.SUPER_MIND_MODEL },
});
