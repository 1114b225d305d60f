// How long the first search takes when one hosted store is dead, or two that stand in for each other, in every way in which a service can be dead; how long the following
// ones take, once the circuit is open; and how many requests reach a dead store for each search that was asked.
import { type Measured, median, openPlace, type Place, textOf, timed } from './place.ts';
import { type StandInName, type WayToBeDead, waysToBeDead } from './stand-ins.ts';

const following = 20;
const limitsMs = { 1: 2000, 2: 4000 } as const;
const mostAmplified = 1.2;

interface Outage {
  readonly stores: readonly [StandInName, StandInName];
  readonly dead: readonly StandInName[];
  readonly servedBy: string;
}

/** In the order in which they are asked. */
const outages: readonly Outage[] = [
  { stores: ['openai', 'firestore'], dead: ['openai'], servedBy: 'firestore' },
  { stores: ['azure', 'firestore'], dead: ['azure'], servedBy: 'firestore' },
  { stores: ['azure', 'firestore'], dead: ['azure', 'firestore'], servedBy: 'embedded' },
  { stores: ['openai', 'azure'], dead: ['openai', 'azure'], servedBy: 'embedded' },
];
type Way = WayToBeDead | 'refused';
/** The last: who is refused at the door is a process that is killed for it. */
const ways: readonly Way[] = [...waysToBeDead, 'refused'];

interface Row {
  readonly outage: Outage;
  readonly way: Way;
  readonly mode: 'vector' | 'hybrid';
  readonly firstMs: number;
  readonly openMs: number;
  readonly amplification: number;
}

async function die(place: Place, dead: readonly StandInName[], way: Way): Promise<void> {
  for (const name of dead)
    await (way === 'refused' ? place.standIn(name).kill() : place.standIn(name).answer({ delayMs: 0, dead: way }));
}

async function requestsOf(place: Place, names: readonly StandInName[], dead: Way): Promise<number> {
  if (dead === 'refused') return 0;
  const counts = await Promise.all(names.map((name) => place.standIn(name).answer({ delayMs: 0, dead })));
  return counts.reduce((sum, one) => sum + one, 0);
}

let asked = 0;
const search = (place: Place, mode: Row['mode'], servedBy?: string): Promise<number> =>
  timed(async () => {
    asked += 1;
    const query = textOf(asked * 7, 12).slice(14);
    const { results, degraded } = await place.footnote().search({ query, mode, topK: 5, minScore: 0 });
    if (results.length === 0) throw new Error(`Nothing was found: ${JSON.stringify(degraded)}`);
    if (servedBy === undefined) return;
    const stores = new Set(results.flatMap((one) => one.stores));
    if (!stores.has(servedBy) || degraded.length === 0)
      throw new Error(`Served by ${[...stores].join()}, told ${JSON.stringify(degraded)}.`);
  });

async function measureOutage(outage: Outage): Promise<readonly Row[]> {
  const { stores, dead, servedBy } = outage;
  const place = await openPlace(stores);
  const rows: Row[] = [];
  try {
    for (let at = 0; at < 60; at += 1)
      await place.footnote().documents.add({ uri: `d${at}.txt`, text: textOf(at, 240), source: 'bench' });
    await place.opened().settle('default');
    for (const way of ways)
      for (const mode of ['vector', 'hybrid'] as const) {
        for (const name of way === 'refused' ? [] : dead) await place.standIn(name).answer({ delayMs: 0 });
        await place.reopen();
        // A process that has searched before: what dies is a service that was there.
        if (way !== 'refused') for (let at = 0; at < 3; at += 1) await search(place, mode);
        await die(place, dead, way);
        const before = await requestsOf(place, dead, way);
        const taken: number[] = [];
        for (let at = 0; at < following; at += 1) taken.push(await search(place, mode, servedBy));
        const amplification = ((await requestsOf(place, dead, way)) - before) / (following * dead.length);
        const row = { outage, way, mode, firstMs: taken[0] ?? 0, openMs: median(taken.slice(-10)), amplification };
        rows.push(row);
        console.log(
          `${dead.join(' and ')} dead (${way}), mode ${mode}: first ${row.firstMs.toFixed(0)} ms, circuit open ${row.openMs.toFixed(1)} ms, ${amplification.toFixed(2)} requests a search`,
        );
      }
    return rows;
  } finally {
    await place.close();
  }
}

export async function measureFailover(): Promise<Measured> {
  const rows: Row[] = [];
  for (const outage of outages) rows.push(...(await measureOutage(outage)));
  const worst = (count: 1 | 2): number =>
    Math.max(...rows.filter(({ outage }) => outage.dead.length === count).map(({ firstMs }) => firstMs));
  const amplified = Math.max(...rows.map(({ amplification }) => amplification));
  return {
    metrics: {
      'failover, one dead: slowest first search, ms': Math.round(worst(1)),
      'failover, two dead: slowest first search, ms': Math.round(worst(2)),
      'circuit open: slowest median, ms': Number(Math.max(...rows.map(({ openMs }) => openMs)).toFixed(1)),
      'requests to a dead store for each search, most': Number(amplified.toFixed(2)),
    },
    goals: [
      ...([1, 2] as const).map((count) => ({
        what: `first search with ${count} dead, worst of ${ways.length} ways`,
        wanted: `<= ${limitsMs[count] / 1000} s`,
        got: `${(worst(count) / 1000).toFixed(2)} s`,
        met: worst(count) <= limitsMs[count],
      })),
      {
        what: 'requests that reach a dead store for each search',
        wanted: `<= ${mostAmplified}`,
        got: Number(amplified.toFixed(2)),
        met: amplified <= mostAmplified,
      },
    ],
    tables: [
      {
        title: 'Outages',
        columns: ['dead', 'how', 'mode', 'served by', 'first search, ms', 'circuit open, ms', 'requests a search'],
        rows: rows.map(({ outage, way, mode, firstMs, openMs, amplification }) => [
          outage.dead.join(', '),
          way,
          mode,
          outage.servedBy,
          Math.round(firstMs),
          Number(openMs.toFixed(1)),
          way === 'refused' ? '-' : Number(amplification.toFixed(2)),
        ]),
      },
    ],
    notes: [
      `Failover: with the settings as they come (STORE_SEARCH_TIMEOUT_MS 1500); ${following} searches, one after the other, of a process that had searched before the service died; the median is that of the last ten.`,
      'Requests to a process that was killed cannot be counted.',
    ],
  };
}
