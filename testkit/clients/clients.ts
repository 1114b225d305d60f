// Clients that people have, each asking in its own way: what the table "What each shows" of docs/doors.md is made of. Those in test-clients/sdks have a tree of
// their own (`npm ci --ignore-scripts --prefix test-clients/sdks`) and are there only when it was installed.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import OpenAI from 'openai';
import { connectMcp, overHttp, type Revision, revisions, textOf } from '../mcp-clients.ts';
import type { Given } from './shown.ts';

export interface Question {
  /** Of the server, without a path. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly question: string;
  readonly signal: AbortSignal;
}

export interface RealClient {
  /** As the table names it. */
  readonly name: string;
  /** The package of test-clients/sdks that it is or needs; absent: it is among the dependencies here. */
  readonly needs?: string;
  /** Absent: it always streams. */
  ask?(question: Question): Promise<Given>;
  /** Absent: it never streams. */
  stream?(question: Question): Promise<Given>;
  /** It chooses no model, so there is none with links. */
  readonly isWithoutModel?: boolean;
}

const folder = join(import.meta.dirname, '../../test-clients/sdks');
const { resolve } = createRequire(join(folder, 'package.json'));

export const isInstalled = ({ needs }: RealClient): boolean =>
  needs === undefined || existsSync(join(folder, 'node_modules', needs));

async function load<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(resolve(name)).href)) as Module;
}

const user = (content: string) => [{ role: 'user' as const, content }];

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const part of parts) found.push(part);
  return found;
}

const openaiOf = ({ url, key }: Question): OpenAI => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });

const chat = (completion: OpenAI.ChatCompletion): Given => ({
  text: completion.choices[0]?.message.content ?? '',
  result: { ...completion, choices: undefined, message: completion.choices[0]?.message },
});
const response = (given: OpenAI.Responses.Response): Given => ({ text: given.output_text, result: given });

const official: readonly RealClient[] = [
  {
    name: '`openai`, completions',
    async ask(asked) {
      const body = { model: asked.model, messages: user(asked.question) };
      return chat(await openaiOf(asked).chat.completions.create(body, asked));
    },
    async stream(asked) {
      const body = { model: asked.model, messages: user(asked.question) };
      return chat(await openaiOf(asked).chat.completions.stream(body, asked).finalChatCompletion());
    },
  },
  {
    name: '`openai`, responses',
    async ask(asked) {
      return response(await openaiOf(asked).responses.create({ model: asked.model, input: asked.question }, asked));
    },
    async stream(asked) {
      const body = { model: asked.model, input: asked.question };
      return response(await openaiOf(asked).responses.stream(body, asked).finalResponse());
    },
  },
];

interface AiResult {
  readonly text: PromiseLike<string> | string;
  readonly sources: PromiseLike<unknown> | unknown;
  readonly content: PromiseLike<unknown> | unknown;
}
interface AiSdk {
  generateText(options: object): Promise<AiResult>;
  streamText(options: object): AiResult & { readonly fullStream: AsyncIterable<{ type: string; error?: unknown }> };
  readonly DefaultChatTransport: new (
    options: object,
  ) => { sendMessages(options: object): Promise<ReadableStream<unknown>> };
  readUIMessageStream(options: {
    stream: ReadableStream<unknown>;
    onError: (error: unknown) => void;
    terminateOnError: boolean;
  }): AsyncIterable<{ readonly parts: readonly { readonly type: string; readonly text?: string }[] }>;
}

const aiClient = (name: string, modelOf: (asked: Question) => unknown): RealClient => {
  const optionsOf = (asked: Question) => ({
    ...{
      model: modelOf(asked),
      prompt: asked.question,
      maxRetries: 0,
      maxOutputTokens: 4096,
      abortSignal: asked.signal,
    },
    onError: () => undefined,
  });
  const given = async ({ text, sources, content }: AiResult): Promise<Given> => ({
    text: await text,
    result: { sources: await sources, content: await content },
  });
  return {
    name,
    needs: 'ai',
    async ask(asked) {
      const { generateText } = await load<AiSdk>('ai');
      return given(await generateText(optionsOf(asked)));
    },
    async stream(asked) {
      const { streamText } = await load<AiSdk>('ai');
      const result = streamText(optionsOf(asked));
      for (const { type, error } of await all(result.fullStream)) {
        if (type === 'error') throw error;
        if (type === 'abort') throw new Error('aborted');
      }
      return given(result);
    },
  };
};
const settingsOf = ({ url, key }: Question) => ({ baseURL: `${url}/v1`, apiKey: key, name: 'footnote' });

