// What corpus-trained vectors cost: CPU time and memory of training on 20,000 synthetic chunks, of folding chunks in from their
// terms, and of a query. CPU time of this process, so that other work on the machine counts less.
// Usage: node --expose-gc bench/embedding/semantics-speed.ts [chunks] [words per chunk, as a multiple of 120]
import { latentFromBytes, latentToBytes } from '../../src/models/corpus/latent-bytes.ts';
import { createLatentSemantics, trainLatentSemantics } from '../../src/models/corpus/latent-semantics.ts';
import type { TermDocument } from '../../src/models/corpus/term-matrix.ts';
import { analyzeText } from '../../src/text/analyze.ts';
import { createSpeedCorpus } from '../../testkit/engine-corpus.ts';
import { writeResult } from '../report.ts';

const chunks = Number(process.argv[2] ?? 20_000);
const multiple = Number(process.argv[3] ?? 1);
const corpus = createSpeedCorpus(1, chunks * multiple);
const documents: TermDocument[] = Array.from({ length: chunks }, (_, index) => ({
  key: `chunk ${index}`,
  terms: Array.from({ length: multiple }, (__, part) =>
    analyzeText(corpus.chunk(index * multiple + part), { language: 'en' }),
  ).flat(),
}));
const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

globalThis.gc?.();
const resident = process.memoryUsage().rss;
let most = resident;
let longest = 0;
let slices = 0;
const started = process.cpuUsage();
const work = trainLatentSemantics(documents);
let at = performance.now();
let step = work.next();
while (!step.done) {
  const now = performance.now();
  longest = Math.max(longest, now - at);
  at = now;
  // Asking costs as much as a slice.
  if (slices++ % 50 === 0) most = Math.max(most, process.memoryUsage.rss());
  step = work.next();
}
const training = cpuSeconds(started);
const weights = step.value;
if (!weights) throw new Error('nothing was learned');
const bytes = latentToBytes(weights);
const semantics = createLatentSemantics(latentFromBytes(bytes));

const folding = process.cpuUsage();
for (const { terms } of documents) semantics.embed(terms);
const perSecond = documents.length / cpuSeconds(folding);
const queries = Array.from({ length: 2000 }, (_, index) =>
  analyzeText(corpus.query(index, 'content'), { language: 'en' }),
);
const asking = process.cpuUsage();
for (const terms of queries) semantics.embed(terms);
const queryMs = (cpuSeconds(asking) / queries.length) * 1000;

const metrics = {
  chunks,
  'terms per chunk': Math.round(documents.reduce((sum, { terms }) => sum + terms.length, 0) / chunks),
  vocabulary: weights.terms.length,
  dimensions: weights.dimensions,
  'training, CPU s': training,
  'longest slice of training, ms': longest,
  'memory beside the terms, MB': (most - resident) / 1e6,
  'model, MB': bytes.length / 1e6,
  'chunks folded in per CPU s': perSecond,
  'query vector, CPU ms': queryMs,
};
console.log(metrics);
if (process.argv.length <= 2)
  await writeResult('semantics-speed', {
    title: 'Cost of corpus-trained vectors',
    command: 'npm run bench semantics-speed',
    seed: 1,
    metrics,
    goals: [
      { what: 'training on 20k chunks', wanted: '<= 30 s', got: training, met: training <= 30 },
      {
        what: 'memory of training',
        wanted: '<= 500 MB',
        got: (most - resident) / 1e6,
        met: (most - resident) / 1e6 <= 500,
      },
      { what: 'folding in', wanted: '>= 3,500 chunks/s', got: perSecond, met: perSecond >= 3500 },
    ],
    notes: ['The resident set is read between slices of work; chunks are counted as analysed terms.'],
  });
