// The chat over the archive of conversations, as its settings say.

type Values = ReadonlyMap<string, string | number | boolean>;

export interface ChatConfig {
  readonly turnMaxTokens: number;
  readonly maxTokens: number;
  readonly maxHydrations: number;
}

export function readChat(values: Values): ChatConfig {
  const number = (name: string): number => Number(values.get(name) ?? 0);
  return Object.freeze({
    turnMaxTokens: number('CHAT_TURN_MAX_TOKENS'),
    maxTokens: number('CHAT_MAX_TOKENS'),
    maxHydrations: number('CHAT_MAX_HYDRATIONS'),
  });
}
