// How good the answers are, of the product as people run it (a real Footnote over a throw-away folder, one configuration and
// one threshold for every set): gold answers, supporting sentences, pages, and abstention where nothing answers.
// What was fitted on which half stands in the notes of the result; both halves are shown.
// Everything is asked in the mode that is the default; `modes` asks two sets in all of them.
// Usage: node bench/answers/answers.ts [xquad hotpot attention documents filings fastify excluded rgb modes].
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../../src/config.ts';
import { type Mode, modes } from '../../src/core/search.ts';
import {
  type AnswerCase,
  type AnswerReport,
  type CaseResult,
  evaluateAnswers,
  readAnswerCases,
} from '../../src/evals/answers.ts';
import { openRetrievalDataset, readJsonl } from '../../src/evals/datasets.ts';
import type { EvaluatedDocument } from '../../src/evals/system.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import { attentionPaper, halfByPlace, isUnseen, openFolders, withFolder } from './real-documents.ts';

const config = loadConfig({ environment: {} });
const wanted = new Set(process.argv.slice(2));
const runs = (name: string): boolean => wanted.size === 0 || wanted.has(name);
const goals: BenchGoal[] = [];
const metrics: Record<string, number> = {};
const rows: (string | number | null)[][] = [];
const bins: (string | number)[][] = [];
const data: string[] = [];

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
const mean = (values: readonly boolean[]): number => values.filter(Boolean).length / Math.max(1, values.length);

/** Whole, tuned half, other half. */
function addRow(
  what: string,
  results: readonly CaseResult[],
  judge: (result: CaseResult) => boolean,
  half: (id: string) => number,
): number {
  const of = (side: number): CaseResult[] => results.filter((result) => half(result.id) === side);
  const side = (number: number): string | null => (of(number).length > 0 ? percent(mean(of(number).map(judge))) : null);
  const value = mean(results.map(judge));
  rows.push([what, results.length, percent(value), side(0), side(1)]);
  metrics[what] = Number(value.toFixed(4));
  console.log(rows.at(-1)?.join('  '));
  return value;
}
function addGoal(what: string, got: number, atLeast: number): void {
  goals.push({ what, wanted: `>= ${percent(atLeast)}`, got: percent(got), met: got >= atLeast });
}
function addLimit(what: string, got: number, atMost: number): void {
  goals.push({ what, wanted: `<= ${percent(atMost)}`, got: percent(got), met: got <= atMost });
}

interface Run {
  readonly cases: readonly AnswerCase[];
  readonly documents?: AsyncIterable<EvaluatedDocument>;
  readonly path?: string;
}

async function ask({ cases, documents, path }: Run, mode: Mode = config.defaultMode): Promise<AnswerReport> {
  const system = await openEvaluatedSystem(config);
  try {
    if (path !== undefined) await system.ingestPath(path);
    return await evaluateAnswers({
      cases,
      system,
      mode,
      ...(documents && { documents }),
      verify: async (answer) => (await system.footnote.answers.verify(system.toRecorded(answer))).citations,
    });
  } finally {
    await system.close();
  }
}

function noteVerified(name: string, report: AnswerReport): void {
  const verified = report.metrics.citationsVerified;
  if (!verified) return;
  metrics[`${name}: citations that verify`] = verified.mean;
  goals.push({ what: `${name}: citations that verify`, wanted: '1', got: verified.mean, met: verified.mean === 1 });
  metrics[`${name}: median ms a question`] = Number(report.medianMs.toFixed(2));
  metrics[`${name}: claims an answer`] = Number(report.claimsPerAnswer.toFixed(2));
}

const answerTexts = z.array(z.object({ text: z.string() }));
const xquadFolder = sharedData('xquad-en');
if (xquadFolder) {
  const xquad = await openRetrievalDataset(xquadFolder);
  const goldOf = (id: string): string => [...(xquad.judgments.get(id)?.keys() ?? [])][0] ?? '';
  const half = (id: string): number => Number(goldOf(id).split('-')[0]) % 2;
  const cases = xquad.queries.map((query): AnswerCase => {
    const answers = answerTexts.parse(query.metadata['answers']).map((answer) => answer.text);
    return { id: query.id, question: query.text, answers, document: goldOf(query.id) };
  });
  data.push(...xquad.files);
  if (runs('xquad')) {
    const report = await ask({ cases, documents: xquad.documents() });
    const first = addRow(
      'XQuAD-en: gold answer in the first claim',
      report.results,
      (result) => result.first === true,
      half,
    );
    const whole = addRow(
      'XQuAD-en: gold answer in the whole answer',
      report.results,
      (result) => result.whole === true,
      half,
    );
    addRow('XQuAD-en: right paragraph, first claim', report.results, (result) => result.documentFirst === true, half);
    const wrong = addRow('XQuAD-en: abstained (wrongly)', report.results, (result) => result.abstained, half);
    addGoal('XQuAD-en: gold answer in the first claim', first, 0.78);
    addGoal('XQuAD-en: gold answer in the whole answer', whole, 0.91);
    addLimit('XQuAD-en: false abstention, as fastify-docs asks', wrong, 0.03);
    addLimit('XQuAD-en: false abstention, as the excluded paragraph asks', wrong, 0.1);
    noteVerified('XQuAD-en', report);
    for (const bin of report.calibration)
      bins.push([`${bin.low}-${bin.high}`, bin.answers, percent(bin.meanConfidence), percent(bin.correct)]);
  }
  if (runs('excluded')) {
    const report = await ask({
      cases: cases.map((one) => ({
        id: one.id,
        question: one.question,
        exclude: [goldOf(one.id)],
        unanswerable: true,
      })),
      documents: xquad.documents(),
    });
    addGoal(
      'XQuAD-en without the gold paragraph: abstained',
      addRow('XQuAD-en without the gold paragraph: abstained', report.results, (result) => result.abstained, half),
      0.8,
    );
  }
  const fastify = sharedData('markdown', 'fastify-docs');
  if (fastify && runs('fastify')) {
    data.push(fastify);
    const report = await ask({
      cases: cases.map((one) => ({ id: one.id, question: one.question, unanswerable: true })),
      path: fastify,
    });
    addGoal(
      'XQuAD-en over fastify-docs: abstained',
      addRow('XQuAD-en over fastify-docs: abstained', report.results, (result) => result.abstained, half),
      0.97,
    );
  }
}

