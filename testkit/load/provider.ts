// A model provider in a process of its own, so that its work is not on the server's loop: speaks the stream of OpenAI's Responses API
// (shapes as in src/testing/openai-responses.ts), copies the sentences that carry the answer, and notes when a caller leaves.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How fast it answers: at once in one write, event by event, or only when it is told to. */
export interface Pace {
  /** Before each event but the first; 0: everything in one write. */
  readonly betweenMs: number;
  /** The events after the first claim wait for `release`. */
  readonly held: boolean;
}

/** One call; times are of the wall clock, in milliseconds with fractions, as `wallMs` gives them. */
export interface ProviderCall {
  readonly question: string;
  readonly beganAtMs: number;
  readonly endedAtMs: number | null;
  /** The caller closed the connection before the end. */
  readonly leftAtMs: number | null;
}

export interface LoadProvider {
  /** `http://127.0.0.1:port`. */
  readonly address: string;
  pace(pace: Pace): Promise<void>;
  release(): Promise<void>;
  /** The calls since it was last asked. */
  calls(): Promise<readonly ProviderCall[]>;
  stop(): Promise<void>;
}

type Order =
  | { readonly order: 'pace'; readonly pace: Pace }
  | { readonly order: 'release' }
  | { readonly order: 'calls' };

/** Comparable between processes of one machine. */
export const wallMs = (): number => performance.timeOrigin + performance.now();

export async function startLoadProvider(): Promise<LoadProvider> {
  const child = fork(import.meta.filename, ['--serve'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [first] = (await once(child, 'message')) as [{ address: string }];
  const exited = once(child, 'exit');
  let last: Promise<unknown> = Promise.resolve();
  // One order at a time: its reply is the next message.
  const give = <T>(order: Order): Promise<T> => {
    const done = last.then(async () => {
      const reply = once(child, 'message');
      child.send(order);
      return ((await reply) as [T])[0];
    });
    last = done.catch(() => undefined);
    return done;
  };
  return {
    address: first.address,
    pace: (pace) => give({ order: 'pace', pace }),
    release: () => give({ order: 'release' }),
    calls: () => give({ order: 'calls' }),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The claims of a model that copies: sentences of the first passage that name the lighthouse. */
export function claimsFor(prompt: string): { text: string; quotes: { id: number; quote: string }[] }[] {
  const [, id, body = ''] = /<passage id="(\d+)"[^\n]*\n([\s\S]*?)\n<\/passage>/u.exec(prompt) ?? [];
  const text = body
    .split('\n')
    .map((line) => line.replace(/^\| ?/u, ''))
    .join(' ');
  return text
    .split(/(?<=\.)\s/u)
    .filter((sentence) => sentence.includes('lighthouse of'))
    .slice(0, 3)
    .map((sentence) => ({ text: sentence, quotes: [{ id: Number(id), quote: sentence }] }));
}

function eventsOf(text: string, model: unknown): string[] {
  const response = (more: object): object => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    model,
    ...more,
  });
  const part = (written: string): object => ({ type: 'output_text', text: written, annotations: [], logprobs: [] });
  const item = (status: string, content: readonly object[]): object => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status,
    content,
  });
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const usage = {
    input_tokens: 900,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 120,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1020,
  };
  const pieces = text.match(/[\s\S]{1,24}/gu) ?? [];
  const events: { readonly type: string; readonly [field: string]: unknown }[] = [
    { type: 'response.created', response: response({ status: 'in_progress', output: [] }) },
    { type: 'response.output_item.added', output_index: 0, item: item('in_progress', []) },
    { type: 'response.content_part.added', ...place, part: part('') },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part: part(text) },
    { type: 'response.output_item.done', output_index: 0, item: item('completed', [part(text)]) },
    {
      type: 'response.completed',
      response: response({ status: 'completed', output: [item('completed', [part(text)])], usage }),
    },
  ];
  return events.map((event, at) => {
    const numbered = { ...event, sequence_number: at };
    return `event: ${numbered.type}\ndata: ${JSON.stringify(numbered)}\n\n`;
  });
}

/** The text of the last message, wherever the protocol puts it. */
function promptOf(input: unknown): string {
  const last = Array.isArray(input) ? (input.at(-1) as { content?: unknown } | undefined) : undefined;
  if (typeof last?.content === 'string') return last.content;
  const parts = Array.isArray(last?.content) ? (last.content as { text?: unknown }[]) : [];
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

async function serve(): Promise<void> {
  let pace: Pace = { betweenMs: 0, held: false };
  let calls: { question: string; beganAtMs: number; endedAtMs: number | null; leftAtMs: number | null }[] = [];
  let gate = Promise.withResolvers<void>();

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as { input?: unknown; model?: unknown };
    const prompt = promptOf(body.input);
    const question = /<question>\n\| ([^\n]*)/u.exec(prompt)?.[1] ?? '';
    const call: (typeof calls)[number] = { question, beganAtMs: wallMs(), endedAtMs: null, leftAtMs: null };
    calls.push(call);
    const left = new AbortController();
    outgoing.once('close', () => {
      if (outgoing.writableFinished) return;
      call.leftAtMs = wallMs();
      left.abort();
    });
    const { betweenMs, held } = pace;
    const events = eventsOf(JSON.stringify({ claims: claimsFor(prompt), insufficient: false }), body.model);
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    if (betweenMs === 0 && !held) outgoing.end(events.join(''));
    else {
      const half = Math.floor(events.length / 2);
      for (const [at, event] of events.entries()) {
        if (left.signal.aborted) return;
        if (held && at === half) await Promise.race([gate.promise, once(left.signal, 'abort')]);
        if (at > 0 && betweenMs > 0) await sleep(betweenMs, undefined, { signal: left.signal });
        outgoing.write(event);
      }
      outgoing.end();
    }
    call.endedAtMs = wallMs();
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      if ((error as Error).name !== 'AbortError') outgoing.destroy(error as Error);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve));
  process.on('message', (given: Order) => {
    if (given.order === 'pace') pace = given.pace;
    if (given.order === 'release') {
      gate.resolve();
      gate = Promise.withResolvers<void>();
    }
    process.send?.(given.order === 'calls' ? calls : {});
    if (given.order === 'calls') calls = [];
  });
  process.send?.({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

if (process.argv[2] === '--serve') await serve();
