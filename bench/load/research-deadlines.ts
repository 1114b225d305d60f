// Thirty research questions at once, each taken apart, with less time than they would like: how far past its deadline does an
// answer, or the word that there was no time for one, come? In one process, so that what the questions do to each other is in the figure.
// Usage: node bench/load/research-deadlines.ts [--dry]
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });
const folder = sharedData('hotpotqa-100');
if (!folder) process.exit(0);
const hotpot = await openRetrievalDataset(folder);
const atOnce = 30;
const rounds = 3;
const allowedMs = [250, 1_000, 3_000, 10_000];

const titles: string[] = [];
for await (const { title } of hotpot.documents()) if (title !== undefined && titles.length < 400) titles.push(title);
const questionOf = (at: number): string => {
  const [one, other] = [titles[(at * 7) % titles.length], titles[(at * 7 + 3) % titles.length]];
  return `Compare ${one} and ${other} in origin, size and founders, and say which came first.`;
};
const system = await openEvaluatedSystem(
  loadConfig({
    environment: {
      MULTI_AGENT_COMPLEXITY_THRESHOLD: '0.6',
    },
  }),
);
const rows: (string | number)[][] = [];
let worst = Number.NEGATIVE_INFINITY;
try {
  await system.ingest(hotpot.documents());
  await system.ask(questionOf(0), { mode: 'hybrid' });
  for (const timeoutMs of allowedMs) {
    const past: number[] = [];
    let answered = 0;
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        Array.from({ length: atOnce }, async (_, at) => {
          const startedAt = performance.now();
          await system.footnote
            .ask({ question: questionOf(round * atOnce + at), mode: 'hybrid' }, { timeoutMs })
            .then(() => (answered += 1))
            .catch((thrown: { readonly code?: string }) => {
              if (thrown.code !== 'deadline-exceeded' && thrown.code !== 'overloaded') throw thrown;
            });
          past.push(performance.now() - startedAt - timeoutMs);
        }),
      );
    const { user, system: kernel } = process.cpuUsage(before);
    const latest = Math.max(...past);
    worst = Math.max(worst, latest);
    rows.push([
      timeoutMs,
      past.length,
      answered,
      past.filter((one) => one > 0).length,
      latest.toFixed(0),
      ((user + kernel) / 1000 / past.length).toFixed(0),
    ]);
    console.log(rows.at(-1)?.join('  '));
  }
} finally {
  await system.close();
}
if (!flags.dry)
  await writeResult('research-deadlines', {
    title: 'Thirty research questions at once, and their deadlines',
    command: 'npm run bench research-deadlines',
    data: [...hotpot.files],
    metrics: { 'latest past its deadline, ms': worst },
    goals: [
      {
        what: 'latest end of a question past its deadline',
        wanted: '<= 250 ms',
        got: `${worst.toFixed(0)} ms`,
        met: worst <= 250,
      },
    ],
    tables: [
      {
        title: `${atOnce} at once, ${rounds} times`,
        columns: [
          'time allowed, ms',
          'questions',
          'answered',
          'ended after it',
          'the latest, ms past it',
          'CPU ms each',
        ],
        rows,
      },
    ],
    notes: ['Eight parts and more each; two processors, other work beside it.'],
  });
