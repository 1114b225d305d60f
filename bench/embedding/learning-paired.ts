// What learning vectors from a corpus costs beside another commit: both learn from the same 20,000 synthetic chunks in turns, each run in a
// process of its own, in processor time.
//
//   git worktree add ../before COMMIT && npm ci --prefix ../before
//   npm run bench learning-paired ../before [--rounds 3] [--dry]
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { analyzeText } from '../../src/text/analyze.ts';
import { createSpeedCorpus } from '../../testkit/engine-corpus.ts';
import { median } from '../../testkit/engine-timing.ts';
import { toGoal } from '../engine/engine-goals.ts';
import { writeResult } from '../report.ts';

const seed = 1;
const chunks = 20_000;
/** Where the model lies now, and where it lay before folders were made for models. */
const places = ['src/models/corpus/latent-semantics.ts', 'src/models/latent-semantics.ts'];

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    dry: { type: 'boolean', default: false },
    program: { type: 'string' },
  },
});

const moduleOf = (program: string): string => {
  const found = places.map((place) => join(program, place)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`Nothing is learned by ${program}. Name a checkout that learns vectors.`);
  return found;
};

/** CPU seconds of learning with the program of a checkout, in this process. */
async function learn(program: string): Promise<number> {
  const { trainLatentSemantics } = (await import(
    moduleOf(program)
  )) as typeof import('../../src/models/corpus/latent-semantics.ts');
  const corpus = createSpeedCorpus(seed, chunks);
  const documents = Array.from({ length: chunks }, (_, index) => ({
    key: `chunk ${index}`,
    terms: analyzeText(corpus.chunk(index), { language: 'en' }),
  }));
  const from = process.cpuUsage();
  const work = trainLatentSemantics(documents);
  let step = work.next();
  while (!step.done) step = work.next();
  if (!step.value) throw new Error('Nothing was learned.');
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1e6;
}

async function compare(before: string): Promise<void> {
  const own = resolve(import.meta.dirname, '../..');
  const ask = (program: string): number =>
    Number(execFileSync(process.execPath, [import.meta.filename, '--program', program], { encoding: 'utf8' }));
  const seconds = { before: [] as number[], after: [] as number[] };
  for (let round = 0; round < Number(given.rounds); round += 1) {
    const turns = [() => seconds.before.push(ask(before)), () => seconds.after.push(ask(own))];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) turn();
  }
  const [old, now] = [median(seconds.before), median(seconds.after)];
  const goals = [toGoal({ what: 'CPU of learning, share of the other commit', limit: 0.5, got: now / old })];
  console.log(goals, seconds);
  if (given.dry) return;
  const commit = execFileSync('git', ['-C', before, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  await writeResult('learning-paired', {
    title: 'Learning vectors from a corpus beside another commit',
    command: 'npm run bench learning-paired CHECKOUT',
    seed,
    data: [],
    metrics: { chunks, rounds: Number(given.rounds), 'the other commit': commit },
    goals,
    tables: [
      {
        title: 'Medians',
        columns: ['commit', 'CPU seconds'],
        rows: [
          [commit, old],
          ['this one', now],
        ],
      },
    ],
  });
}

if (given.program !== undefined) console.log(await learn(given.program));
else if (positionals[0] !== undefined) await compare(resolve(positionals[0]));
else throw new Error('Name a checkout of the other commit.');
