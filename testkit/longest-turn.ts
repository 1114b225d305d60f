// How long one turn of a server's event loop is, in processor time of the loop's own thread, compared with a fixed piece of work of the same run, so
// that a busy or slow machine changes nothing.
import type { FuzzedServer } from './fuzz/http/server.ts';

function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Longest turn that is allowed, ms of processor time: 100 on a machine of today, by the median of several pieces of work that take some 10 ms there. */
export function longestAllowedMs(): number {
  const values = Array.from({ length: 20_000 }, (_, at) => ({ at, name: `value ${at}`, list: [at, at * 2] }));
  const once = (): unknown => JSON.parse(JSON.stringify(values));
  once();
  const median = Array.from({ length: 9 }, () => cpuMsOf(once)).toSorted((a, b) => a - b)[4] ?? 0;
  return 100 * Math.max(1, median / 10);
}

/** A collection of garbage may fall into any turn of one run; what the work itself takes, it takes in each. */
const tries = 3;

/** Processor time (ms) of the longest turn of the loop while `work` went on. `work` is done again, at most twice, while that is `mostMs` or more: the least counts. */
export async function longestTurn(server: FuzzedServer, mostMs: number, work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < tries && least >= mostMs; tried += 1) {
    server.measure();
    await work();
    least = Math.min(least, (await server.delay()).maxCpuMs);
  }
  return least;
}

/** A request of the owner, its reply read whole; gives the status. */
export async function send(server: FuzzedServer, method: string, path: string, json?: unknown): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { authorization: 'Bearer owner', ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  for await (const piece of response.body ?? []) void piece;
  return response.status;
}