const hotpotFolder = sharedData('hotpotqa-100');
if (hotpotFolder && runs('hotpot')) {
  const hotpot = await openRetrievalDataset(hotpotFolder);
  data.push(...hotpot.files);
  const places = new Map(hotpot.queries.map((query, index) => [query.id, index % 2]));
  const cases = hotpot.queries.map((query): AnswerCase => {
    const supporting = z.record(z.string(), z.array(z.number())).parse(query.metadata['supporting_sentences']);
    return { id: query.id, question: query.text, answers: [z.string().parse(query.metadata['answer'])], supporting };
  });
  const report = await ask({ cases, documents: hotpot.documents() });
  const found = report.results.reduce((sum, result) => sum + (result.supportingFound ?? 0), 0);
  const all = report.results.reduce((sum, result) => sum + (result.supportingWanted ?? 0), 0);
  const ofHalf = (side: number): number => {
    const members = report.results.filter((result) => places.get(result.id) === side);
    return (
      members.reduce((sum, result) => sum + (result.supportingFound ?? 0), 0) /
      members.reduce((sum, result) => sum + (result.supportingWanted ?? 0), 0)
    );
  };
  rows.push([
    'HotpotQA-100: supporting sentences found',
    all,
    percent(found / all),
    percent(ofHalf(0)),
    percent(ofHalf(1)),
  ]);
  console.log(rows.at(-1)?.join('  '));
  metrics['HotpotQA-100: supporting sentences found'] = Number((found / all).toFixed(4));
  addGoal('HotpotQA-100: supporting sentences found', found / all, 0.66);
  addRow(
    'HotpotQA-100: abstained (wrongly)',
    report.results,
    (result) => result.abstained,
    (id) => places.get(id) ?? 0,
  );
  noteVerified('HotpotQA-100', report);
}

const rgbFile = sharedData('rgb', 'en_fact.jsonl.gz');
if (rgbFile && runs('rgb')) {
  data.push(rgbFile);
  // Passages may be lists of passages.
  const passages = z.array(z.union([z.string(), z.array(z.string())]));
  const schema = z.object({
    id: z.number(),
    query: z.string(),
    answer: z.unknown(),
    positive: passages,
    negative: passages,
  });
  const documents: EvaluatedDocument[] = [];
  const positive: AnswerCase[] = [];
  const negative: AnswerCase[] = [];
  for await (const line of readJsonl(rgbFile, schema)) {
    const add = (kind: 'positive' | 'negative'): string[] =>
      line[kind].flat().map((text, index) => {
        const id = `rgb${line.id}-${kind}-${index}`;
        documents.push({ id, title: '', text });
        return id;
      });
    const answers = [line.answer].flat(3).map(String);
    positive.push({ id: String(line.id), question: line.query, answers, only: add('positive') });
    negative.push({ id: String(line.id), question: line.query, only: add('negative'), unanswerable: true });
  }
  const half = (id: string): number => Number(id) % 2;
  const stream = async function* (): AsyncGenerator<EvaluatedDocument> {
    yield* documents;
  };
  const right = await ask({ cases: positive, documents: stream() });
  const beside = await ask({ cases: negative, documents: stream() });
  addRow(
    'RGB en_fact, right passages: gold answer in the answer',
    right.results,
    (result) => result.whole === true,
    half,
  );
  addLimit(
    'RGB en_fact, right passages: abstained (wrongly)',
    addRow('RGB en_fact, right passages: abstained (wrongly)', right.results, (result) => result.abstained, half),
    0.15,
  );
  addGoal(
    'RGB en_fact, passages beside the point: abstained',
    addRow('RGB en_fact, passages beside the point: abstained', beside.results, (result) => result.abstained, half),
    0.4,
  );
}

