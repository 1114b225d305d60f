// The open loop of bench/load/load.ts: answers at arrival times that were fixed beforehand, timed from when each was due; and the highest rate
// that the server sustains, found by raising it until what is asked is no longer answered as fast as it comes.
import { quantile } from '../../testkit/engine-timing.ts';
import { arrivals, ask, createAgent, openLoop } from '../../testkit/load/client.ts';
import { cpuSecondsOf, type LoadPlace, loopSecondsOf } from '../../testkit/load/place.ts';

export interface OpenLoopRun {
  readonly perSecond: number;
  readonly asked: number;
  /** Answers with three claims and nothing degraded. */
  readonly whole: number;
  readonly failures: readonly string[];
  readonly misnumbered: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly firstByteP50Ms: number;
  readonly firstByteP99Ms: number;
  readonly firstClaimP50Ms: number;
  /** Answers a second from the first due to the last end. */
  readonly answeredPerSecond: number;
  /** Of the server: all its threads, and the one of the event loop. */
  readonly cpuMsAnAnswer: number;
  readonly loopMsAnAnswer: number;
}

const seed = 1;

export async function runOpenLoop(
  { server, corpus, documents }: LoadPlace,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<OpenLoopRun> {
  const times = arrivals(seed, { perSecond, seconds });
  const agent = createAgent();
  const cpu = cpuSecondsOf(server.pid);
  const loop = loopSecondsOf(server.pid);
  const startedAt = performance.now();
  const all = await openLoop(times, (index, dueAtMs) =>
    // A step that shares no divisor with the corpus: no question comes twice while there are others.
    ask({ url: server.url, question: corpus.question((index * 7919) % documents), dueAtMs, agent }),
  );
  const tookSeconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  const answered = all.filter(({ answer }) => answer);
  const ends = answered.map(({ endMs }) => endMs);
  const firstBytes = answered.map(({ firstByteMs = Number.NaN }) => firstByteMs);
  return {
    perSecond,
    asked: all.length,
    whole: answered.filter(({ answer }) => answer?.claims.length === 3 && answer.degraded.length === 0).length,
    failures: [...new Set(all.flatMap(({ failure }) => failure ?? []))],
    misnumbered: all.reduce((sum, one) => sum + one.misnumbered, 0),
    p50Ms: quantile(ends, 0.5),
    p99Ms: quantile(ends, 0.99),
    firstByteP50Ms: quantile(firstBytes, 0.5),
    firstByteP99Ms: quantile(firstBytes, 0.99),
    firstClaimP50Ms: quantile(
      answered.map(({ firstClaimMs = Number.NaN }) => firstClaimMs),
      0.5,
    ),
    answeredPerSecond: answered.length / tookSeconds,
    cpuMsAnAnswer: ((cpuSecondsOf(server.pid) - cpu) * 1000) / all.length,
    loopMsAnAnswer: ((loopSecondsOf(server.pid) - loop) * 1000) / all.length,
  };
}

/** Everything that was asked was answered whole, and the last answers came about as soon as the first. */
export function isSustained({ asked, whole, misnumbered, p99Ms, perSecond, answeredPerSecond }: OpenLoopRun): boolean {
  return whole === asked && misnumbered === 0 && p99Ms <= 1000 && answeredPerSecond >= 0.9 * perSecond;
}

/** Runs at rising rates until one is not sustained; the runs in order. */
export async function searchRate(
  place: LoadPlace,
  { rates, seconds }: { readonly rates: readonly number[]; readonly seconds: number },
): Promise<readonly OpenLoopRun[]> {
  const runs: OpenLoopRun[] = [];
  for (const perSecond of rates) {
    const run = await runOpenLoop(place, { perSecond, seconds });
    runs.push(run);
    if (!isSustained(run)) break;
  }
  return runs;
}
