// A suite: documents, questions with what people expect of them, and documents that change between two rounds of questions. It is a folder
// (cases.jsonl beside docs/, or beside corpus.jsonl in BEIR's layout) or a JSON file that names these. Its hash says whether two runs are of
// the same one.
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { modeSchema } from '../../core/search.ts';
import { answerCaseSchema } from '../answers.ts';
import { findJsonl, readJsonl } from '../datasets.ts';

export const suiteCaseSchema = answerCaseSchema.extend({
  /** Made of an answer that was given and read: it has to come out again, and rules that guess how good it is refuse it no more. */
  given: z.boolean().optional(),
  mode: modeSchema.optional(),
  /** Documents by how relevant they are to the question: then its search is measured, too. */
  relevant: z.record(z.string(), z.number()).optional(),
  /** Asked in the second round, when the documents of `update` have been read. */
  afterUpdate: z.boolean().optional(),
});
export type SuiteCase = z.infer<typeof suiteCaseSchema>;

const suiteSchema = z.strictObject({
  name: z.string().min(1).optional(),
  /** Folders, files, or one folder in BEIR's layout; beside the suite's file. */
  docs: z.array(z.string().min(1)),
  /** JSONL, several are joined. */
  cases: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  /** JSONL of documents (`_id`, `title`, `text`) that are read before the second round, in the place of those with the same ids. */
  update: z.string().min(1).optional(),
  /** JSONL of messages, as "footnote import jsonl" takes it: the past conversations that chats are about. */
  conversations: z.string().min(1).optional(),
  mode: modeSchema.optional(),
});

/** Of a folder: past conversations. */
export const conversationsFile = 'conversations.jsonl';

export interface Suite {
  readonly name: string;
  /** SHA-256 over cases and documents, in hexadecimal. */
  readonly sha256: string;
  readonly cases: readonly SuiteCase[];
  readonly docs: readonly string[];
  readonly update?: string;
  readonly conversations?: string;
  readonly mode?: z.infer<typeof modeSchema>;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw toFootnoteError(error);
  }
}

async function readDeclaration(path: string): Promise<z.infer<typeof suiteSchema>> {
  let value: unknown;
  try {
    value = JSON.parse(await readText(path));
  } catch (error) {
    const known = toFootnoteError(error);
    if (known.code !== 'internal') throw known;
    throw new FootnoteError('invalid-request', `${path} is not JSON.`, { cause: error });
  }
  const parsed = suiteSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new FootnoteError(
    'invalid-request',
    `${path}: ${issue?.path.join('.') || 'the suite'}: ${issue?.message ?? 'not valid'}`,
  );
}

/** What a folder without a suite.json holds. */
function declarationOf(folder: string): z.infer<typeof suiteSchema> {
  const conversations = existsSync(join(folder, conversationsFile)) && conversationsFile;
  const hasCorpus = ['corpus.jsonl', 'corpus.jsonl.gz'].some((name) => existsSync(join(folder, name)));
  const docs = existsSync(join(folder, 'docs')) ? ['docs'] : hasCorpus ? ['.'] : [];
  if (docs.length === 0 && conversations === false)
    throw new FootnoteError(
      'not-found',
      `${folder} is no suite: its questions need documents. Put them into ${join(folder, 'docs')}, or into ${join(folder, 'corpus.jsonl')}.`,
    );
  const update = ['update.jsonl', 'update.jsonl.gz'].find((name) => existsSync(join(folder, name)));
  return {
    docs,
    cases: basename(findJsonl(folder, 'cases')),
    ...(update !== undefined && { update }),
    ...(conversations !== false && { conversations }),
  };
}

/** Every file below, in order of its path. */
async function filesBelow(path: string): Promise<string[]> {
  if (!statSync(path).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function hashOf(cases: readonly SuiteCase[], paths: readonly string[], root: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(cases));
  for (const path of paths)
    for (const file of await filesBelow(path)) hash.update(`\0${relative(root, file)}\0`).update(await readFile(file));
  return hash.digest('hex');
}

/** Throws `not-found` and `invalid-request` with the place. */
export async function openSuite(path: string): Promise<Suite> {
  if (!existsSync(path))
    throw new FootnoteError('not-found', `${path} does not exist. Give the folder or the JSON file of a suite.`);
  const isFolder = statSync(path).isDirectory();
  const file = isFolder ? join(path, 'suite.json') : path;
  const declared = existsSync(file) ? await readDeclaration(file) : declarationOf(path);
  const root = resolve(isFolder ? path : dirname(path));
  const at = (name: string): string => resolve(root, name);
  const docs = declared.docs.map(at);
  const update = declared.update === undefined ? undefined : at(declared.update);
  const conversations = declared.conversations === undefined ? undefined : at(declared.conversations);
  const read = [...docs, ...[update, conversations].filter((one) => one !== undefined)];
  if (read.length === 0) throw new FootnoteError('invalid-request', `${file}: docs: names nothing to ask.`);
  for (const one of read)
    if (!existsSync(one)) throw new FootnoteError('not-found', `${one}, which the suite names, does not exist.`);
  const cases: SuiteCase[] = [];
  for (const name of [declared.cases].flat())
    for await (const one of readJsonl(at(name), suiteCaseSchema)) cases.push(one);
  const twice = cases.find(({ id }, place) => cases.findIndex((other) => other.id === id) !== place);
  if (twice) throw new FootnoteError('invalid-request', `The suite has two cases with the id "${twice.id}".`);
  if (cases.length === 0)
    throw new FootnoteError(
      'invalid-request',
      'The suite holds no case. Give JSONL with {id, question, …} on each line.',
    );
  return {
    name: declared.name ?? basename(root),
    sha256: await hashOf(cases, read, root),
    cases,
    docs,
    ...(update !== undefined && { update }),
    ...(conversations !== undefined && { conversations }),
    ...(declared.mode && { mode: declared.mode }),
  };
}