const attention = await attentionPaper();
if (attention && runs('attention')) {
  const file = join(import.meta.dirname, '../data', 'attention-questions.jsonl');
  data.push(file);
  const report = await ask({ cases: await readAnswerCases(file), path: dirname(attention) });
  const half = (): number => 1;
  const page = addRow(
    'Attention paper: right page, first claim',
    report.results,
    (result) => result.pageFirst === true,
    half,
  );
  addRow('Attention paper: right page, any claim', report.results, (result) => result.page === true, half);
  addRow('Attention paper: gold answer in the answer', report.results, (result) => result.whole === true, half);
  addRow('Attention paper: abstained (wrongly)', report.results, (result) => result.abstained, half);
  addGoal('Attention paper: right page, first claim', page, 0.8);
  noteVerified('Attention paper', report);
  for (const result of report.results)
    if (!result.pageFirst) console.log(`  not on its page: ${result.id} ${result.question}`);
}

for (const set of await openFolders()) {
  if (!runs(set.key)) continue;
  data.push(...set.files);
  const half = halfByPlace(set.cases);
  const report = await withFolder(set.files, (path) => ask({ cases: set.cases, path }));
  const add = (what: string, judge: (result: CaseResult) => boolean, results = report.results): number =>
    addRow(`${set.name}: ${what}`, results, judge, half);
  const first = add('gold answer in the first claim', (result) => result.first === true);
  const whole = add('gold answer in the whole answer', (result) => result.whole === true);
  add('abstained', (result) => result.abstained);
  const unseen = report.results.filter(isUnseen);
  if (unseen.length > 0)
    add('in the first claim, of questions that nothing was made with', (result) => result.first === true, unseen);
  if (set.leastFirst !== undefined) addGoal(`${set.name}: gold answer in the first claim`, first, set.leastFirst);
  if (set.leastWhole !== undefined) addGoal(`${set.name}: gold answer in the whole answer`, whole, set.leastWhole);
  noteVerified(set.name, report);
  // Of the half that may be looked at.
  for (const result of report.results)
    if (half(result.id) === 0 && !result[set.leastWhole === undefined ? 'first' : 'whole'])
      console.log(`  not answered: ${result.id} ${result.question}`);
}

const modeRows: (string | number | null)[][] = [];
if (xquadFolder && attention && runs('modes')) {
  const xquad = await openRetrievalDataset(xquadFolder);
  const cases = xquad.queries.map((query): AnswerCase => {
    const answers = answerTexts.parse(query.metadata['answers']).map((answer) => answer.text);
    return { id: query.id, question: query.text, answers };
  });
  const paper = await readAnswerCases(join(import.meta.dirname, '../data', 'attention-questions.jsonl'));
  const pages = new Map<Mode, number>();
  for (const mode of modes) {
    const { results } = await ask({ cases, documents: xquad.documents() }, mode);
    const asked = await ask({ cases: paper, path: dirname(attention) }, mode);
    const onPage = asked.results.filter((result) => result.pageFirst === true).length;
    pages.set(mode, onPage);
    const first = mean(results.map((result) => result.first === true));
    const whole = mean(results.map((result) => result.whole === true));
    const wrong = mean(results.map((result) => result.abstained));
    modeRows.push([mode, percent(first), percent(whole), percent(wrong), `${onPage} of ${asked.results.length}`]);
    console.log(modeRows.at(-1)?.join('  '));
    if (mode !== 'hybrid') continue;
    addGoal('XQuAD-en, mode hybrid: gold answer in the first claim', first, 0.8);
    addGoal('XQuAD-en, mode hybrid: gold answer in the whole answer', whole, 0.93);
  }
  for (const mode of ['vector', 'hybrid'] as const) {
    const got = pages.get(mode) ?? 0;
    const least = (pages.get('embedded') ?? 0) - 1;
    goals.push({
      what: `Attention paper, mode ${mode}: right pages, against mode embedded`,
      wanted: `>= ${least}`,
      got,
      met: got >= least,
    });
  }
}

if (wanted.size === 0)
  await writeResult('answers', {
    title: 'Answers and abstentions',
    command: 'npm run bench answers',
    seed: null,
    data,
    metrics,
    goals,
    tables: [
      {
        title: 'By mode',
        columns: ['mode', 'XQuAD-en, first claim', 'whole answer', 'abstained', 'Attention paper, right page'],
        rows: modeRows,
      },
      { title: 'By set and half', columns: ['what', 'cases', 'all', 'even half', 'odd half'], rows },
      {
        title: 'Confidence against correctness (XQuAD-en)',
        columns: ['confidence', 'answers', 'mean', 'right'],
        rows: bins,
      },
    ],
    notes: [
      'One configuration for every set.',
      'Real documents: 94 of the 117 questions are older, 23 were written for this measurement, before its first run and over other files; the 117 that issue 17 counts are not in the repository. FinanceBench: figures and names of the gold answers; those that have to be computed stand in no filing.',
      'The Attention questions were written before the code and nothing was tuned on them.',
    ],
  });
