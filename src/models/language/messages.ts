// What is said to a model and by it: messages, the tools that it may call, its calls of them and what they brought.

export interface SpokenMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Tools that the assistant called; each is answered by a message of role `tool` before anything else is said. */
  readonly toolCalls?: readonly ToolCall[];
  /** `GenerateResult.echo` of the turn that is shown again. */
  readonly echo?: ModelEcho;
}

/** What a tool handed back for one call. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly content: string;
  readonly callId: string;
  /** Name of the tool that was called. */
  readonly tool: string;
}

export type Message = SpokenMessage | ToolMessage;

/** A tool that a model may call. */
export interface Tool {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly description: string;
  /** A JSON Schema (2020-12) of an object. Providers that can, enforce it; `readToolCall` (tools/read-call.ts) checks all. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A tool that a model wants called. Nothing of it was checked: name and arguments are what the model wrote. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, or what a broken model takes for it. */
  readonly arguments: string;
}

/** What a provider wants back with a turn of its model, such as encrypted reasoning. Only the model that said it is shown it again. */
export interface ModelEcho {
  /** `provider:model`. */
  readonly model: string;
  readonly parts: readonly unknown[];
}
