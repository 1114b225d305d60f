// What search by meaning costs in the whole product: learning from a large corpus, folding documents in, memory, and what a
// query takes more in modes vector and hybrid than by words. The modes take turns, query by query.
// Usage: node bench/retrieval/meaning.ts [chunks] [--dry]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { type Mode, modes } from '../../src/core/search.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { createSpeedCorpus } from '../../testkit/engine-corpus.ts';
import { writeResult } from '../report.ts';

const seed = 1;
const fileRecords = 50_000;
const queries = 300;
const rounds = 3;
const chunks = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 100_000);

const place = mkdtempSync(join(tmpdir(), 'footnote-bench-meaning-'));
const docs = join(place, 'docs');
mkdirSync(docs);
const corpus = createSpeedCorpus(seed, chunks);
const added = Math.min(4000, Math.floor(chunks / 10));
const line = (index: number): string => JSON.stringify({ id: `d${index}`, title: '', text: corpus.chunk(index) });
for (let first = 0; first < chunks - added; first += fileRecords)
  writeFileSync(
    join(docs, `part-${first}.jsonl`),
    Array.from({ length: Math.min(fileRecords, chunks - added - first) }, (_, at) => line(first + at)).join('\n'),
  );

const opened = await openFootnote(
  loadConfig({ folder: place, environment: { FOOTNOTE_DATA: join(place, 'data'), LOG_LEVEL: 'silent' } }),
);
const footnote = opened.forScope(localScope());
await footnote.sources.put({ name: 'bench', type: 'docs', connector: { kind: 'folder', path: docs } });

interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}
async function measure(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const from = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - from) / 1000, cpuSeconds: (user + system) / 1e6 };
}
const residentMiB = (): number => process.memoryUsage.rss() / 1024 / 1024;

const tenant = localScope().tenant;
await footnote.sources.sync('bench');
const before = residentMiB();
let most = before;
const watching = setInterval(() => {
  most = Math.max(most, residentMiB());
}, 50);
let trainedAt = 0;
const begun = performance.now();
const learning = await measure(() =>
  opened.settle(tenant, {
    exact: true,
    onProgress({ state }) {
      if (state === 'embedding' && trainedAt === 0) trainedAt = (performance.now() - begun) / 1000;
    },
  }),
);
clearInterval(watching);
// Folded in: what comes later, with the model as it is.
writeFileSync(
  join(docs, 'later.jsonl'),
  Array.from({ length: added }, (_, at) => line(chunks - added + at)).join('\n'),
);
await footnote.sources.sync('bench');
const folding = await measure(() => opened.settle(tenant));
const [store] = await footnote.stores.list();

const times = new Map<Mode, number[]>(modes.map((mode) => [mode, []]));
/** Of it the search itself: legs, fusion and reading the hits, without the trace that is written after it. */
const retrieving = new Map<Mode, number[]>(modes.map((mode) => [mode, []]));
for (let round = 0; round <= rounds; round++)
  for (let at = 0; at < queries; at++)
    for (const mode of modes) {
      const from = performance.now();
      let retrieved = Number.NaN;
      const { degraded } = await footnote.search(
        { query: corpus.query(at, 'content'), mode, topK: 10 },
        {
          onEvent(event) {
            if (event.type === 'retrieval') retrieved = event.latencyMs;
          },
        },
      );
      const ms = performance.now() - from;
      if (degraded.length > 0) throw new Error(degraded.map(({ detail }) => detail).join('; '));
      // The first round warms up.
      if (round === 0) continue;
      times.get(mode)?.push(ms);
      retrieving.get(mode)?.push(retrieved);
    }
await opened.close();
rmSync(place, { recursive: true, force: true });

const quantile = (mode: Mode, share: number, of = times): number => {
  const sorted = [...(of.get(mode) ?? [])].sort((left, right) => left - right);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
};
const rounded = (value: number): number => Number(value.toPrecision(4));
const rate = added / folding.seconds;
const more = quantile('hybrid', 0.5, retrieving) - quantile('embedded', 0.5, retrieving);
const moreInAll = quantile('hybrid', 0.5) - quantile('embedded', 0.5);
const metrics = {
  chunks,
  'dimensions and model': store?.vectors?.model ?? 'none',
  'seconds of learning, whole corpus embedded': rounded(learning.seconds),
  'seconds until the model was trained': rounded(trainedAt),
  'CPU seconds of both': rounded(learning.cpuSeconds),
  'memory before, MiB': rounded(before),
  'most memory meanwhile, MiB': rounded(most),
  'more of a whole search in mode hybrid than by words, ms': rounded(moreInAll),
  'chunks folded in': added,
  'chunks a second folded in': rounded(rate),
};
const goals = [
  { what: 'Training, seconds (20,000 chunks at most are learned from)', limit: 30, got: trainedAt },
  { what: 'Retrieval in mode hybrid takes more than by words, ms (medians)', limit: 1, got: more },
].map(({ what, limit, got }) => ({ what, wanted: `<= ${limit}`, got: rounded(got), met: got <= limit }));
goals.push({ what: 'Chunks a second folded in', wanted: '>= 3500', got: rounded(rate), met: rate >= 3500 });
const table = {
  title: 'Milliseconds of a search (top 10)',
  columns: ['mode', 'retrieval p50', 'p95', 'p99', 'with its trace saved p50', 'p95', 'p99'],
  rows: modes.map((mode) => [
    mode,
    ...[retrieving, times].flatMap((of) => [0.5, 0.95, 0.99].map((share) => rounded(quantile(mode, share, of)))),
  ]),
};
if (process.argv.includes('--dry')) console.log(metrics, goals, table.rows);
else
  await writeResult('meaning', {
    title: 'Search by meaning: what it costs',
    command: 'npm run bench meaning',
    seed,
    metrics,
    goals,
    tables: [table],
    notes: [
      'Synthetic one-chunk documents; the vectors of the corpus-trained model. Retrieval: legs, fusion, reading and checking the hits, with the recording of each call. Every search is saved as a trace, durably, before it returns.',
      'Folding in counts from the settled documents to their vectors, with the wait for the turn in it.',
    ],
  });