const aiSdk: readonly RealClient[] = [
  aiClient('`@ai-sdk/openai`, `chat`', (asked) => createOpenAI(settingsOf(asked)).chat(asked.model)),
  aiClient('`@ai-sdk/openai`, `responses`', (asked) => createOpenAI(settingsOf(asked)).responses(asked.model)),
  aiClient('`@ai-sdk/openai-compatible`', (asked) => createOpenAICompatible(settingsOf(asked)).chatModel(asked.model)),
  {
    name: '`useChat` of the AI SDK',
    needs: 'ai',
    async stream({ url, key, model, question, signal }) {
      const { DefaultChatTransport, readUIMessageStream } = await load<AiSdk>('ai');
      const headers = { authorization: `Bearer ${key}` };
      const transport = new DefaultChatTransport({ api: `${url}/v1/ui/chat`, headers, body: { model } });
      const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: question }] }];
      const stream = await transport.sendMessages({
        ...{ chatId: 'c', trigger: 'submit-message', messages, abortSignal: signal },
      });
      const read = readUIMessageStream({
        stream,
        terminateOnError: true,
        onError: (error) => {
          throw error;
        },
      });
      const message = (await all(read)).at(-1);
      const parts = message?.parts ?? [];
      return {
        text: parts.map(({ text = '' }) => text).join(''),
        result: Object.fromEntries(Map.groupBy(parts, ({ type }) => type)),
      };
    },
  },
];

interface AnthropicMessage {
  readonly content: readonly { readonly text: string }[];
}
interface AnthropicSdk {
  readonly default: new (
    options: object,
  ) => {
    readonly messages: {
      create(body: object, options: object): Promise<AnthropicMessage>;
      stream(body: object, options: object): { finalMessage(): Promise<AnthropicMessage> };
    };
  };
}
const anthropicOf = async ({ url, key }: Question) => {
  const { default: Anthropic } = await load<AnthropicSdk>('@anthropic-ai/sdk');
  return new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 }).messages;
};
const anthropicBody = ({ model, question }: Question) => ({ model, max_tokens: 4096, messages: user(question) });
const message = (given: AnthropicMessage): Given => ({
  text: given.content.map(({ text }) => text).join(''),
  result: given,
});
const anthropic: readonly RealClient[] = [
  {
    name: '`@anthropic-ai/sdk`',
    needs: '@anthropic-ai/sdk',
    ask: async (asked) => message(await (await anthropicOf(asked)).create(anthropicBody(asked), asked)),
    stream: async (asked) =>
      message(await (await anthropicOf(asked)).stream(anthropicBody(asked), asked).finalMessage()),
  },
  aiClient('`@ai-sdk/anthropic`', (asked) => createAnthropic(settingsOf(asked))(asked.model)),
];

interface LangChainMessage {
  readonly text: string;
  readonly contentBlocks: unknown;
  readonly additional_kwargs: unknown;
  readonly response_metadata: unknown;
  concat(more: LangChainMessage): LangChainMessage;
}
interface LangChain {
  readonly ChatOpenAI: new (
    options: object,
  ) => {
    invoke(input: string, options: object): Promise<LangChainMessage>;
    stream(input: string, options: object): Promise<AsyncIterable<LangChainMessage>>;
  };
}

const langChain = (name: string, useResponsesApi: boolean): RealClient => {
  const modelOf = async ({ url, key, model }: Question) => {
    const { ChatOpenAI } = await load<LangChain>('@langchain/openai');
    const configuration = { baseURL: `${url}/v1` };
    return new ChatOpenAI({ model, apiKey: key, maxRetries: 0, configuration, useResponsesApi });
  };
  const given = ({ text, contentBlocks, additional_kwargs, response_metadata }: LangChainMessage): Given => ({
    text,
    result: { contentBlocks, additional_kwargs, response_metadata },
  });
  return {
    name,
    needs: '@langchain/openai',
    async ask(asked) {
      return given(await (await modelOf(asked)).invoke(asked.question, { signal: asked.signal }));
    },
    async stream(asked) {
      const chunks = await all(await (await modelOf(asked)).stream(asked.question, { signal: asked.signal }));
      return given(chunks.reduce((whole, chunk) => whole.concat(chunk)));
    },
  };
};

interface LlamaIndexModel {
  chat(options: { messages: readonly object[]; stream: true }): Promise<AsyncIterable<{ delta: string; raw: unknown }>>;
  chat(options: { messages: readonly object[] }): Promise<{ message: { content: unknown }; raw: unknown }>;
}
type LlamaIndex = Readonly<Record<'OpenAI' | 'OpenAIResponses', new (options: object) => LlamaIndexModel>>;

const llamaIndex = (name: string, kind: keyof LlamaIndex): RealClient => {
  const modelOf = async ({ url, key, model, signal }: Question) => {
    const kinds = await load<LlamaIndex>('@llamaindex/openai');
    // It hands no signal on: its way to one is a `fetch` of its program's own.
    const additionalSessionOptions = {
      fetch: (to: string, init: RequestInit) =>
        fetch(to, { ...init, signal: AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])]) }),
    };
    return new kinds[kind]({ model, apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, additionalSessionOptions });
  };
  return {
    name,
    needs: '@llamaindex/openai',
    async ask(asked) {
      const { message, raw } = await (await modelOf(asked)).chat({ messages: user(asked.question) });
      return { text: String(message.content), result: { message, raw } };
    },
    async stream(asked) {
      const chunks = await all(await (await modelOf(asked)).chat({ messages: user(asked.question), stream: true }));
      return { text: chunks.map(({ delta }) => delta).join(''), result: { raw: chunks.map(({ raw }) => raw) } };
    },
  };
};

