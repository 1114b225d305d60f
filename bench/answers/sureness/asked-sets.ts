// Questions that people labelled, asked of the product as it is run, with what was said of each first claim and whether that claim answers.
// Every set is parted in two: one half may be fitted on, the other is only reported. Questions that are taken apart are left out: each of
// their parts has a confidence of its own.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../../../src/config.ts';
import { type AnswerCase, evaluateAnswers, readAnswerCases } from '../../../src/evals/answers.ts';
import { readJsonl } from '../../../src/evals/datasets.ts';
import type { EvaluatedDocument } from '../../../src/evals/system.ts';
import { openEvaluatedSystem } from '../../../src/footnote/trials/evaluated-system.ts';
import { sharedData } from '../../../testkit/shared-data.ts';
import { openModelSets } from '../answers-by-model-sets.ts';

export interface AskedRow {
  readonly set: string;
  readonly question: string;
  /** In the half that may be fitted on. */
  readonly isOpen: boolean;
  readonly isAbstained: boolean;
  readonly confidence: number;
  /** The first claim holds the answer. */
  readonly isRight: boolean;
  /** Some claim holds it. */
  readonly isWhole: boolean;
}

export interface AskedSet {
  readonly name: string;
  readonly cases: readonly AnswerCase[];
  readonly isOpen: (one: AnswerCase, place: number) => boolean;
  readonly documents?: readonly EvaluatedDocument[];
  /** Files that are read as people's are, by their path below the shared data. */
  readonly files?: readonly (readonly string[])[];
}

const config = loadConfig({ environment: {} });
const byPlace = (_: AnswerCase, place: number): boolean => place % 2 === 0;
/** Of an article of even number. */
const isEven = (document = ''): boolean => Number(document.split('-')[0]) % 2 === 0;
/** Of "yes" and "no" no text tells whether it holds them. */
const isNamed = ({ answers = [] }: AnswerCase): boolean => answers.every((answer) => !/^(?:yes|no)$/iu.test(answer));

/** What answers the questions over filings, where a passage or a row can hold it at all. */
const filingAnswers: Readonly<Record<string, readonly string[]>> = {
  '08286': ['11,588'],
  '01148': ['packaging'],
  '01928': ['2,018'],
  '01930': ['flat'],
  '00822': ['Richard A. Johnson', 'Johnson'],
  '00382': ['Las Vegas'],
  '01912': ['MGM China'],
  '01482': ['defeated'],
  '00724': ['Developed Rest'],
  '02419': ['Upjohn'],
  '00601': ['lower marketing'],
  '00603': ['new stores'],
  '01077': ['Current Health', 'Yardbird'],
  '01079': ['Czech'],
  '00460': ['982', '969'],
  '01902': ['gaming', 'entertainment'],
  '00283': ['700 million'],
  '01275': ['operating activities'],
};
const filingSchema = z.object({ financebench_id: z.string(), question: z.string() });

export async function openAskedSets(): Promise<AskedSet[]> {
  const sets: AskedSet[] = [];
  for (const { name, cases, documents } of await openModelSets()) {
    const isXquad = name.startsWith('XQuAD');
    sets.push({
      name,
      documents,
      cases: cases.filter(isNamed),
      isOpen: isXquad ? ({ document }) => isEven(document) : byPlace,
    });
    if (isXquad)
      sets.push({
        name: 'XQuAD-en without the gold paragraph',
        documents,
        cases: cases.map(({ id, question, document = '' }) => ({
          id,
          question,
          exclude: [document],
          unanswerable: true,
        })),
        isOpen: ({ exclude }) => isEven(exclude?.[0]),
      });
  }
  const pdf = sharedData('documents', 'pdf');
  const markdown = sharedData('markdown', 'fastify-docs');
  if (pdf && markdown) {
    const names = await readdir(pdf);
    const paper = names.filter((name) => /^attention.*\.pdf$/iu.test(name)).map((name) => [pdf, name]);
    const others = names.filter((name) => /^(?:tracemonkey|freeculture|markitdown-(?:R|S|movie)).*\.pdf$/u.test(name));
    const data = join(import.meta.dirname, '../../data');
    sets.push({
      name: 'Attention paper',
      cases: await readAnswerCases(join(data, 'attention-questions.jsonl')),
      files: paper,
      isOpen: byPlace,
    });
    sets.push({
      name: 'Documents',
      cases: await readAnswerCases(join(data, 'document-questions.jsonl')),
      files: [...paper, ...others.map((name) => [pdf, name]), [markdown]],
      isOpen: byPlace,
    });
  }
  const filings = sharedData('financebench', 'pdfs');
  const cases = await openFilingCases();
  if (filings && cases.length > 0) sets.push({ name: 'FinanceBench', cases, files: [[filings]], isOpen: byPlace });
  return sets;
}

/** The questions over filings; none where the data is not there. */
export async function openFilingCases(): Promise<AnswerCase[]> {
  const asked = sharedData('financebench', 'questions.jsonl');
  const cases: AnswerCase[] = [];
  if (asked)
    for await (const { financebench_id: id, question } of readJsonl(asked, filingSchema))
      cases.push({ id, question, answers: [...(filingAnswers[id.slice(-5)] ?? ['\u0000'])] });
  return cases;
}

/** Asks every question of a set. */
export async function askSet({ name, cases, documents, files = [], isOpen }: AskedSet): Promise<AskedRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-asked-'));
  const system = await openEvaluatedSystem(config);
  try {
    for (const path of files)
      await cp(join(...path), join(folder, path.at(-1)?.split('/').at(-1) ?? ''), { recursive: true });
    if (files.length > 0) await system.ingestPath(folder);
    const stream = async function* (): AsyncGenerator<EvaluatedDocument> {
      yield* documents ?? [];
    };
    if (documents) await system.ingest(stream());
    const rows: AskedRow[] = [];
    for (const [place, one] of cases.entries()) {
      const { results } = await evaluateAnswers({ cases: [one], system, mode: config.defaultMode });
      const [result] = results;
      if (!result) continue;
      const { abstained, confidence, first = false, whole = false } = result;
      rows.push({
        set: name,
        question: one.question,
        isOpen: isOpen(one, place),
        isAbstained: abstained,
        confidence,
        isRight: first,
        isWhole: whole,
      });
    }
    return rows;
  } finally {
    await system.close();
    await rm(folder, { recursive: true, force: true });
  }
}
