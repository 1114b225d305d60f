// Sends hostile requests to the real server and judges each reply: below 500 or a typed 501, 503, 507; every error a problem (RFC 9457)
// of our own table, or one in the shape of another's API; the process alive, its log without failures, its event loop never taken for long.

import { z } from 'zod';
import { errorTable } from '../../../src/core/errors.ts';
import { problemSchema } from '../../../src/core/events.ts';
import { createRequests } from './contract.ts';
import { type Exchange, exchange, type RawReply } from './raw-exchange.ts';
import { type HostileRequest, hostileRequest, toCommand } from './request.ts';
import { type Blocked, call, type Delay, type FuzzedServer } from './server.ts';

export interface Finding {
  readonly seed: number;
  readonly route: string;
  readonly mutations: readonly string[];
  readonly what: string;
  /** Sends the request again. */
  readonly command: string;
}

export interface FuzzReport {
  readonly requests: number;
  /** How many ended how: the status, with its code for an error, or how the connection ended without a reply. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly routes: ReadonlySet<string>;
  /** Routes that said 2xx to something: a fuzzer that is always refused at the door tries nothing. */
  readonly accepted: ReadonlySet<string>;
  /** Must be empty. */
  readonly findings: readonly Finding[];
  /** Turns that held the server's event loop for long, with the requests that were under way. */
  readonly blocked: readonly (Pick<Blocked, 'heldMs' | 'cpuMs'> & { readonly during: readonly string[] })[];
  readonly delay: Delay;
  readonly slowest: { readonly ms: number; readonly request: string };
}

const typedStatuses = new Set([501, 503, 507]);
const strictProblem = problemSchema.strict();
/** Errors of the routes that mirror other APIs. */
const openaiError = z.strictObject({
  error: z.strictObject({
    message: z.string().min(1).max(10_000),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string(),
  }),
});
const anthropicError = z.strictObject({
  type: z.literal('error'),
  error: z.strictObject({
    type: z.string(),
    message: z.string().min(1).max(10_000),
    details: z.strictObject({ error_code: z.string(), param: z.string().nullable() }),
  }),
  request_id: z.string(),
});

/** What is wrong with a reply; undefined if nothing is. */
export function faultOf(reply: RawReply, method: string): string | undefined {
  const { status, headers, body } = reply;
  if (status >= 500 && !typedStatuses.has(status)) return `${status}: ${body.toString().slice(0, 300)}`;
  if (status < 400) return faultOfGood(reply, method);
  if ([openaiError, anthropicError].some((shape) => shape.safeParse(parse(body)).success)) return undefined;
  const mime = headers.get('content-type') ?? 'nothing';
  // Without a body, of whichever shape.
  if (method === 'HEAD' && mime.startsWith('application/json')) return undefined;
  if (!mime.startsWith('application/problem+json')) return `${status} as ${mime}: ${body.toString().slice(0, 100)}`;
  if (method === 'HEAD') return undefined;
  const parsed = strictProblem.safeParse(parse(body));
  if (!parsed.success) return `${status} is no problem: ${body.toString().slice(0, 200)}`;
  const { code, status: said, requestId, detail } = parsed.data;
  if (!Object.hasOwn(errorTable, code)) return `the code ${code} is in no table`;
  if (said !== status) return `the problem says ${said}, the reply ${status}`;
  if (!/^req_[0-9a-f]{18}$/u.test(requestId)) return `no request id: ${requestId}`;
  if (detail.length > 10_000) return `a detail of ${detail.length} characters`;
  return undefined;
}