interface AgentRun {
  readonly finalOutput: string;
  readonly newItems: readonly { readonly rawItem: unknown }[];
  readonly completed: Promise<void>;
}
interface Agents {
  readonly Agent: new (options: object) => object;
  readonly OpenAIProvider: new (options: object) => object;
  readonly Runner: new (
    options: object,
  ) => { run(agent: object, question: string, options: object): Promise<AgentRun & AsyncIterable<unknown>> };
}

const agentOf = (useResponses: boolean): RealClient => {
  const run = async (asked: Question, stream: boolean): Promise<Given> => {
    const { Agent, OpenAIProvider, Runner } = await load<Agents>('@openai/agents');
    const modelProvider = new OpenAIProvider({ openAIClient: openaiOf(asked), useResponses });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const agent = new Agent({ name: 'Librarian', model: asked.model });
    const result = await runner.run(agent, asked.question, { stream, signal: asked.signal });
    if (stream) {
      await all(result);
      await result.completed;
      asked.signal.throwIfAborted();
    }
    return { text: result.finalOutput, result: { newItems: result.newItems.map(({ rawItem }) => ({ rawItem })) } };
  };
  return {
    name: `\`@openai/agents\`, ${useResponses ? 'responses' : 'completions'}`,
    needs: '@openai/agents',
    ask: (asked) => run(asked, false),
    stream: (asked) => run(asked, true),
  };
};

interface ContinueAdapters {
  constructLlmApi(config: object): {
    chatCompletionNonStream(body: object, signal: AbortSignal): Promise<OpenAI.ChatCompletion>;
    chatCompletionStream(body: object, signal: AbortSignal): AsyncIterable<OpenAI.ChatCompletionChunk>;
  };
}
const continueOf = async ({ url, key }: Question) => {
  const { constructLlmApi } = await load<ContinueAdapters>('@continuedev/openai-adapters');
  return constructLlmApi({ provider: 'openai', apiKey: key, apiBase: `${url}/v1/` });
};
const continueDev: RealClient = {
  name: '`@continuedev/openai-adapters`',
  needs: '@continuedev/openai-adapters',
  async ask(asked) {
    const body = { model: asked.model, messages: user(asked.question) };
    return chat(await (await continueOf(asked)).chatCompletionNonStream(body, asked.signal));
  },
  async stream(asked) {
    const body = { model: asked.model, messages: user(asked.question), stream: true };
    const chunks = await all((await continueOf(asked)).chatCompletionStream(body, asked.signal));
    const choices = chunks.flatMap((chunk) => chunk.choices);
    return {
      text: choices.map(({ delta }) => delta.content ?? '').join(''),
      result: chunks.map((chunk) => ({ ...chunk, choices: undefined, delta: chunk.choices[0]?.delta })),
    };
  },
};

interface McpResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: { readonly answer?: string };
  readonly isError?: boolean;
}
const mcpGiven = (result: McpResult): Given => {
  if (result.isError === true) throw new Error(textOf(result as Parameters<typeof textOf>[0]));
  return { text: result.structuredContent?.answer ?? '', result };
};
const mcp = (revision: Revision): RealClient => ({
  name: `\`@modelcontextprotocol/client\`, ${revision}`,
  isWithoutModel: true,
  async ask({ url, key, question, signal }) {
    const client = await connectMcp(revision, overHttp(url, key));
    try {
      return mcpGiven((await client.callTool({ name: 'ask', arguments: { question } }, { signal })) as McpResult);
    } finally {
      await client.close();
    }
  },
});

interface McpV1 {
  readonly Client: new (
    options: object,
  ) => {
    connect(transport: object): Promise<void>;
    callTool(call: object, schema: undefined, options: object): Promise<McpResult>;
    close(): Promise<void>;
  };
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => object;
}
const mcpV1: RealClient = {
  name: '`@modelcontextprotocol/sdk`',
  needs: '@modelcontextprotocol/sdk',
  isWithoutModel: true,
  async ask({ url, key, question, signal }) {
    const { Client } = await load<McpV1>('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await load<McpV1>('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    try {
      return mcpGiven(await client.callTool({ name: 'ask', arguments: { question } }, undefined, { signal }));
    } finally {
      await client.close();
    }
  },
};

/** In the order of the table. */
export const clients: readonly RealClient[] = [
  ...official,
  ...aiSdk,
  langChain('`@langchain/openai`, completions', false),
  langChain('`@langchain/openai`, responses', true),
  llamaIndex('`@llamaindex/openai`, `OpenAI`', 'OpenAI'),
  llamaIndex('`@llamaindex/openai`, `OpenAIResponses`', 'OpenAIResponses'),
  agentOf(false),
  agentOf(true),
  continueDev,
  ...anthropic,
  ...revisions.map(mcp),
  mcpV1,
];
