// Reads evaluation sets in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/<split>.tsv; JSONL also gzipped) line by
// line. A file that is missing or malformed is `not-found` or `invalid-request` with its path and line.
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import type { Metadata } from '../core/document.ts';
import { FootnoteError, isFootnoteError, toFootnoteError } from '../core/errors.ts';
import type { EvaluatedDocument } from './system.ts';

export interface EvaluationQuery {
  readonly id: string;
  readonly text: string;
  readonly metadata: Metadata;
}

/** Queries and what was judged relevant to them, without the documents. */
export interface Labels {
  /** The files that were read, for hashing. */
  readonly files: readonly string[];
  /** Queries that have judgments in this split, in file order. */
  readonly queries: readonly EvaluationQuery[];
  /** Query id -> document id -> judgment. */
  readonly judgments: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface RetrievalDataset extends Labels {
  readonly name: string;
  /** A fresh reading of the corpus each time. */
  documents(): AsyncIterable<EvaluatedDocument>;
}

const idSchema = z.union([z.string().min(1), z.int().transform(String)]);
const metadataSchema = z.custom<Metadata>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
const documentSchema = z.object({
  _id: idSchema,
  title: z.string().nullish(),
  text: z.string(),
  metadata: metadataSchema.nullish(),
  uri: z.string().optional(),
});
const querySchema = z.object({ _id: idSchema, text: z.string(), metadata: metadataSchema.nullish() });

/** The file itself or its gzipped form. */
export function findJsonl(folder: string, name: string): string {
  for (const path of [join(folder, `${name}.jsonl`), join(folder, `${name}.jsonl.gz`)])
    if (existsSync(path)) return path;
  throw new FootnoteError(
    'not-found',
    `${folder} holds neither ${name}.jsonl nor ${name}.jsonl.gz. Give a folder in BEIR's layout: corpus.jsonl, queries.jsonl and qrels/<split>.tsv.`,
  );
}

/** The values of a JSONL file (gzipped if its name ends in .gz), each checked by `schema`; blank lines are passed over. */
export async function* readJsonl<T>(path: string, schema: z.ZodType<T>): AsyncGenerator<T, void, undefined> {
  let number = 0;
  try {
    const file = createReadStream(path);
    const plain: Readable = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
    // readline does not pass on errors of its input; without this a damaged file would end the process.
    let failure: Error | undefined;
    file.on('error', (error) => plain.destroy(error));
    plain.on('error', (error) => {
      failure = error;
    });
    for await (const line of createInterface({ input: plain, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      if (line.trim() !== '') yield parseLine(line.replace(/^\uFEFF/u, ''), `${path}:${number}`, schema);
    }
    if (failure) throw failure;
  } catch (error) {
    if (isFootnoteError(error)) throw error;
    const known = toFootnoteError(error);
    if (known.code !== 'internal') throw known;
    throw new FootnoteError('invalid-request', `${path} could not be read after line ${number}: ${known.message}`, {
      cause: error,
    });
  }
}

function parseLine<T>(line: string, place: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new FootnoteError('invalid-request', `${place} is not JSON. Each line must be one JSON object.`, {
      cause: error,
    });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new FootnoteError(
    'invalid-request',
    `${place}: ${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'not valid'}`,
  );
}

/** Judgments of one split. A header line is passed over. */
export async function readQrels(path: string): Promise<Map<string, Map<string, number>>> {
  const judgments = new Map<string, Map<string, number>>();
  const lines = (await readFile(path, 'utf8')).split(/\r?\n/u);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const fields = line.split('\t');
    // BEIR: query, corpus, score. TREC: query, 0, corpus, score.
    const [queryId, documentId, score] = fields.length === 4 ? [fields[0], fields[2], fields[3]] : fields;
    const judgment = Number(score);
    if (queryId === undefined || documentId === undefined || score === undefined || !Number.isFinite(judgment)) {
      if (index === 0) continue;
      throw new FootnoteError(
        'invalid-request',
        `${path}:${index + 1} is not "query-id<TAB>corpus-id<TAB>score". Check the line.`,
      );
    }
    const ofQuery = judgments.get(queryId) ?? new Map<string, number>();
    ofQuery.set(documentId, judgment);
    judgments.set(queryId, ofQuery);
  }
  return judgments;
}

async function qrelsPath(folder: string, split: string): Promise<string> {
  const path = join(folder, 'qrels', `${split}.tsv`);
  if (existsSync(path)) return path;
  const found = existsSync(join(folder, 'qrels')) ? await readdir(join(folder, 'qrels')) : [];
  const splits = found.filter((name) => name.endsWith('.tsv')).map((name) => name.slice(0, -'.tsv'.length));
  const hint =
    splits.length > 0 ? `Choose --split ${splits.sort().join(' or ')}.` : 'The folder has no qrels/<split>.tsv.';
  throw new FootnoteError('not-found', `${path} does not exist. ${hint}`);
}

/** Documents of a JSONL file in BEIR's form. */
export async function* readDocuments(path: string): AsyncGenerator<EvaluatedDocument, void, undefined> {
  for await (const line of readJsonl(path, documentSchema))
    yield {
      id: line._id,
      title: line.title ?? '',
      text: line.text,
      ...(line.metadata ? { metadata: line.metadata } : {}),
      ...(line.uri === undefined ? {} : { uri: line.uri }),
    };
}

/** The documents of a BEIR folder alone (`corpus.jsonl[.gz]`). */
export function readCorpus(folder: string): AsyncIterable<EvaluatedDocument> {
  return readDocuments(findJsonl(folder, 'corpus'));
}

async function readLabels(folder: string, split: string): Promise<Labels> {
  const queryFile = findJsonl(folder, 'queries');
  const qrels = await qrelsPath(folder, split);
  const judgments = await readQrels(qrels);
  const queries: EvaluationQuery[] = [];
  for await (const line of readJsonl(queryFile, querySchema)) {
    if (judgments.has(line._id)) queries.push({ id: line._id, text: line.text, metadata: line.metadata ?? {} });
  }
  if (queries.length === 0)
    throw new FootnoteError(
      'invalid-request',
      `No query of ${queryFile} has a judgment in ${qrels}. Check that their ids agree.`,
    );
  return { files: [queryFile, qrels], queries, judgments };
}

/** Opens a folder in BEIR's layout. Default split: `test`. */
export async function openRetrievalDataset(folder: string, split: string = 'test'): Promise<RetrievalDataset> {
  if (!existsSync(folder))
    throw new FootnoteError('not-found', `${folder} does not exist. Give the folder of a BEIR-layout set.`);
  const corpus = findJsonl(folder, 'corpus');
  const labels = await readLabels(folder, split);
  return {
    ...labels,
    name:
      folder
        .replace(/(?<![\\/])[\\/]+$/u, '')
        .split(/[\\/]/u)
        .at(-1) ?? folder,
    files: [corpus, ...labels.files],
    documents: () => readDocuments(corpus),
  };
}
