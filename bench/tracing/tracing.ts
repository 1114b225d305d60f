// What tracing costs: the processor time of searches and answers with traces and without, in turns in one process, and what traces take
// on disk.
//
//   npm run bench tracing [--rounds 40] [--dry]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { createRandom } from '../../testkit/history.ts';
import { writeResult } from '../report.ts';
import { openUntraced } from './untraced.ts';

const { values: given } = parseArgs({
  options: { rounds: { type: 'string', default: '40' }, dry: { type: 'boolean', default: false } },
});
const seed = 20_261_123;
const documents = 2000;
const rounds = Number(given.rounds);
const warmUp = 12;
/** Requests of a turn. */
const turns = { search: 25, ask: 8 } as const;
const random = createRandom(seed);
const syllables = 'ba ko ri ten mo lar si fen du gal pol vi ner ast om qui tre lun'.split(' ');
const vocabulary = Array.from({ length: 6000 }, () =>
  Array.from({ length: 2 + random.below(3) }, () => syllables[random.below(syllables.length)]).join(''),
);
const word = (): string => vocabulary[Math.floor(vocabulary.length * random.next() ** 3)] ?? '';
const sentence = (): string => Array.from({ length: 12 }, word).join(' ');
const query = (): string => Array.from({ length: 5 }, word).join(' ');
const linesOf = (count: number, prefix: string): Uint8Array =>
  new TextEncoder().encode(
    Array.from({ length: count }, (_, n) =>
      JSON.stringify({
        _id: `${prefix}${n}`,
        title: sentence().slice(0, 40),
        text: Array.from({ length: 12 }, sentence).join('. '),
      }),
    ).join('\n'),
  );

const folder = await mkdtemp(join(tmpdir(), 'footnote-bench-tracing-'));
const corpus = linesOf(documents, 'd');
type Side = 'traced' | 'untraced';
const sides: readonly Side[] = ['traced', 'untraced'];

async function open(side: Side) {
  const openThis = side === 'traced' ? openFootnote : await openUntraced();
  // Vectors would be made behind the requests, now of one side and now of the other.
  const environment = { FOOTNOTE_DATA: join(folder, side), MODEL_EMBED: 'none' };
  // Time stands still for whoever packs what is old: that is measured by itself.
  const clock = { now: () => '2026-11-23T12:00:00.000Z', elapsedMs: () => performance.now() };
  const opened = await openThis(loadConfig({ folder, environment }), { clock });
  const footnote = opened.forScope(localScope());
  await footnote.documents.add({ bytes: corpus, name: 'corpus.jsonl', source: 'corpus' });
  await opened.settle('default');
  return { opened, footnote };
}
type Opened = Awaited<ReturnType<typeof open>>;
const opened = { traced: await open('traced'), untraced: await open('untraced') };

const usedMs = (from: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
};
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

interface Spent {
  /** Processor time of all threads until each reply. */
  readonly replies: number[];
  /** Of each turn, with what is saved behind the replies. */
  readonly turns: number[];
}
type Work = (footnote: Opened['footnote']) => Promise<unknown>;

async function spend(side: Side, works: readonly Work[], spent: Spent | undefined): Promise<void> {
  const { footnote } = opened[side];
  const from = process.cpuUsage();
  for (const work of works) {
    const asked = process.cpuUsage();
    await work(footnote);
    spent?.replies.push(usedMs(asked));
    await nextTurn();
  }
  await footnote.traces.list({ limit: 1 });
  spent?.turns.push(usedMs(from));
}

interface Paired {
  readonly tracedMs: number;
  readonly untracedMs: number;
  /** More than without, of the medians until the reply, and of those of turns. */
  readonly percent: number;
  readonly allPercent: number;
}

const more = (one: number, than: number): number => (one / than - 1) * 100;

/** The same work on both sides, each first in every other turn. */
async function paired(times: number, prepare: (round: number) => readonly Work[]): Promise<Paired> {
  const spent: Readonly<Record<Side, Spent>> = {
    traced: { replies: [], turns: [] },
    untraced: { replies: [], turns: [] },
  };
  for (let round = -warmUp; round < times; round += 1) {
    const works = prepare(round);
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      await spend(side, works, round < 0 ? undefined : spent[side]);
  }
  const { traced, untraced } = spent;
  const [tracedMs, untracedMs] = [median(traced.replies), median(untraced.replies)];
  return {
    tracedMs,
    untracedMs,
    percent: more(tracedMs, untracedMs),
    allPercent: more(median(traced.turns), median(untraced.turns)),
  };
}

