// JSONL two ways: lines that carry `text`, or a `question` and its `answer`, are documents of their own (of HTML where their `mime` says so), read run by run (line-runs.ts) so that a bad
// line costs only itself; a file of other lines is one document with a record for each.
import { hash } from 'node:crypto';
import { canonicalText, parsedDocument, publishedDate, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { type LineRun, lineRuns } from '../canonical/line-runs.ts';
import type { Metadata, MetadataValue } from '../document.ts';
import { formatOfMime } from '../media-types.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { htmlPiece } from '../web/html-piece.ts';
import { type LabelledRecord, renderRecords } from './json.ts';
import { jsonLines, parseJson } from './json-text.ts';

/** A line that carries `text`, or a question and its answer. Dates are RFC 3339 or a plain year, month or day. */
export interface JsonlRecord {
  /** From 1. */
  readonly lineNumber: number;
  readonly id?: string;
  readonly title?: string;
  readonly uri?: string;
  readonly text: string;
  readonly publishedAt?: string;
  readonly updatedAt?: string;
  readonly category?: string;
  readonly version?: string;
  readonly language?: string;
  readonly metadata: Metadata;
  /** SHA-256 of the line. */
  readonly contentHash: string;
}

/** A line that could not be taken. */
export interface JsonlFault {
  readonly lineNumber: number;
  readonly error: ReadError;
}

export const jsonl: Parser = {
  name: 'jsonl',
  mimes: ['application/jsonl'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name);
    const notes = [...warnings];
    const records: LabelledRecord[] = [];
    source.split('\n').forEach((line, index) => {
      if (line.trim() === '') return;
      const place = `${input.name}, line ${index + 1}`;
      try {
        records.push({ text: jsonLines(parseJson(line, place), '', place).join('\n'), label: `line ${index + 1}` });
      } catch (error) {
        if (notes.length < 20 && error instanceof ReadError) notes.push(error.message);
      }
    });
    if (records.length === 0 && notes.length > 0)
      throw new ReadError('invalid-media', `${input.name} has no line of valid JSON. ${notes[0]}`);
    const { text, blocks, places } = renderRecords(records);
    requireText(text, input.name);
    return parsedDocument({ text, mime: 'application/jsonl', blocks, places, warnings: notes });
  },
};

/** True where the first lines that are JSON objects carry a string `text`, or a question with its answer: such a file is a collection of documents. */
export async function isJsonlOfDocuments(bytes: Uint8Array): Promise<boolean> {
  let seen = 0;
  try {
    for await (const run of lineRuns(bytes))
      for (const { line } of linesOf(run)) {
        const value = objectOf(line);
        if (value !== undefined) return bodyOf(value) !== undefined;
        if (++seen >= 20) return false;
      }
  } catch {
    return false;
  }
  return false;
}

/** The documents of a run of lines; with `only`, those of these lines. A bad line is a fault and costs only itself. */
export function* recordsOf(
  run: Pick<LineRun, 'bytes' | 'firstLine'>,
  only?: ReadonlySet<number>,
): Generator<JsonlRecord | JsonlFault> {
  for (const { line, lineNumber } of linesOf(run)) {
    if (only && !only.has(lineNumber)) continue;
    try {
      yield recordOf(line, lineNumber);
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      yield { lineNumber, error };
    }
  }
}

/** Lines that are not blank. */
function* linesOf({ bytes, firstLine }: Pick<LineRun, 'bytes' | 'firstLine'>): Generator<{
  readonly line: string;
  readonly lineNumber: number;
}> {
  // A byte order mark is one at the beginning of the file only.
  const text = new TextDecoder('utf-8', { ignoreBOM: firstLine > 1 }).decode(bytes);
  let lineNumber = firstLine;
  for (let from = 0; from < text.length; lineNumber++) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(from, end > from && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end);
    from = end + 1;
    if (line.trim() !== '') yield { line, lineNumber };
  }
}

