// A server on 127.0.0.1 that speaks OpenAI's files and vector stores, search among them, with the vendor's limits, with indexing that takes
// its time, and with faults on demand. Invariant: what it is sent and what it says are checked against the vendor's specification where that
// is at hand, and every violation is kept for the test to see.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { doneFaults, errorBody, type Fault, sendFaulty, wireFaults } from './faults.ts';
import { routes, type SimulatedRequest } from './routes.ts';
import { openSpec } from './spec.ts';
import { createState, Refusal, type State, type StateOptions } from './vector-stores.ts';

export interface SimulatedCall {
  /** `search`, `files.create`, … */
  readonly name: string;
  /** From 1, of this name. */
  readonly count: number;
}

export interface SimulatorOptions extends StateOptions {
  readonly fault?: (call: SimulatedCall) => Fault | undefined;
  /** Until the head of `slow-headers`. */
  readonly slowMs?: number;
}

export interface OpenaiSimulator {
  /** With its path, as a client is given it. */
  readonly address: string;
  readonly state: State;
  readonly calls: readonly (SimulatedCall & { readonly body: unknown })[];
  /** What was not as the specification says. */
  readonly violations: readonly string[];
  /** In place of what was given before. */
  setFault(fault: SimulatorOptions['fault']): void;
  /** Before each reply. */
  setDelay(ms: number): void;
  close(): Promise<void>;
}

export const simulatorKey = 'sk-test-simulator-key-0001';

/** Every call of files and vector stores. */
export const simulatedCalls: readonly string[] = routes.flatMap(({ name }) =>
  name === 'responses.create' ? [] : [name],
);

const expressions = routes.map((route) => ({
  route,
  expression: new RegExp(`^/v1${route.path.replaceAll(/\{[^}]+\}/gu, '([^/]+)')}$`, 'u'),
}));

async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  if (bytes.length === 0) return undefined;
  const type = incoming.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return JSON.parse(bytes.toString()) as Record<string, unknown>;
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const file = form.get('file') as File;
  return { ...Object.fromEntries(form), file: await file.text(), filename: file.name };
}

export async function openOpenaiSimulator(options: SimulatorOptions = {}): Promise<OpenaiSimulator> {
  const { slowMs = 5000 } = options;
  let delayMs = 0;
  const state = createState(options);
  const spec = openSpec();
  const sockets = new Set<Socket>();
  const calls: (SimulatedCall & { body: unknown })[] = [];
  const counts = new Map<string, number>();
  const violations: string[] = [];
  const closing = new AbortController();
  let { fault: faultOf } = options;

  const send = (
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://simulator');
    const match = expressions
      .map(({ route, expression }) => ({ route, parts: expression.exec(url.pathname)?.slice(1) }))
      .find(({ route, parts }) => parts && route.method === incoming.method);
    const body = await readBody(incoming);
    if (incoming.headers.authorization !== `Bearer ${simulatorKey}`)
      return send(response, 401, errorBody('invalid_api_key'));
    if (!match) return send(response, 404, errorBody('unknown_url'));
    const { route, parts = [] } = match;
    const { name, path, method } = route;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    calls.push({ name, count, body });
    state.tick();
    const { filename: _, ...sent } = body ?? {};
    violations.push(...(spec?.request({ path, method, query: url.searchParams, body: body && sent }) ?? []));
    const fault = faultOf?.({ name, count });
    if (typeof fault === 'number') return send(response, fault, errorBody('server_error'));
    if (typeof fault === 'object')
      return send(response, fault.status, errorBody('rate_limit_exceeded'), { 'retry-after': fault.retryAfter });
    if (fault === 'reset' || fault === 'silent')
      return sendFaulty(response, fault, { body: {}, slowMs, signal: closing.signal });
    const request: SimulatedRequest = {
      parts: parts.map(decodeURIComponent),
      query: url.searchParams,
      body: body ?? {},
    };
    if (delayMs > 0) await sleep(delayMs);
    let reply: unknown;
    try {
      reply = route.run(request, state);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      return send(response, thrown.status, errorBody('invalid_request'));
    }
    if (fault === 'twice') {
      try {
        route.run(request, state);
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown;
      }
    }
    violations.push(...(spec?.reply({ path, method }, reply) ?? []));
    if (fault === 'lost-reply') {
      response.destroy();
      return;
    }
    const onWire = wireFaults.find((one) => one === fault);
    if (onWire) return sendFaulty(response, onWire, { body: reply, slowMs, signal: closing.signal });
    send(response, 200, reply);
  }

  const server = createServer((incoming, response) => {
    response.on('error', () => undefined);
    answer(incoming, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    address: `http://127.0.0.1:${port}/v1`,
    state,
    calls,
    violations,
    setFault(fault) {
      faultOf = fault;
      counts.clear();
    },
    setDelay(ms) {
      delayMs = ms;
    },
    close() {
      closing.abort();
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export const allFaults: readonly Fault[] = [
  400,
  401,
  403,
  404,
  408,
  409,
  413,
  422,
  429,
  { status: 429, retryAfter: '3' },
  500,
  502,
  503,
  504,
  ...wireFaults,
  ...doneFaults,
];