const asked = (count: number): readonly string[] => Array.from({ length: count }, query);
const search = await paired(rounds, () =>
  asked(turns.search).map((one) => (footnote) => footnote.search({ query: one })),
);
const ask = await paired(rounds, () =>
  asked(turns.ask).map((one) => (footnote) => footnote.ask({ question: `What is ${one}?` })),
);
for (const side of sides) await opened[side].opened.close();

interface Size {
  readonly kind: string;
  readonly bytes: number;
  readonly traces: number;
}
const data = join(folder, 'traced');
function sizes(): readonly Size[] {
  const database = new DatabaseSync(join(data, 'record.sqlite'), { readOnly: true });
  const rows = database
    .prepare('SELECT kind, avg(length(events)) AS bytes, count(*) AS traces FROM trace GROUP BY kind ORDER BY kind')
    .all();
  database.close();
  return rows as unknown as Size[];
}
const bytesOf = (rows: readonly Size[], kind: string): number =>
  Math.round(rows.find((one) => one.kind === kind)?.bytes ?? 0);
const saved = sizes();
const record = openSqliteRecord({ folder: data });
const packing = process.cpuUsage();
while ((await record.traceUpkeep.compact('9999-01-01T00:00:00.000Z', 200)) > 0);
const packingMs = usedMs(packing);
await record.close();
const packed = sizes();
await rm(folder, { recursive: true, force: true });

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
const measured = { search, ask };
const all = saved.reduce((sum, { traces }) => sum + traces, 0);
const metrics = {
  ...Object.fromEntries(Object.entries(measured).map(([name, { percent }]) => [`${name}Percent`, round(percent, 1)])),
  ...Object.fromEntries(
    Object.entries(measured).map(([name, { allPercent }]) => [`${name}AllPercent`, round(allPercent, 1)]),
  ),
  searchCpuMs: round(search.tracedMs, 3),
  askCpuMs: round(ask.tracedMs, 2),
  packingCpuMs: round(packingMs / Math.max(1, all), 2),
  askBytesAsSaved: bytesOf(saved, 'ask'),
  askBytesPacked: bytesOf(packed, 'ask'),
  searchBytesAsSaved: bytesOf(saved, 'search'),
  searchBytesPacked: bytesOf(packed, 'search'),
  megabytesOf10000Sessions: round((bytesOf(packed, 'ask') * 10_000) / 1e6, 1),
};
console.log(metrics, measured);
const goal = (what: string, limit: number, got: number) => ({ what, wanted: `<= ${limit}`, got, met: got <= limit });
if (!given.dry)
  await writeResult('tracing', {
    title: 'What tracing costs searches and answers, and what a trace takes on disk',
    command: 'npm run bench tracing',
    seed,
    data: [],
    metrics,
    goals: [
      goal(
        'processor time of a search until its reply, more than without traces (%, p50)',
        5,
        round(search.percent, 1),
      ),
      goal('processor time of an answer until its reply, more than without traces (%, p50)', 5, round(ask.percent, 1)),
      goal('bytes of a simple turn on disk', 10_000, metrics.askBytesPacked),
      goal('MB of 10,000 sessions of a turn', 100, metrics.megabytesOf10000Sessions),
    ],
    tables: [
      {
        title:
          'Processor time of all threads until the reply (medians), and of turns with what is saved behind the replies',
        columns: ['what', 'traced ms', 'untraced ms', 'more until the reply %', 'more in all %'],
        rows: Object.entries(measured).map(([name, one]) => [
          name,
          round(one.tracedMs, 3),
          round(one.untracedMs, 3),
          round(one.percent, 1),
          round(one.allPercent, 1),
        ]),
      },
      {
        title: 'Bytes of a trace, on average',
        columns: ['kind', 'traces', 'as saved', 'packed'],
        rows: saved.map(({ kind, traces, bytes }) => [kind, traces, Math.round(bytes), bytesOf(packed, kind)]),
      },
    ],
    notes: [
      `${documents} made documents. ${rounds} turns of ${turns.search} searches and ${turns.ask} questions, after ${warmUp} to warm up, each on both sides, whose modules are loaded apart in one process; the side without traces records no call and keeps no tape, and saves none.`,
      'Packed: as it stands after the minute in which nobody reads it, its texts those of the record.',
    ],
  });
