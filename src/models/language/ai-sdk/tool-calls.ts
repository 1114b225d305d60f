// Tools at the seam of the AI SDK: which are offered, what the model called, and how a turn with calls is shown again. Invariants: of what a
// provider executes by itself only its search of files is offered, where that is asked for, and none is ever answered; what one provider wants
// back is shown to no other.
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { FileSearchCall } from '../file-search.ts';
import type { GenerateRequest, GenerateResult } from '../generation.ts';
import type { Message, ToolCall } from '../messages.ts';
import { readFileSearch } from './file-search.ts';

export type TurnParts = Pick<GenerateResult, 'toolCalls' | 'echo' | 'fileSearches'>;

type AssistantPart = Extract<LanguageModelV4Prompt[number], { role: 'assistant' }>['content'][number];
type ReasoningPart = Extract<AssistantPart, { type: 'reasoning' }>;

/** More calls than anybody could want, of a model that repeats itself: the rest is not kept. */
const mostCalls = 256;
/** Longer arguments are cut, which makes them unreadable: no tool takes so much. */
const mostArgumentCharacters = 100_000;

/** `isStrict`: whether a provider's strict mode takes a schema. */
export function toolOptions(
  { tools = [], toolChoice = 'auto' }: GenerateRequest,
  isStrict: (schema: unknown) => boolean,
): Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: { ...schema },
      strict: isStrict(schema),
    })),
    toolChoice: { type: toolChoice },
  };
}

/** `model` is `provider:model` of who will read it. */
export function toPrompt(messages: readonly Message[], model: string): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  for (const message of messages) {
    const { role, content } = message;
    if (role === 'tool') {
      const result = {
        type: 'tool-result' as const,
        toolCallId: message.callId,
        toolName: message.tool,
        output: { type: 'text' as const, value: content },
      };
      const last = prompt.at(-1);
      // Results of calls that were made together are handed back together.
      if (last?.role === 'tool') last.content.push(result);
      else prompt.push({ role, content: [result] });
    } else if (role === 'system') prompt.push({ role, content });
    else if (role === 'user') prompt.push({ role, content: [{ type: 'text', text: content }] });
    else prompt.push({ role, content: assistantParts(message, model) });
  }
  return prompt;
}

function assistantParts(
  { content, toolCalls = [], echo }: Exclude<Message, { role: 'tool' }>,
  model: string,
): AssistantPart[] {
  const said = echo?.model === model ? (echo.parts as readonly ReasoningPart[]) : [];
  // Providers refuse an empty text beside calls.
  const text = content === '' && toolCalls.length > 0 ? [] : [{ type: 'text' as const, text: content }];
  const calls = toolCalls.map(({ id, name, arguments: written }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: objectOf(written),
  }));
  return [...said, ...text, ...calls];
}

/** Arguments that could not be read are shown as none: the result of the call says what was wrong with them. */
function objectOf(written: string): object {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** Collects what of a turn is not its text, whole or in pieces. */
export function createTurnReader(model: string) {
  const calls = new Map<string, ToolCall>();
  const fileSearches: FileSearchCall[] = [];
  const reasoning = new Map<string, ReasoningPart>();
  const reason = (id: string, more: Partial<ReasoningPart>): void => {
    const { text = '', providerOptions } = reasoning.get(id) ?? {};
    const options = more.providerOptions ?? providerOptions;
    reasoning.set(id, {
      type: 'reasoning',
      text: text + (more.text ?? ''),
      ...(options && { providerOptions: options }),
    });
  };
  return {
    take(part: LanguageModelV4Content | LanguageModelV4StreamPart): void {
      if (part.type === 'tool-call') {
        if (part.providerExecuted === true || calls.size >= mostCalls) return;
        // Some servers give two calls one id, or none.
        const given = part.toolCallId;
        const id = given === '' || calls.has(given) ? `call_${calls.size + 1}_${given}` : given;
        calls.set(id, { id, name: part.toolName, arguments: part.input.slice(0, mostArgumentCharacters) });
      } else if (part.type === 'tool-result') {
        const made = fileSearches.length < mostCalls ? readFileSearch(part) : undefined;
        if (made) fileSearches.push(made);
      } else if (part.type === 'reasoning') {
        const options = part.providerMetadata && { providerOptions: part.providerMetadata };
        reason(`whole ${reasoning.size}`, { text: part.text, ...options });
      } else if (part.type === 'reasoning-start' || part.type === 'reasoning-end')
        reason(part.id, { ...(part.providerMetadata && { providerOptions: part.providerMetadata }) });
      else if (part.type === 'reasoning-delta') reason(part.id, { text: part.delta });
    },
    end(): TurnParts {
      // Only what the provider marked has to come back; thoughts in plain words do not.
      const parts = [...reasoning.values()].filter(({ providerOptions }) => providerOptions !== undefined);
      return {
        ...(calls.size > 0 && { toolCalls: [...calls.values()] }),
        ...(fileSearches.length > 0 && { fileSearches }),
        ...(calls.size > 0 && parts.length > 0 && { echo: { model, parts } }),
      };
    },
  };
}
