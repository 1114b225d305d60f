// Whether the same corpus always gives the same rankings: a set is put into fresh data folders in random orders, the process that does
// it is killed (SIGKILL) at random moments of adding and of settling and started again, and once settled the three modes must return
// the same hits in the same order for every folder. The first folder is filled in one life, without a kill.
// Usage: node bench/engine/determinism.ts [--set=cranfield] [--orders=20] [--kills=3] [--dry]
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { modes } from '../../src/core/search.ts';
import { seeded } from '../../src/evals/metrics.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import type { Message } from './determinism-process.ts';

const { values: flags } = parseArgs({
  options: {
    set: { type: 'string', default: 'cranfield' },
    orders: { type: 'string', default: '20' },
    kills: { type: 'string', default: '3' },
    dry: { type: 'boolean', default: false },
  },
});
const orders = Number(flags.orders);
const killsPerFolder = Number(flags.kills);
/** A kill falls this long after a batch was acknowledged, or after settling began: within the next write, or the training. */
const longestDelayMs = { added: 60, settling: 2500 };

type Settled = Extract<Message, { what: 'settled' }>;

interface Life {
  readonly settled?: Settled;
  /** Batches acknowledged before it ended. */
  readonly batches: number;
  readonly killed: 'adding' | 'settling' | undefined;
}

/** When a life is to end: after so many batches, or while settling. */
interface Death {
  readonly after: number | 'settling';
  readonly delayMs: number;
}

async function killLater(child: ChildProcess, delayMs: number): Promise<void> {
  await pause(delayMs);
  child.kill('SIGKILL');
}

function live(words: readonly string[], from: number, death: Death | undefined): Promise<Life> {
  return new Promise((done, fail) => {
    const path = join(import.meta.dirname, 'determinism-process.ts');
    const child = fork(path, [...words, String(from)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let batches = from;
    let settled: Settled | undefined;
    let isSettling = false;
    let isDoomed = false;
    child.on('message', (message: Message) => {
      if (message.what === 'settled') settled = message;
      if (message.what === 'added') batches = message.batches;
      if (message.what === 'settling') isSettling = true;
      const isDue = death && (death.after === 'settling' ? isSettling : batches >= death.after);
      if (!isDue || settled || isDoomed) return;
      isDoomed = true;
      void killLater(child, death.delayMs);
    });
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') done({ batches, killed: isSettling ? 'settling' : 'adding' });
      else if (settled && code === 0) done({ settled, batches, killed: undefined });
      else fail(new Error(`The process ended with ${code ?? signal} before it had settled.`));
    });
  });
}

async function fill(seed: number, kills: number): Promise<{ settled: Settled; killed: Record<string, number> }> {
  const random = seeded(seed);
  const folder = await mkdtemp(join(tmpdir(), 'footnote-determinism-'));
  const killed = { adding: 0, settling: 0 };
  try {
    let from = 0;
    for (let death = 0; ; death++) {
      const last = death === kills - 1;
      const doom: Death | undefined =
        death >= kills
          ? undefined
          : last
            ? { after: 'settling', delayMs: random() * longestDelayMs.settling }
            : { after: from + 1 + Math.floor(random() * 8), delayMs: random() * longestDelayMs.added };
      const life = await live([join(folder, 'data'), flags.set, String(seed)], from, doom);
      if (life.killed) killed[life.killed]++;
      if (life.settled) return { settled: life.settled, killed };
      from = life.batches;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const folder = sharedData(flags.set);
if (folder !== undefined) {
  const first = await fill(1, 0);
  const identical = Object.fromEntries(modes.map((mode) => [mode, { ranking: 0, scores: 0 }]));
  const killed = { adding: 0, settling: 0 };
  let sameModel = 0;
  for (let order = 1; order <= orders; order++) {
    const { settled, killed: own } = await fill(order + 1, killsPerFolder);
    killed.adding += own['adding'] ?? 0;
    killed.settling += own['settling'] ?? 0;
    if (settled.model === first.settled.model) sameModel++;
    for (const [mode, counts] of Object.entries(identical)) {
      const [expected, got] = [first.settled.digests[mode], settled.digests[mode]];
      if (got && got.ranking === expected?.ranking) counts.ranking++;
      if (got && got.scores === expected?.scores) counts.scores++;
    }
    console.log(`order ${order}: ${settled.model}, ${settled.chunks} chunks, ${JSON.stringify(settled.digests)}`);
  }
  const metrics = {
    chunks: first.settled.chunks,
    orders,
    'kills while adding': killed.adding,
    'kills while settling': killed.settling,
    'orders with the same model': sameModel,
    ...Object.fromEntries(
      Object.entries(identical).map(([mode, { scores }]) => [`orders with the very same scores, ${mode}`, scores]),
    ),
  };
  const goals: BenchGoal[] = Object.entries(identical).map(([mode, { ranking }]) => ({
    what: `orders with the same rankings, ${mode}`,
    wanted: String(orders),
    got: ranking,
    met: ranking === orders,
  }));
  console.log(metrics, goals);
  if (!flags.dry)
    await writeResult('determinism', {
      title: 'The same corpus in random orders, with kills: the same rankings once settled',
      command: 'npm run bench determinism',
      seed: 1,
      data: [folder],
      metrics,
      goals,
      notes: [
        `${flags.set}, batches of 40 documents; ${killsPerFolder} kills (SIGKILL) for each order, the last of them within ${longestDelayMs.settling} ms after settling began; 60 queries, 50 hits each, in three modes, against a folder that was filled in one life.`,
        'A kill that comes after the work was done does not count.',
      ],
    });
}
