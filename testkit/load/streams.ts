// Many streams at once, and clients that leave: what a thousand answers in the making take of the server's memory, whether every stream
// gets every event in order, and how soon the provider is left when a client has gone.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../engine-timing.ts';
import { arrivals, ask, createAgent, openLoop } from './client.ts';
import { type LoadPlace, memoryMbOf, openFilesOf, watchMemory } from './place.ts';
import { type ProviderCall, wallMs } from './provider.ts';

export interface StreamsRun {
  readonly streams: number;
  readonly idleMb: number;
  /** While all were open and waited for the model. */
  readonly openMb: number;
  /** The most that was seen until all had ended. */
  readonly mostMb: number;
  readonly firstByteP50Ms: number;
  readonly firstByteP99Ms: number;
  readonly whole: number;
  readonly misnumbered: number;
  readonly failures: readonly string[];
}

/** Opens the streams at a rate that the server keeps up with; the provider holds every answer in the middle until all are open. */
export async function runStreams(
  { server, corpus, documents, provider }: LoadPlace,
  { streams, perSecond }: { readonly streams: number; readonly perSecond: number },
): Promise<StreamsRun> {
  await provider.calls();
  await provider.pace({ betweenMs: 0, held: true });
  const idleMb = memoryMbOf(server.pid);
  const memory = watchMemory(server.pid);
  const agent = createAgent();
  const times = arrivals(2, { perSecond, seconds: (2 * streams) / perSecond }).slice(0, streams);
  const running = openLoop(times, (index, dueAtMs) =>
    ask({ url: server.url, question: corpus.question((index * 7919) % documents), dueAtMs, agent }),
  );
  let held = 0;
  const giveUpAt = performance.now() + 50_000;
  while (held < streams && performance.now() < giveUpAt) {
    await sleep(200);
    held += (await provider.calls()).length;
  }
  const openMb = memoryMbOf(server.pid);
  await provider.pace({ betweenMs: 0, held: false });
  await provider.release();
  const all = await running;
  const mostMb = memory.stop();
  agent.destroy();
  const firstBytes = all.flatMap(({ firstByteMs }) => firstByteMs ?? []);
  return {
    streams: all.length,
    idleMb,
    openMb,
    mostMb,
    firstByteP50Ms: quantile(firstBytes, 0.5),
    firstByteP99Ms: quantile(firstBytes, 0.99),
    whole: all.filter(({ answer }) => answer?.claims.length === 3 && answer.degraded.length === 0).length,
    misnumbered: all.reduce((sum, one) => sum + one.misnumbered, 0),
    failures: [...new Set(all.flatMap(({ failure }) => failure ?? []))],
  };
}

export interface DisconnectsRun {
  readonly clients: number;
  /** Clients that left while the provider was answering. */
  readonly leftInTheMiddle: number;
  readonly abortP50Ms: number;
  readonly abortP99Ms: number;
  readonly abortMaxMs: number;
  /** Calls that the provider finished, or still held, although their client had gone half a second before. */
  readonly notAborted: number;
  /** Open files of the server beyond those before. */
  readonly leakedFiles: number;
}

/** Clients that leave at a random moment of an answer that takes about a second. */
export async function runDisconnects(
  { server, corpus, documents, provider }: LoadPlace,
  { clients, perSecond }: { readonly clients: number; readonly perSecond: number },
): Promise<DisconnectsRun> {
  // Idle connections from before would be counted as what is there at rest.
  const filesBefore = await filesAtRest(server.pid, 0);
  await provider.calls();
  await provider.pace({ betweenMs: 40, held: false });
  const leftAt = new Map<number, number>();
  const times = arrivals(3, { perSecond, seconds: (2 * clients) / perSecond }).slice(0, clients);
  const stays = arrivals(4, { perSecond: 1, seconds: 2 * clients });
  await openLoop(times, (index, dueAtMs) =>
    ask({
      url: server.url,
      question: corpus.question(index % documents),
      dueAtMs,
      headers: { 'idempotency-key': `leave-${index}` },
      begun(outgoing) {
        // Fractions of the gaps of a Poisson process are uniform: 0 to 1.2 s.
        setTimeout(
          () => {
            leftAt.set(index % documents, wallMs());
            outgoing.destroy();
          },
          ((stays[index] ?? 0) % 1000) * 1.2,
        );
      },
    }),
  );
  // An answer takes about a second: what nobody aborted has ended by itself by then.
  await sleep(2_000);
  const calls = await provider.calls();
  const delays = calls.flatMap((call) => delayOf(call, leftAt.get(corpus.indexOf(call.question) ?? -1)));
  const aborted = delays.filter((delay) => delay !== 'not aborted');
  await provider.pace({ betweenMs: 0, held: false });
  const filesAfter = await filesAtRest(server.pid, filesBefore);
  return {
    clients,
    leftInTheMiddle: delays.length,
    abortP50Ms: quantile(aborted, 0.5),
    abortP99Ms: quantile(aborted, 0.99),
    abortMaxMs: Math.max(0, ...aborted),
    notAborted: delays.length - aborted.length,
    leakedFiles: Math.max(0, filesAfter - filesBefore),
  };
}

/** Open files once no more than `expected`, or as they are when idle connections have had their time (5 s). */
async function filesAtRest(pid: number, expected: number): Promise<number> {
  const giveUpAt = performance.now() + 6_500;
  while (openFilesOf(pid) > expected && performance.now() < giveUpAt) await sleep(100);
  return openFilesOf(pid);
}

/** How long the provider answered on; nothing for a call that ended before its client left. */
function delayOf(
  { endedAtMs, leftAtMs }: ProviderCall,
  clientLeftAtMs: number | undefined,
): (number | 'not aborted')[] {
  if (clientLeftAtMs === undefined) return [];
  if (leftAtMs !== null) return [Math.max(0, leftAtMs - clientLeftAtMs)];
  if (endedAtMs === null) return ['not aborted'];
  return endedAtMs > clientLeftAtMs + 500 ? ['not aborted'] : [];
}

/** After the server stopped: requests that the record takes for running. */
export function runningRows(data: string): number {
  const database = new DatabaseSync(`${data}/record.sqlite`, { readOnly: true });
  try {
    const row = database.prepare('SELECT count(*) AS n FROM idempotency WHERE status IS NULL').get();
    return Number(row?.['n']);
  } finally {
    database.close();
  }
}
