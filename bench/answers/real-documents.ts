// Questions that people ask of files as they are: over papers, a book, invoices, web pages, mail and manuals in one folder, and over the
// filings of companies. Issue 17 counts 117 questions over real documents that were never part of this repository; here are as many of our own.
import { copyFile, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnswerCase, readAnswerCases } from '../../src/evals/answers.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openFilingCases } from './sureness/asked-sets.ts';

export interface AskedFolder {
  /** What the command line calls it. */
  readonly key: string;
  readonly name: string;
  /** Goals: shares of the questions whose answer stands in the first claim, or in any. */
  readonly leastFirst?: number;
  readonly leastWhole?: number;
  readonly cases: readonly AnswerCase[];
  /** Files and folders that are copied into the folder that is read. */
  readonly files: readonly string[];
}

/** Of each set the first, third … question was seen by the fit of confidence, but for those of the last file, which nothing has seen. */
const questionFiles = ['attention-questions.jsonl', 'document-questions.jsonl', 'more-document-questions.jsonl'];
const pdfs = /^(?:attention.*|tracemonkey|freeculture|pdkids|markitdown-(?:R|S|movie).*)\.pdf$/u;
const others = [
  ['html', 'wikipedia.html'],
  ['html', 'v8-blog.html'],
  ['html', 'ietf-1.html'],
  ['office', 'markitdown-test_blog.html'],
  ['office', 'markitdown-test_rss.xml'],
  ['office', 'markitdown-test.docx'],
  ['office', 'r2r-epub.epub'],
  ['office', 'r2r-eml.eml'],
  ['office', 'r2r-csv.csv'],
] as const;

/**
 * What the gold answers of FinanceBench say in figures or names. Where they are judgements or have to be computed, these are the figures that an answer
 * would have to name.
 */
const goldValues: Readonly<Record<string, readonly string[]>> = {
  '00799': ['0.69', '0.67'],
  '00684': ['0.8 %', '0.8%'],
  '00685': ['1.1 %', '1.1%'],
  '00283': ['77.78'],
  '04458': ['5.4 %', '5.4%'],
  '00605': ['36 %', '36%'],
  '00288': ['42 %', '42%'],
};

/** The folders whose data is there. */
export const openFolders = async (): Promise<AskedFolder[]> =>
  [await openRealDocuments(), await openFilings()].filter((one) => one !== undefined);

/** 0 for the first, third … question, which may be looked at, else 1. */
export function halfByPlace(cases: readonly AnswerCase[]): (id: string) => number {
  const places = new Map(cases.map(({ id }, place) => [id, place % 2]));
  return (id) => places.get(id) ?? 0;
}

/** Written for this measurement, before its first run. */
export const isUnseen = ({ id }: { readonly id: string }): boolean => id.startsWith('more-');

async function openRealDocuments(): Promise<AskedFolder | undefined> {
  const pdf = sharedData('documents', 'pdf');
  const markdown = sharedData('markdown', 'fastify-docs');
  if (!pdf || !markdown) return undefined;
  const data = join(import.meta.dirname, '../data');
  const cases = await Promise.all(questionFiles.map((file) => readAnswerCases(join(data, file))));
  return {
    key: 'documents',
    name: 'Real documents',
    leastFirst: 0.68,
    cases: cases.flat().map(({ id, question, answers = [] }) => ({ id, question, answers })),
    files: [
      ...(await readdir(pdf)).filter((name) => pdfs.test(name)).map((name) => join(pdf, name)),
      ...others.flatMap((path) => sharedData('documents', ...path) ?? []),
      markdown,
    ],
  };
}

async function openFilings(): Promise<AskedFolder | undefined> {
  const filings = sharedData('financebench', 'pdfs');
  const cases = await openFilingCases();
  if (!filings || cases.length === 0) return undefined;
  return {
    key: 'filings',
    name: 'FinanceBench',
    leastWhole: 0.25,
    cases: cases.map((one) => ({ ...one, answers: [...(goldValues[one.id.slice(-5)] ?? one.answers ?? [])] })),
    files: [filings],
  };
}

/** Copies the files into a folder of its own while `work` runs. */
export async function withFolder<Value>(
  files: readonly string[],
  work: (folder: string) => Promise<Value>,
): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-real-'));
  try {
    for (const file of files) await cp(file, join(folder, file.split('/').at(-1) ?? ''), { recursive: true });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder that holds the paper alone, so that its pages are searched by themselves. */
export async function attentionPaper(): Promise<string | undefined> {
  const folder = sharedData('documents', 'pdf');
  if (!folder) return undefined;
  const name = (await readdir(folder)).find((file) => /^attention.*\.pdf$/i.test(file));
  if (!name) return undefined;
  const alone = await mkdtemp(join(tmpdir(), 'footnote-attention-'));
  await copyFile(join(folder, name), join(alone, name));
  return join(alone, name);
}
