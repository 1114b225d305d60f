// Chunks a second that reach a store whose every call takes 30 ms: long documents of some fifty chunks, and notes of one each. Everything is in the record and has its
// vectors before the clock starts: what is measured is reading, writing out, sending and making sure.
import { type Measured, openPlace, processorMs, textOf } from './place.ts';
import { type StandInName, standInNames } from './stand-ins.ts';

const callMs = 30;
const wantedPerSecond = 500;
const shapes = [
  { title: 'long documents', documents: 60, words: 24_000 },
  { title: 'notes', documents: 1500, words: 60 },
] as const;

interface Row {
  readonly store: StandInName;
  readonly shape: string;
  readonly documents: number;
  readonly chunks: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly calls: number;
}

async function measureOne(store: StandInName, { title, documents, words }: (typeof shapes)[number]): Promise<Row> {
  const place = await openPlace([store]);
  try {
    const footnote = place.footnote();
    await footnote.stores.pause(store);
    let chunks = 0;
    for (let at = 0; at < documents; at += 1) {
      const [added] = await footnote.documents.add({ uri: `d${at}.txt`, text: textOf(at, words), source: 'bench' });
      chunks += added?.chunks ?? 0;
    }
    await place.opened().settle('default');
    const before = await place.standIn(store).answer({ delayMs: callMs });
    const cpuMs = processorMs();
    const start = performance.now();
    await footnote.stores.resume(store);
    await place.opened().settle('default');
    const seconds = (performance.now() - start) / 1000;
    const cpuSeconds = (processorMs() - cpuMs) / 1000;
    const calls = (await place.standIn(store).answer({ delayMs: 0 })) - before;
    const status = (await footnote.stores.list()).find(({ name }) => name === store);
    if (status?.coverage !== 1 || (status.deliveries?.pending ?? 1) > 0)
      throw new Error(`${store} has not everything: ${JSON.stringify(status)}`);
    return { store, shape: title, documents, chunks, seconds, cpuSeconds, calls };
  } finally {
    await place.close();
  }
}

export async function measureDelivery(): Promise<Measured> {
  const rows: Row[] = [];
  for (const store of standInNames)
    for (const shape of shapes) {
      const row = await measureOne(store, shape);
      rows.push(row);
      console.log(
        `${store}, ${row.shape}: ${row.chunks} chunks in ${row.seconds.toFixed(1)} s, ${(row.chunks / row.seconds).toFixed(0)} a second, ${row.cpuSeconds.toFixed(1)} s of CPU, ${row.calls} calls`,
      );
    }
  const perSecond = ({ chunks, seconds }: Row): number => Number((chunks / seconds).toFixed(0));
  return {
    metrics: Object.fromEntries(rows.map((row) => [`${row.store}, ${row.shape}: chunks/s`, perSecond(row)])),
    goals: rows.map((row) => ({
      what: `delivery to ${row.store}, ${row.shape}, at ${callMs} ms a call`,
      wanted: `>= ${wantedPerSecond} chunks/s`,
      got: perSecond(row),
      met: perSecond(row) >= wantedPerSecond,
    })),
    tables: [
      {
        title: `Delivery, each call ${callMs} ms`,
        columns: ['store', 'what', 'documents', 'chunks', 'seconds', 'chunks/s', 'CPU seconds', 'calls'],
        rows: rows.map((row) => [
          row.store,
          row.shape,
          row.documents,
          row.chunks,
          Number(row.seconds.toFixed(2)),
          perSecond(row),
          Number(row.cpuSeconds.toFixed(2)),
          row.calls,
        ]),
      },
    ],
    notes: [
      'Delivery: vectors of 1,536 numbers, the stand-in in a process of its own on the same two processors; everything is in the record with its vectors before the clock starts.',
    ],
  };
}
