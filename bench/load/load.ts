// The server under load: what it adds to an instant model, how many answers it sustains, a thousand streams, clients that read nothing,
// clients that leave. Server, provider and generator are processes of their own; the event log is durable as always. About 6 minutes.
//
//   npm run bench load [-- --small] [--dry]
import { median } from '../../testkit/engine-timing.ts';
import { openLoadPlace } from '../../testkit/load/place.ts';
import { runDisconnects, runningRows, runStreams } from '../../testkit/load/streams.ts';
import { writeResult } from '../report.ts';
import { type LoadMeasured, loadGoals, loadTables, steadyRate, sustainedRate } from './load-goals.ts';
import { type OpenLoopRun, runOpenLoop, searchRate } from './load-open-loop.ts';
import { runSlowReaders } from './load-slow-readers.ts';

const isSmall = process.argv.includes('--small');
const isDry = isSmall || process.argv.includes('--dry');
const size = isSmall
  ? { documents: 500, warmSeconds: 4, rounds: 1, seconds: 4, rates: [30], streams: 100, clients: 60 }
  : {
      documents: 10_000,
      warmSeconds: 15,
      rounds: 3,
      seconds: 15,
      rates: [50, 75, 100, 125, 150, 175, 200, 225],
      streams: 1_000,
      clients: 1_000,
    };

const say = (what: string): void => console.log(`${Math.round(performance.now() / 1000)} s: ${what}`);

async function measure(): Promise<LoadMeasured> {
  const place = await openLoadPlace(size.documents);
  say(`${size.documents} chunks are read`);
  let measured: LoadMeasured = { rates: [] };
  try {
    // Its code is compiled while it runs: the first answers are not what is asked about.
    for (const perSecond of [10, 30, steadyRate])
      await runOpenLoop(place, { perSecond: isSmall ? 10 : perSecond, seconds: size.warmSeconds });
    const rounds: OpenLoopRun[] = [];
    const perSecond = isSmall ? 20 : steadyRate;
    for (let round = 0; round < size.rounds; round++)
      rounds.push(await runOpenLoop(place, { perSecond, seconds: size.seconds }));
    const middle = median(rounds.map(({ p99Ms }) => p99Ms));
    const steady = rounds.find(({ p99Ms }) => p99Ms === middle);
    say('open loop');
    const rates = await searchRate(place, { rates: size.rates, seconds: size.seconds });
    say('rates');
    const streams = await runStreams(place, { streams: size.streams, perSecond: isSmall ? 30 : 60 });
    say('streams');
    const disconnects = await runDisconnects(place, { clients: size.clients, perSecond: isSmall ? 20 : 40 });
    say('disconnects');
    measured = { ...(steady && { steady }), rates, streams, disconnects };
    await place.server.stop();
    measured = { ...measured, runningRows: runningRows(place.data) };
  } finally {
    await place.close();
  }
  const slow = await runSlowReaders(Math.min(1_000, size.documents));
  say(slow ? 'slow readers' : 'slow readers: this machine allows no network of one’s own, so they were not measured');
  return { ...measured, ...(slow && { slow }) };
}

const measured = await measure();
const goals = loadGoals(measured);
const tables = loadTables(measured);
if (isDry) {
  for (const { title, columns, rows } of tables) {
    console.log(title);
    console.table(rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))));
  }
  for (const goal of goals) console.log(`${goal.met ? 'met   ' : 'MISSED'} ${goal.what}: ${goal.got} (${goal.wanted})`);
} else {
  const { steady, streams, slow, disconnects } = measured;
  await writeResult('load', {
    title: 'The server under load, with an instant model',
    command: 'npm run bench load',
    seed: 1,
    metrics: {
      chunks: size.documents,
      'sustained answers/s': sustainedRate(measured.rates) ?? null,
      'CPU ms an answer at 60/s': steady?.cpuMsAnAnswer ?? null,
      'CPU ms an answer at 60/s, on the event loop': steady?.loopMsAnAnswer ?? null,
      'first byte p99 ms, 1,000 streams': streams?.firstByteP99Ms ?? null,
      'streams that clients left in the middle': disconnects?.leftInTheMiddle ?? null,
      'slow readers in a network of their own': slow !== undefined,
    },
    goals,
    tables,
    notes: [
      'The default mode (hybrid), one document a chunk, every answer with three claims of the model, each checked; trace, answer and budget are committed with synchronous=FULL before `done`.',
      'The model answers at once, in pieces of 24 characters; it speaks OpenAI’s Responses API through the product’s own adapter (as an Azure endpoint, which may have any address).',
      'Arrivals are drawn beforehand (Poisson); an answer is timed from when it was due. Server, provider and generator share the two cores.',
      'Sustained: everything asked was answered whole, p99 <= 1 s, and answers came at 90 % of the rate of arrivals or more.',
    ],
  });
}
