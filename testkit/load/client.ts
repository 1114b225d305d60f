// One client of the stream: asks, checks that the frames are numbered without a gap, and says when the first byte, the first claim and the
// end came. Times are counted from when the request was due, so that a generator or server that falls behind cannot hide it (open loop).
import { Agent, type ClientRequest, request } from 'node:http';

export interface Asked {
  /** The whole answer of a stream that ended with `done`; undefined otherwise. */
  readonly answer?: {
    readonly claims: readonly unknown[];
    readonly citations: readonly unknown[];
    readonly degraded: readonly unknown[];
  };
  /** Why there is no answer: status and code, or how the connection ended. */
  readonly failure?: string;
  /** Milliseconds since it was due; undefined where it did not come to that. */
  readonly firstByteMs?: number;
  readonly firstClaimMs?: number;
  readonly endMs: number;
  readonly frames: number;
  /** Frames whose number is not one more than the one before. */
  readonly misnumbered: number;
}

export interface AskOptions {
  readonly url: string;
  readonly question: string;
  /** By `performance.now()`; default now. */
  readonly dueAtMs?: number;
  readonly agent?: Agent;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sees the request before it is sent: to leave it. */
  readonly begun?: (outgoing: ClientRequest) => void;
}

export const createAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Never rejects: what goes wrong is the `failure`. */
export function ask({ url, question, dueAtMs = performance.now(), agent, headers, begun }: AskOptions): Promise<Asked> {
  const { promise, resolve } = Promise.withResolvers<Asked>();
  const body = JSON.stringify({ question, stream: true });
  const since = (): number => performance.now() - dueAtMs;
  let firstByteMs: number | undefined;
  let firstClaimMs: number | undefined;
  let frames = 0;
  let misnumbered = 0;
  let last: { type: string; answer?: Asked['answer']; problem?: { code?: string } } | undefined;
  const settle = (failure?: string): void => {
    const { answer } = last?.type === 'done' ? last : {};
    const said = last?.type === 'error' ? `error ${last.problem?.code ?? ''}` : failure;
    resolve({
      ...(answer ? { answer } : { failure: said ?? 'no final event' }),
      ...(firstByteMs !== undefined && { firstByteMs }),
      ...(firstClaimMs !== undefined && { firstClaimMs }),
      endMs: since(),
      frames,
      misnumbered,
    });
  };
  const take = (frame: string): void => {
    if (frame.startsWith(':')) return;
    frames += 1;
    if (Number(/^id: \S*\.(\d+)$/mu.exec(frame)?.[1]) !== frames) misnumbered += 1;
    const type = /^event: (\S+)$/mu.exec(frame)?.[1] ?? '';
    if (type === 'delta') firstClaimMs ??= since();
    if (type === 'done' || type === 'error')
      last = JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as NonNullable<typeof last>;
  };
  const outgoing = request(`${url}/v1/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    ...(agent && { agent }),
  });
  outgoing.on('response', (incoming) => {
    let rest = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (text: string) => {
      firstByteMs ??= since();
      const pieces = (rest + text).split('\n\n');
      rest = pieces.pop() ?? '';
      if (incoming.statusCode === 200) for (const piece of pieces) take(piece);
    });
    incoming.on('end', () => settle(incoming.statusCode === 200 ? undefined : `status ${incoming.statusCode} ${rest}`));
    incoming.on('error', (error) => settle(error.message));
  });
  outgoing.on('error', (error) => settle(error.message));
  begun?.(outgoing);
  outgoing.end(body);
  return promise;
}

/** Arrival times of an open loop, ms from its start: exponential gaps (Poisson), drawn before the first request is sent. */
export function arrivals(seed: number, { perSecond, seconds }: { perSecond: number; seconds: number }): number[] {
  let state = seed >>> 0 || 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const times: number[] = [];
  for (let at = 0; at < seconds * 1000; at += (-Math.log(random()) / perSecond) * 1000) times.push(at);
  return times;
}

/** Starts `begin` at each time whether or not earlier ones have ended; resolves when all have. */
export async function openLoop<T>(
  times: readonly number[],
  begin: (index: number, dueAtMs: number) => Promise<T>,
): Promise<T[]> {
  const startedAt = performance.now() + 20;
  const running: Promise<T>[] = [];
  for (const [index, time] of times.entries()) {
    const due = startedAt + time;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    running.push(begin(index, due));
  }
  return Promise.all(running);
}
