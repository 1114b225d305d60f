// Feedback as a term of the order, over XQuAD-en: people ask, say whether the answer cites the right paragraph (one word in seven is wrong), and
// others ask the same with words left out. Does what was asked before come out better, and what nobody spoke of no worse?
// Usage: node bench/retrieval/feedback.ts [--dry]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });
const dataFolder = sharedData('xquad-en');
if (!dataFolder) process.exit(0);
const { queries, judgments, documents, files } = await openRetrievalDataset(dataFolder);
const weights = [0, 0.02, 0.05, 0.1, 0.2];
const asked = queries.filter((_, at) => at % 4 === 0);
const unspoken = queries.filter((_, at) => at % 4 === 2);
/** Every third word gone, others each time: how somebody else would type it. */
const shortened = (text: string, at: number): string =>
  text
    .split(' ')
    .filter((_, place) => (place + at) % 3 !== 0)
    .join(' ');

const folder = await mkdtemp(join(tmpdir(), 'footnote-bench-feedback-'));
const environment = { FOOTNOTE_DATA: join(folder, 'data') };
const rows: (string | number)[][] = [];
try {
  const first = await openFootnote(loadConfig({ folder, environment }));
  const { tenant } = localScope();
  const footnote = first.forScope(localScope());
  const idOf = new Map<string, string>();
  for await (const { id, title, text } of documents()) {
    const [added] = await footnote.documents.add({ text, title: title ?? id, uri: id, source: 'articles' });
    if (added) idOf.set(id, added.id);
  }
  await first.settle(tenant);
  const goldOf = (id: string): string => idOf.get([...(judgments.get(id)?.keys() ?? [])][0] ?? '') ?? '';
  for (const [at, { id, text }] of asked.entries()) {
    const answer = await footnote.ask({ question: text });
    if (answer.abstained) continue;
    const isRight = answer.citations.some(({ documentId }) => documentId === goldOf(id));
    const rating = isRight === (at % 7 !== 0) ? 'up' : 'down';
    await footnote.feedback.give(answer.id, { rating });
  }
  await first.close();
  for (const weight of weights) {
    const opened = await openFootnote(
      loadConfig({ folder, environment: { ...environment, FEEDBACK_WEIGHT: String(weight) } }),
    );
    const own = opened.forScope(localScope());
    const measure = async (set: typeof queries): Promise<readonly [string, string]> => {
      let [hits, reciprocal] = [0, 0];
      for (const [at, { id, text }] of set.entries()) {
        const { results } = await own.search({ query: shortened(text, at), topK: 10 });
        const place = results.findIndex(({ documentId }) => documentId === goldOf(id));
        if (place === 0) hits += 1;
        if (place >= 0) reciprocal += 1 / (place + 1);
      }
      return [(hits / set.length).toFixed(4), (reciprocal / set.length).toFixed(4)];
    };
    rows.push([weight, ...(await measure(asked)), ...(await measure(unspoken))]);
    console.log(rows.at(-1)?.join('  '));
    await opened.close();
  }
} finally {
  await rm(folder, { recursive: true });
}
if (!flags.dry)
  await writeResult('feedback', {
    title: 'Feedback as a term of the order',
    command: 'npm run bench feedback',
    seed: null,
    data: files,
    metrics: { 'questions that people spoke of': asked.length, 'questions that nobody spoke of': unspoken.length },
    tables: [
      {
        title: 'By weight',
        columns: ['FEEDBACK_WEIGHT', 'hit@1, spoken of', 'MRR@10, spoken of', 'hit@1, others', 'MRR@10, others'],
        rows,
      },
    ],
    notes: [
      'People are made: one says of each answer whether it cites the right paragraph, wrongly in one of seven cases; the same question is asked later with a third of its words gone.',
    ],
  });
