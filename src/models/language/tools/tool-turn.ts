// One turn of a model that may call tools: by the provider's own calls, or by structured output where a model has none. Invariants: both
// ways give the same turn, and a model that refused tools once is asked the other way from then on.
import { z } from 'zod';
import { FootnoteError, isFootnoteError } from '../../../core/errors.ts';
import type { CallOptions } from '../call-options.ts';
import type { GenerateRequest } from '../generation.ts';
import type { LanguageModel } from '../language-model.ts';
import type { Message, ModelEcho, Tool, ToolCall, ToolMessage } from '../messages.ts';
import { modelName } from '../model-name.ts';
import { generateStructured } from '../structured/structured.ts';

export interface ToolTurn {
  /** Empty where the model only calls. */
  readonly text: string;
  /** Empty: the model wants nothing more. Nothing of them was checked. */
  readonly calls: readonly ToolCall[];
  /** How the turn is shown to the model again, in front of the results. */
  readonly message: Message;
  /** `provider:model` that served. */
  readonly model: string;
}

export interface ToolTurnRequest extends Omit<GenerateRequest, 'json' | 'tools'> {
  readonly tools: readonly Tool[];
}

/** Throws what `LanguageModel.generate` throws, and `upstream-invalid` where neither way gives a turn. */
export type ToolAsker = (model: LanguageModel, request: ToolTurnRequest, options: CallOptions) => Promise<ToolTurn>;

const writtenTurn = z.strictObject({
  say: z.string().max(20_000).describe('What you want to say; empty while you call tools'),
  calls: z
    .array(z.strictObject({ tool: z.string().max(64), arguments: z.string().max(20_000).describe('A JSON object') }))
    .max(64),
});

/** Made once: it remembers which models have no tools. */
export function createToolAsker(): ToolAsker {
  const lacking = new Set<string>();
  let written = 0;

  const asCalls = async (model: LanguageModel, request: ToolTurnRequest, options: CallOptions): Promise<ToolTurn> => {
    const { text, toolCalls = [], echo, model: served, finish } = await model.generate(request, options);
    if (finish === 'refusal' || finish === 'content-filter')
      throw new FootnoteError('upstream-invalid', 'The model declined to answer.', { details: { model: served } });
    return { text, calls: toolCalls, message: shownAgain(text, toolCalls, echo), model: served };
  };
  const asWords = async (model: LanguageModel, request: ToolTurnRequest, options: CallOptions): Promise<ToolTurn> => {
    const { tools, toolChoice: _, messages, ...limits } = request;
    const asked = await generateStructured(
      model,
      { ...limits, name: 'tool_turn', schema: writtenTurn, messages: inWords(messages, tools) },
      options,
    );
    if (!asked.ok) {
      const { error, detail } = asked.failure;
      throw error ?? new FootnoteError('upstream-invalid', detail, { details: { model: asked.failure.model } });
    }
    const { say, calls: made } = asked.value;
    const calls = made.map(({ tool, arguments: text }) => ({
      id: `written_${++written}`,
      name: tool,
      arguments: text,
    }));
    return { text: say, calls, message: shownAgain(say, calls), model: asked.model };
  };

  return async (model, request, options) => {
    const name = modelName(model);
    if (lacking.has(name)) return asWords(model, request, options);
    try {
      return await asCalls(model, request, options);
    } catch (thrown) {
      if (!isFootnoteError(thrown) || thrown.details['parameter'] !== 'tools') throw thrown;
      lacking.add(name);
      return asWords(model, request, options);
    }
  };
}

const shownAgain = (content: string, toolCalls: readonly ToolCall[], echo?: ModelEcho): Message => ({
  role: 'assistant',
  content,
  ...(toolCalls.length > 0 && { toolCalls }),
  ...(echo && { echo }),
});

/** The same conversation for a model that knows no tools. */
function inWords(messages: readonly Message[], tools: readonly Tool[]): readonly Message[] {
  const offer = [
    'You can call tools. Answer with JSON alone: {"say": "", "calls": [{"tool": "name", "arguments": "{…}"}]}.',
    'The arguments of a call are a JSON object, written as a string. Their results come with the next message.',
    'Call nothing ("calls": []) when you need nothing more. The tools:',
    ...tools.map(({ name, description, schema }) => JSON.stringify({ name, description, arguments: schema })),
  ].join('\n');
  const spoken: Message[] = [];
  let results: ToolMessage[] = [];
  const flush = (): void => {
    if (results.length === 0) return;
    const content = results.map(({ tool, content: text }) => `Result of ${tool}:\n${text}`).join('\n\n');
    spoken.push({ role: 'user', content });
    results = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(message);
      continue;
    }
    flush();
    const { role, content, toolCalls = [] } = message;
    const calls = toolCalls.map(({ name, arguments: text }) => ({ tool: name, arguments: text }));
    spoken.push(role === 'assistant' ? { role, content: JSON.stringify({ say: content, calls }) } : { role, content });
  }
  flush();
  const system = spoken.findLastIndex(({ role }) => role === 'system');
  return spoken.toSpliced(system + 1, 0, { role: 'system', content: offer });
}