function faultOfGood({ status, headers, body }: RawReply, method: string): string | undefined {
  const mime = headers.get('content-type') ?? '';
  if (method === 'HEAD' || body.length === 0) return undefined;
  if (mime.startsWith('application/json') && parse(body) === undefined) return `${status} with broken JSON`;
  if (!mime.startsWith('text/event-stream')) return undefined;
  const frames = body.toString().split('\n\n');
  const end = frames.findLast((frame) => frame.startsWith('data: '))?.slice('data: '.length);
  if (end === '[DONE]' || (end !== undefined && openaiError.safeParse(parse(Buffer.from(end))).success))
    return undefined;
  const last = frames.findLast((frame) => frame.startsWith('id: ')) ?? '';
  const event = parse(Buffer.from(last.slice(last.indexOf('\ndata: ') + 7))) as
    | { type?: string; problem?: unknown }
    | undefined;
  if (event?.type === 'done') return undefined;
  if (event?.type !== 'error') return `a stream that ends in ${JSON.stringify(event)?.slice(0, 100)}`;
  const problem = strictProblem.safeParse(event.problem);
  if (!problem.success) return `a stream that ends in no problem: ${last.slice(0, 200)}`;
  return problem.data.status >= 500 && !typedStatuses.has(problem.data.status)
    ? `a stream that ends in ${problem.data.status}: ${last.slice(0, 300)}`
    : undefined;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** How an exchange ended, for counting. */
function outcomeOf({ replies, end }: Exchange): string {
  const [reply] = replies;
  if (!reply) return end;
  const said = parse(reply.body) as { code?: string; error?: { code?: string } } | undefined;
  const code = reply.status < 400 ? undefined : (said?.code ?? said?.error?.code);
  return code === undefined ? String(reply.status) : `${reply.status} ${code}`;
}

/** What is wrong with an exchange as a whole. */
export function faultsOf(request: HostileRequest, { replies, end, rest }: Exchange): string[] {
  const { wire } = request;
  const methods = [wire.method, ...wire.methods.slice(1)];
  const faults = replies.flatMap((reply, at) => faultOf(reply, methods[at] ?? '') ?? []);
  if (end === 'late') faults.push('no reply in time');
  else if (end === 'closed' && !wire.mayClose && wire.leave === undefined) faults.push('closed without a reply');
  // A client that closes its side while it is replied to is taken for gone.
  else if (end === 'closed' && rest.length > 0 && !(wire.halfClose && rest.toString('latin1').startsWith('HTTP/1.1 2')))
    faults.push(`no HTTP reply: ${rest.toString('latin1').slice(0, 200)}`);
  return faults;
}

export interface FuzzOptions {
  readonly count: number;
  readonly first?: number;
  readonly abreast?: number;
  readonly patienceMs?: number;
  /** Told at once: a long run need not end to be of use. */
  readonly onFinding?: (finding: Finding) => void;
  readonly onProgress?: (done: number) => void;
}

const healthEvery = 250;

/** Sends `count` requests beginning with the seed `first`, `abreast` at a time. */
export async function fuzz(server: FuzzedServer, options: FuzzOptions): Promise<FuzzReport> {
  const { count, first = 1, abreast = 6, patienceMs = 120_000, onFinding = () => undefined, onProgress } = options;
  const requests = createRequests(server.contract, server.planted);
  const outcomes = new Map<string, number>();
  const routes = new Set<string>();
  const accepted = new Set<string>();
  const findings: Finding[] = [];
  const recent: { readonly name: string; readonly from: number; to: number }[] = [];
  const byRequestId = new Map<string, HostileRequest>();
  const blocked: { heldMs: number; cpuMs: number; during: string[] }[] = [];
  let slowest = { ms: 0, request: '' };
  let next = first;
  let told = { failures: 0, blocked: 0 };

  const note = (request: HostileRequest | undefined, what: string): void => {
    const finding = {
      seed: request?.seed ?? 0,
      route: request?.route ?? '(none)',
      mutations: request?.mutations ?? [],
      what,
      command: request ? toCommand(request, server.port) : '',
    };
    findings.push(finding);
    onFinding(finding);
  };

  /** What the server said of itself since the last time. */
  const hear = (): void => {
    for (const failure of server.failures.slice(told.failures)) {
      const request = byRequestId.get(failure.requestId);
      note(request, `logged as a failure of ours, ${failure.route}: ${failure.error.slice(0, 1500)}`);
    }
    for (const { cpuMs, heldMs, wallMs, endedAtMs } of server.blocked.slice(told.blocked)) {
      const during = recent
        .filter(({ from, to }) => from < endedAtMs && to > endedAtMs - wallMs - 20)
        .map(({ name }) => name);
      blocked.push({ heldMs, cpuMs, during });
    }
    told = { failures: server.failures.length, blocked: server.blocked.length };
  };

  const one = async (seed: number): Promise<void> => {
    const request = hostileRequest(requests, seed);
    const { wire, bytes } = request;
    const entry = {
      name: `${seed} ${request.route} [${request.mutations.join(', ')}]`,
      from: Date.now(),
      to: Number.POSITIVE_INFINITY,
    };
    recent.push(entry);
    if (recent.length > 400) recent.shift();
    routes.add(request.route);
    const result = await exchange(server.port, bytes, {
      methods: [wire.method, ...wire.methods.slice(1)],
      patienceMs,
      halfClose: wire.halfClose,
      ...(wire.leave && { leave: wire.leave }),
    });
    entry.to = Date.now();
    if (entry.to - entry.from > slowest.ms) slowest = { ms: entry.to - entry.from, request: entry.name };
    const outcome = outcomeOf(result);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    for (const reply of result.replies) {
      byRequestId.set(reply.headers.get('x-request-id') ?? '', request);
      if (reply.status < 300) accepted.add(request.route);
    }
    for (const fault of faultsOf(request, result)) note(request, fault);
  };

  let done = 0;
  const worker = async (): Promise<void> => {
    while (next < first + count && server.exitCode() === undefined) {
      await one(next++);
      const reached = ++done;
      if (reached % healthEvery !== 0) continue;
      hear();
      await call(server.port, 'GET', '/healthz').catch((error: unknown) =>
        note(undefined, `not alive: ${String(error)}`),
      );
      onProgress?.(reached);
    }
  };
  await Promise.all(Array.from({ length: abreast }, worker));
  if (server.exitCode() !== undefined)
    throw new Error(`The server died (${server.exitCode()}):\n${server.output.join('')}`);
  const delay = await server.delay();
  hear();
  // Whatever was done to it, it can do what it is for.
  await call(server.port, 'GET', '/readyz').catch((error: unknown) => note(undefined, `not ready: ${String(error)}`));
  await call(server.port, 'POST', '/v1/ask', { question: 'Who built the lighthouse of Arkvik?' }).catch(
    (error: unknown) => note(undefined, `does not answer: ${String(error)}`),
  );
  if (server.output.length > 0) note(undefined, `printed: ${server.output.join('').slice(0, 2000)}`);
  return { requests: done, outcomes, routes, accepted, findings, blocked, delay, slowest };
}