const dateFields = [
  'publishedAt',
  'published_at',
  'published',
  'date',
  'publication_date',
  'created',
  'createdAt',
  'created_at',
];
const updateFields = ['updatedAt', 'updated_at', 'updated', 'modified', 'modifiedAt'];
const uriFields = ['uri', 'url', 'link'];
const taken = new Set([
  '__proto__',
  '_id',
  'id',
  'title',
  'text',
  'uri',
  'category',
  'version',
  'language',
  'lang',
  'metadata',
]);

function recordOf(line: string, lineNumber: number): JsonlRecord {
  const value = objectOf(line);
  const fault = (message: string): ReadError =>
    new ReadError('invalid-media', `Line ${lineNumber}: ${message}`, { details: { lineNumber } });
  if (value === undefined) throw fault('not a JSON object. Every line must be one, such as {"id": "a", "text": "…"}.');
  const body = bodyOf(value);
  if (body === undefined) throw fault('it has no "text" string. Add one, or leave the line out.');
  const nested = value['metadata'];
  const given: Record<string, unknown> = isObject(nested) ? nested : {};
  const from = (names: readonly string[]): [string, unknown] | undefined => {
    for (const fields of [value, given]) {
      const name = names.find((each) => fields[each] !== undefined && fields[each] !== null);
      if (name !== undefined) return [name, fields[name]];
    }
    return undefined;
  };
  const publishedAt = publishedDate(from(dateFields)?.[1]);
  const updatedAt = publishedDate(from(updateFields)?.[1]);
  const uri = textOf(uriFields.map((name) => value[name]).find((candidate) => candidate !== undefined));
  const metadata: Metadata = {};
  for (const [key, field] of Object.entries(value))
    if (!taken.has(key) && !body.said.has(key) && isMetadata(field, 0)) metadata[key] = clean(field);
  for (const [key, field] of Object.entries(given))
    if (key !== '__proto__' && isMetadata(field, 0)) metadata[key] = clean(field);
  const optional = {
    id: textOf(value['id'] ?? value['_id']),
    title: textOf(value['title']) ?? body.title,
    uri,
    publishedAt,
    updatedAt,
    category: textOf(value['category']),
    version: textOf(value['version']),
    language: textOf(value['language'] ?? value['lang'])
      ?.split(/[-_]/)[0]
      ?.toLowerCase(),
  };
  const present = Object.fromEntries(
    Object.entries(optional).filter(([, field]) => field !== undefined && field !== ''),
  );
  const isPage = formatOfMime(textOf(value['mime']))?.mime === 'text/html';
  const text = isPage ? htmlPiece(body.text).text : canonicalText(body.text);
  return { lineNumber, text, metadata, contentHash: hash('sha256', line, 'hex'), ...present };
}

interface Body {
  readonly text: string;
  readonly title?: string;
  /** Fields that are in the text. */
  readonly said: ReadonlySet<string>;
}

const longestBeside = 200;
const longestTitle = 200;

/** What a line says: its text, or an answer under its question, as dumps of questions have them; undefined where it holds more than that. */
function bodyOf(value: Record<string, unknown>): Body | undefined {
  const { text, question, answer } = value;
  if (typeof text === 'string') return { text, said: new Set() };
  if (text !== undefined || typeof question !== 'string' || typeof answer !== 'string') return undefined;
  if (question.trim() === '' || answer.trim() === '') return undefined;
  const said = new Set(['question', 'answer']);
  const isMore = Object.entries(value).some(
    ([key, field]) => !said.has(key) && !taken.has(key) && typeof field === 'string' && field.length > longestBeside,
  );
  if (isMore) return undefined;
  // What asks is the title of what answers, and no part of its text, where nobody looks for sentences that assert.
  const title = canonicalText(question).trim();
  const isTitle = title.length <= longestTitle && !title.includes('\n') && typeof value['title'] !== 'string';
  return isTitle ? { text: answer, title, said } : { text: `${question}\n\n${answer}`, said };
}

function objectOf(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Strings as they are, numbers as text; nothing else can be an id or a title. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return canonicalText(value).trim();
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

function isMetadata(value: unknown, depth: number): value is MetadataValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (depth >= 8 || typeof value !== 'object') return false;
  return Object.values(value).every((each) => isMetadata(each, depth + 1));
}

function clean(value: MetadataValue): MetadataValue {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
