// How busy a provider of embeddings is kept while a corpus gets new vectors, what that costs this machine, and what kills cost: a
// provider in a process of its own that takes 20 ms for a hundred texts, one after the other, and knows its own idle time.
//
//   npm run bench embedding [-- chunks] [--dry]
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import { checkVectorsOf, writeCorpus } from '../../testkit/embedding-corpus.ts';
import { openSimulatedProvider, runAndKill, runToEnd } from '../../testkit/embedding-kills.ts';
import { writeResult } from '../report.ts';

const chunks = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 100_000);
const isDry = process.argv.includes('--dry');
const [msPerHundred, textsPerCall, callsAtOnce, kills] = [20, 100, 4, 20];
const wantedShare = 0.9;

const place = mkdtempSync(join(tmpdir(), 'footnote-bench-embedding-'));
const corpus = join(place, 'corpus');
await writeCorpus(corpus, chunks);
await closeEngineThreads();

async function measure({ dimensions, lanes }: { readonly dimensions: number; readonly lanes: number }) {
  const folder = join(place, 'run');
  cpSync(corpus, folder, { recursive: true });
  const provider = await openSimulatedProvider({ msPerHundred, lanes, dimensions });
  try {
    const costs = await runToEnd({ folder, address: provider.address, textsPerCall, callsAtOnce, dimensions });
    const statistics = await provider.statistics();
    const { right } = await checkVectorsOf(folder, dimensions);
    if (right !== chunks || statistics.twice > 0)
      throw new Error(
        `${right} of ${chunks} chunks have their vector, ${statistics.twice} texts were asked for twice.`,
      );
    return { dimensions, lanes, ...costs, ...statistics };
  } finally {
    provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureKills(dimensions: number) {
  const folder = join(place, 'kills');
  cpSync(corpus, folder, { recursive: true });
  const provider = await openSimulatedProvider({ msPerHundred, lanes: 1, dimensions });
  try {
    const run = { folder, address: provider.address, textsPerCall, callsAtOnce, dimensions };
    let killed = 0;
    // Places that no two kills share.
    for (let kill = 0; kill < kills; kill++)
      if (
        (await runAndKill(run, provider, Math.floor((chunks / kills) * (0.4 + (0.5 * ((kill * 7) % 11)) / 11)))) ===
        'killed'
      )
        killed += 1;
    await runToEnd(run);
    const { twice, distinct } = await provider.statistics();
    const { right } = await checkVectorsOf(folder, dimensions);
    return { killed, twice, distinct, right };
  } finally {
    provider.close();
  }
}

const runs = [
  await measure({ dimensions: 256, lanes: 1 }),
  await measure({ dimensions: 1536, lanes: 1 }),
  await measure({ dimensions: 256, lanes: 4 }),
];
const killing = await measureKills(256);
rmSync(place, { recursive: true, force: true });

const [first] = runs;
const cpuMs = (run: { readonly cpuSeconds: number }): number => (run.cpuSeconds * 1000) / chunks;
const result = {
  title: 'Re-embedding before a simulated provider: 20 ms for a call of 100 texts',
  command: `npm run bench embedding${chunks === 100_000 ? '' : ` -- ${chunks}`}`,
  seed: 1,
  metrics: {
    chunks,
    'texts a call': textsPerCall,
    'calls at once': callsAtOnce,
    'share of the provider’s time in use': first?.share ?? 0,
    'CPU ms a chunk of the main thread, 256 dimensions (the provider takes 0.2 ms)': first
      ? (first.threadSeconds * 1000) / chunks
      : 0,
    'seconds of that run waiting for a processor': first?.waitedSeconds ?? 0,
    'CPU ms a chunk, 256 dimensions': first ? cpuMs(first) : 0,
    'CPU ms a chunk, 1536 dimensions': runs[1] ? cpuMs(runs[1]) : 0,
    'load average of the machine at the end': loadavg()[0] ?? 0,
    kills: killing.killed,
    'texts asked for twice in all kills': killing.twice,
    'chunks without their vector after the kills': chunks - killing.right,
  },
  goals: [
    {
      what: 'Share of the provider’s rate, re-embedding',
      wanted: `>= ${wantedShare}`,
      got: first?.share ?? 0,
      met: (first?.share ?? 0) >= wantedShare,
    },
    {
      what: `Texts paid for twice after ${killing.killed} kills: at most those of ${callsAtOnce} calls a kill`,
      wanted: `<= ${killing.killed * callsAtOnce * textsPerCall}`,
      got: killing.twice,
      met: killing.twice <= killing.killed * callsAtOnce * textsPerCall,
    },
    {
      what: `Chunks without the vector of their text after ${killing.killed} kills`,
      wanted: '0',
      got: chunks - killing.right,
      met: killing.right === chunks,
    },
  ],
  tables: [
    {
      title: 'By length of the vectors and by what the provider serves at once',
      columns: [
        'dimensions',
        'served at once',
        'share of its time in use',
        'seconds',
        'CPU seconds',
        'of them main thread',
        'seconds waiting for a processor',
        'peak MiB',
      ],
      rows: runs.map((run) => [
        run.dimensions,
        run.lanes,
        run.share,
        run.embeddingSeconds,
        run.cpuSeconds,
        run.threadSeconds,
        run.waitedSeconds,
        run.peakMiB,
      ]),
    },
  ],
  notes: [
    'The provider is a process of its own on the same machine and takes processor time from what is measured, as everything else that runs there does.',
    'Its time in use is that of its calls (20 ms for 100 texts), of all the time from its first call to the end of its last.',
    'Serving four calls at once it would give 20,000 vectors a second: more than one thread can make durable, and no provider’s limit allows it.',
    'Kills are SIGKILL, at places of their own in the run; what was answered and not yet durable is asked for again.',
  ],
};
if (isDry) console.log(JSON.stringify(result, null, 2));
else await writeResult('embedding', result);
