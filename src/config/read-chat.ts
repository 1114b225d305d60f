// The chat over the archive of conversations, as its settings say.

type Values = ReadonlyMap<string, string | number | boolean>;

export interface ChatConfig {
  readonly turnMaxTokens: number;
  readonly maxTokens: number;
  readonly maxHydrations: number;
  /** Whom `/chat` asks before the answer role; undefined: nobody else. */
  readonly provider: { readonly address: string; readonly model: string } | undefined;
}

/** The address of an API; what is written without a path has the usual one. */
const toAddress = (written: string): string =>
  URL.parse(written)?.pathname === '/' ? new URL('/v1', written).href : written;

export function readChat(values: Values): ChatConfig {
  const number = (name: string): number => Number(values.get(name) ?? 0);
  const address = values.get('SUPER_MIND_BASE_URL');
  return Object.freeze({
    turnMaxTokens: number('CHAT_TURN_MAX_TOKENS'),
    maxTokens: number('CHAT_MAX_TOKENS'),
    maxHydrations: number('CHAT_MAX_HYDRATIONS'),
    provider:
      address === undefined
        ? undefined
        : Object.freeze({ address: toAddress(String(address)), model: String(values.get('SUPER_MIND_MODEL')) }),
  });
}
