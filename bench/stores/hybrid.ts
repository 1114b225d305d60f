// What asking two stores at the same time costs beside asking one: the same question in mode hybrid, and in the mode that asks the slower store alone, one right after the
// other, at several delays of the hosted store and of the embedding model that both are asked with.

import type { Mode } from '../../src/core/search.ts';
import { type Measured, median, openPlace, processorMs, textOf, timed } from './place.ts';
import { type StandInName, standInNames } from './stand-ins.ts';

const delaysMs = [0, 10, 30, 100, 300] as const;
const tries = 21;
const mostExtraMs = 10;

interface Row {
  readonly store: StandInName;
  readonly delayMs: number;
  readonly embeddedMs: number;
  readonly vectorMs: number;
  readonly hybridMs: number;
  readonly extraMs: number;
  /** Processor time of the process. */
  readonly extraCpuMs: number;
}

interface Taken {
  readonly ms: number;
  readonly cpuMs: number;
}

const beyond = ({ embedded, vector, hybrid }: Record<Mode, Taken>, of: keyof Taken): number =>
  hybrid[of] - Math.max(embedded[of], vector[of]);

async function measureStore(store: StandInName): Promise<readonly Row[]> {
  const place = await openPlace([store]);
  try {
    const footnote = place.footnote();
    for (let at = 0; at < 200; at += 1)
      await footnote.documents.add({ uri: `d${at}.txt`, text: textOf(at, 240), source: 'bench' });
    await place.opened().settle('default');
    let asked = 0;
    // Each question once, so that none is answered from what is kept of another; its vector is kept, as the first search asked for it.
    const questions = () => {
      asked += 1;
      const query = textOf(asked * 7, 12).slice(14);
      return { query, topK: 10, minScore: 0 };
    };
    const rows: Row[] = [];
    for (const delayMs of delaysMs) {
      await place.standIn(store).answer({ delayMs });
      const taken: Record<Mode, Taken>[] = [];
      for (let at = -3; at < tries; at += 1) {
        const question = questions();
        const run = async (mode: Mode): Promise<Taken> => {
          const cpuMs = processorMs();
          const ms = await timed(async () => {
            const { degraded, results } = await footnote.search({ ...question, mode });
            if (degraded.length > 0 || results.length === 0) throw new Error(`${store}: ${JSON.stringify(degraded)}`);
          });
          return { ms, cpuMs: processorMs() - cpuMs };
        };
        // Which comes first changes: the later ones find the processor warm.
        const order =
          at % 2 === 0 ? (['vector', 'hybrid', 'embedded'] as const) : (['hybrid', 'vector', 'embedded'] as const);
        await run('embedded');
        const none = { ms: 0, cpuMs: 0 };
        const one = { embedded: none, vector: none, hybrid: none };
        for (const mode of order) one[mode] = await run(mode);
        if (at >= 0) taken.push(one);
      }
      const row = {
        store,
        delayMs,
        embeddedMs: median(taken.map(({ embedded }) => embedded.ms)),
        vectorMs: median(taken.map(({ vector }) => vector.ms)),
        hybridMs: median(taken.map(({ hybrid }) => hybrid.ms)),
        extraMs: median(taken.map((one) => beyond(one, 'ms'))),
        extraCpuMs: median(taken.map((one) => beyond(one, 'cpuMs'))),
      };
      rows.push(row);
      console.log(
        `${store} at ${delayMs} ms: embedded ${row.embeddedMs.toFixed(1)}, vector ${row.vectorMs.toFixed(1)}, hybrid ${row.hybridMs.toFixed(1)}, beyond the slower ${row.extraMs.toFixed(1)} ms, ${row.extraCpuMs.toFixed(1)} ms of the processor`,
      );
    }
    return rows;
  } finally {
    await place.close();
  }
}

export async function measureHybrid(): Promise<Measured> {
  const rows: Row[] = [];
  for (const store of standInNames) rows.push(...(await measureStore(store)));
  const worstOf = (store: StandInName, of: 'extraMs' | 'extraCpuMs'): number =>
    Math.max(...rows.filter((row) => row.store === store).map((row) => row[of]));
  const kinds = [
    ['extraMs', 'ms'],
    ['extraCpuMs', 'ms of the processor'],
  ] as const;
  return {
    metrics: Object.fromEntries(
      standInNames.flatMap((store) =>
        kinds.map(([of, unit]) => [
          `${store}: hybrid beyond the slower leg, ${unit}`,
          Number(worstOf(store, of).toFixed(1)),
        ]),
      ),
    ),
    goals: standInNames.flatMap((store) =>
      kinds.map(([of, unit]) => ({
        what: `a hybrid search with ${store} beyond its slower leg, worst of ${delaysMs.length} delays`,
        wanted: `<= ${mostExtraMs} ${unit}`,
        got: `${worstOf(store, of).toFixed(1)} ${unit}`,
        met: worstOf(store, of) <= mostExtraMs,
      })),
    ),
    tables: [
      {
        title: 'Milliseconds of one search, medians',
        columns: [
          'store',
          'delay of the store',
          'embedded',
          'vector',
          'hybrid',
          'hybrid beyond the slower',
          'its processor time beyond the slower',
        ],
        rows: rows.map(({ store, delayMs, ...ms }) => [
          store,
          delayMs,
          ...[ms.embeddedMs, ms.vectorMs, ms.hybridMs, ms.extraMs, ms.extraCpuMs].map((one) => Number(one.toFixed(1))),
        ]),
      },
    ],
    notes: [
      'The processor time beyond the slower leg is what a hybrid search takes longer where nothing else runs; on a machine that others use, each millisecond of it is several.',
      `Hybrid: ${tries} questions for each delay, each asked in the three modes one after the other; the last column is the median of the differences of a question, not the difference of the medians.`,
    ],
  };
}
