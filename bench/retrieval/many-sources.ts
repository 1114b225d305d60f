// What it costs to search by kinds of source: the same chunks lie in five sources of five kinds, each searched by itself and fused, and in one
// source. Both are open at once and asked in turns, so that the noise of the machine falls on both. Some five minutes at 100,000 chunks.
// Usage: node bench/retrieval/many-sources.ts [--chunks=N] [--dry]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import type { SourceType } from '../../src/core/document.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Mode } from '../../src/core/search.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { createSpeedCorpus } from '../../testkit/engine-corpus.ts';
import { median, quantile } from '../../testkit/engine-timing.ts';
import { toGoal } from '../engine/engine-goals.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({
  options: { dry: { type: 'boolean', default: false }, chunks: { type: 'string', default: '100000' } },
});
const seed = 1;
const chunks = Number(flags.chunks);
const kinds: readonly SourceType[] = ['code', 'textbook', 'docs', 'qa', 'web'];
const modes: readonly Mode[] = ['embedded', 'hybrid'];
const warmUp = 20;
const queries = 200;
const linesAtOnce = 2_000;

const corpus = createSpeedCorpus(seed, chunks);
const say = (what: string): void => console.log(`${Math.round(performance.now() / 1000)} s: ${what}`);

/** Chunk `i` lies in the source `of(i)`. */
async function open(of: (index: number) => SourceType) {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-many-sources-'));
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), LOG_LEVEL: 'silent' };
  const opened = await openFootnote(loadConfig({ folder, environment }));
  const footnote = opened.forScope(localScope());
  for (const kind of new Set(Array.from({ length: kinds.length }, (_, index) => of(index)))) {
    const own = Array.from({ length: chunks }, (_, index) => index).filter((index) => of(index) === kind);
    for (let from = 0; from < own.length; from += linesAtOnce) {
      const lines = own
        .slice(from, from + linesAtOnce)
        .map((index) => JSON.stringify({ _id: `d${index}`, title: `Note ${index}`, text: corpus.chunk(index) }));
      const bytes = new TextEncoder().encode(lines.join('\n'));
      await footnote.documents.add({ bytes, name: `${from}.jsonl`, source: `of-${kind}`, sourceType: kind });
    }
  }
  await opened.settle(localScope().tenant);
  return {
    footnote,
    async close() {
      await opened.close();
      await rm(folder, { recursive: true });
    },
  };
}

interface Times {
  readonly wall: number[];
  readonly processor: number[];
}

const places = [
  { name: 'five sources', at: await open((index) => kinds[index % kinds.length] as SourceType) },
  { name: 'one source', at: await open(() => 'docs') },
] as const;
say('both are filled');
const times = new Map<string, Times>();
let asked = 0;
for (const mode of modes)
  for (let round = -warmUp; round < queries; round += 1) {
    const query = corpus.query(round + warmUp, 'natural');
    // Who comes second finds caches of the processor warm: they take turns.
    for (const { name, at } of round % 2 === 0 ? places : places.toReversed()) {
      const [from, cpu] = [performance.now(), process.cpuUsage()];
      const { results } = await at.footnote.search({ query, mode, topK: 10 });
      const { user, system } = process.cpuUsage(cpu);
      const wall = performance.now() - from;
      if (results.length === 0) throw new Error(`Nothing was found for "${query}".`);
      if (round < 0) continue;
      asked += 1;
      const known = times.get(`${mode}, ${name}`) ?? { wall: [], processor: [] };
      known.wall.push(wall);
      known.processor.push((user + system) / 1000);
      times.set(`${mode}, ${name}`, known);
    }
  }
say(`${asked} searches`);
for (const { at } of places) await at.close();

const of = (mode: Mode, name: string): Times => times.get(`${mode}, ${name}`) as Times;
const p95 = (mode: Mode, name: string): number => quantile(of(mode, name).wall, 0.95);
const goals = [
  ...modes.map((mode) => ({ what: `${mode}: p95 over five sources, ms`, limit: 150, got: p95(mode, 'five sources') })),
  ...modes.map((mode) => ({
    what: `${mode}: p95 over five sources, over one`,
    limit: 1.5,
    got: p95(mode, 'five sources') / p95(mode, 'one source'),
  })),
  ...modes.map((mode) => ({
    what: `${mode}: p50 over five sources beyond one (routing and fusion), ms`,
    limit: 5,
    got: median(of(mode, 'five sources').wall) - median(of(mode, 'one source').wall),
  })),
].map(toGoal);
console.log(goals);
const round = (value: number): number => Number(value.toPrecision(3));
const rows = [...times].map(([name, { wall, processor }]) => [
  name,
  round(median(wall)),
  round(quantile(wall, 0.95)),
  round(median(processor)),
]);
console.log(rows);
if (!flags.dry)
  await writeResult('many-sources', {
    title: 'Searching five kinds of source beside one source of the same chunks',
    command: 'npm run bench many-sources',
    seed,
    data: [],
    metrics: { chunks, queries, sources: kinds.length },
    goals,
    tables: [{ title: 'Searches', columns: ['mode', 'p50 ms', 'p95 ms', 'processor p50 ms'], rows }],
    notes: [
      'Chunks of a made corpus, in turn in five sources of five kinds, and all in one source; both are open in one process and asked in turns. Searches are whole ones: routing, retrieval, fusion, hydration from the record, trace.',
    ],
  });
