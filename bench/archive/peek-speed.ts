// How fast conversations come in, and how long a look at all of them takes: synthetic turns of words that are as frequent as those of a language
// (Zipf), over ten years. Times are of the processor, so that other work on the machine does not count.
// Usage: node bench/archive/peek-speed.ts [--turns=100000] [--queries=200] [--dry]
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { seeded } from '../../src/evals/metrics.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({
  options: {
    turns: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '200' },
    dry: { type: 'boolean', default: false },
  },
});
const turns = Number(flags.turns);
const queries = Number(flags.queries);
const random = seeded(1);
const vocabulary = 60_000;
const perConversation = 40;
const wordsOfMessage = 20;

const syllables = ['ba', 'co', 'du', 'fe', 'gi', 'ha', 'jo', 'ku', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo'];
const nameOf = (rank: number): string => {
  let word = '';
  for (let left = rank + 17; left > 0; left = Math.floor(left / 16)) word += syllables[left % 16];
  return word;
};
const words = Array.from({ length: vocabulary }, (_, rank) => nameOf(rank));
/** As frequent as 1/rank. */
const drawn = (): string => words[Math.min(vocabulary - 1, Math.floor(vocabulary ** random()) - 1)] as string;
const message = (): string => Array.from({ length: wordsOfMessage }, drawn).join(' ');

async function* lines(): AsyncGenerator<string> {
  const beganMs = Date.UTC(2015, 0, 1);
  const stepMs = (10 * 365 * 86_400_000) / turns;
  for (let at = 0; at < turns; at++) {
    const facts = {
      conversation_id: `c${Math.floor(at / perConversation)}`,
      turn_id: `t${at}`,
      timestamp: new Date(beganMs + at * stepMs).toISOString(),
    };
    yield `${JSON.stringify({ ...facts, role: 'user', text: message() })}\n${JSON.stringify({ ...facts, role: 'assistant', text: message() })}\n`;
  }
}

const processorMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
const at = (sorted: readonly number[], share: number): number =>
  Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));

const folder = await mkdtemp(join(tmpdir(), 'footnote-peek-'));
const config = loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } });
try {
  const path = join(folder, 'all.jsonl');
  await pipeline(Readable.from(lines()), createWriteStream(path));
  let opened = await openFootnote(config);
  let began = process.cpuUsage();
  const beganMs = performance.now();
  await opened.forScope(localScope()).conversations.import({ content: { path }, details: { name: 'all.jsonl' } });
  const importMs = processorMs(began);
  const importWallMs = performance.now() - beganMs;
  await opened.close();
  opened = await openFootnote(config);
  const { conversations } = opened.forScope(localScope());
  began = process.cpuUsage();
  await conversations.peek({ query: 'nothing' });
  const openMs = processorMs(began);
  const asked = Array.from({ length: queries }, () =>
    Array.from({ length: 3 + Math.floor(random() * 3) }, () => words[100 + Math.floor(random() * 5000)]).join(' '),
  );
  for (const query of asked.slice(0, 20)) await conversations.peek({ query });
  const took: number[] = [];
  let hits = 0;
  for (const query of asked) {
    const since = process.cpuUsage();
    const { total } = await conversations.peek({ query, bin: 'month', time_zone: 'Europe/Berlin' });
    took.push(processorMs(since));
    hits += total.hits;
  }
  took.sort((left, right) => left - right);
  const rate = Math.round(turns / (importMs / 1000));
  const most = turns > 300_000 ? 150 : 30;
  const metrics = {
    turns,
    queries,
    'hits of a query': Math.round(hits / queries),
    'peek p50, processor ms': at(took, 0.5),
    'peek p95, processor ms': at(took, 0.95),
    'turns imported in a second of the processor': rate,
    'turns imported in a second': Math.round(turns / (importWallMs / 1000)),
    'opening the index, processor ms': Math.round(openMs),
  };
  console.log(metrics);
  await opened.close();
  if (!flags.dry)
    await writeResult(`peek-speed-${turns}`, {
      title: `Conversations in and a look at all of them, ${turns} turns`,
      command: `npm run bench peek-speed${turns === 100_000 ? '' : ` -- --turns=${turns}`}`,
      seed: 1,
      metrics,
      goals: [
        { what: 'peek p95', wanted: `<= ${most} ms`, got: at(took, 0.95), met: at(took, 0.95) <= most },
        { what: 'turns imported in a second', wanted: '>= 3000', got: rate, met: rate >= 3000 },
      ],
      notes: [
        'A turn is two messages of 20 words each; a query has 3 to 5 words of ranks 100 to 5,100. Bins are months of Europe/Berlin, 10 snippets.',
      ],
    });
} finally {
  await rm(folder, { recursive: true });
}
