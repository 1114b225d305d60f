// Options that several commands share, each read strictly: a value that is not valid is named with what would be.
import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { sourceTypes } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type Filter, filterSchema, type Mode, modes } from '../../core/search.ts';

export function toWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

function toShare(text: string): number {
  const value = Number(text);
  if (!/^[\d.]+$/.test(text) || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return value;
}

function toFilter(text: string): Filter {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`It must be JSON: ${(error as Error).message}`);
  }
  const parsed = filterSchema.safeParse(value);
  if (!parsed.success)
    throw new InvalidArgumentError(
      'It must be a filter, such as {"op":"eq","field":"mime","value":"application/pdf"}.',
    );
  return parsed.data;
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** An option that may be given several times. */
export const repeatable = (flags: string, description: string): Option =>
  new Option(flags, description).argParser(collect);

export const typeOption = (): Option => new Option('--type <type>', 'type of a new source').choices([...sourceTypes]);

export interface QuestionOptions {
  readonly mode?: Mode;
  readonly source?: readonly string[];
  readonly topK?: number;
  readonly minScore?: number;
  readonly filter?: Filter;
}

export function addQuestionOptions(command: Command): Command {
  return command
    .addOption(new Option('-m, --mode <mode>', 'how to search').choices([...modes]))
    .addOption(repeatable('-s, --source <name>', 'only this source (repeatable)'))
    .addOption(new Option('-k, --top-k <number>', 'pieces of evidence').argParser(toWholeNumber))
    .addOption(new Option('--min-score <number>', 'least score, 0 to 1').argParser(toShare))
    .addOption(new Option('--filter <json>', 'only documents that match this filter').argParser(toFilter));
}

/** The options as a request takes them. */
export function toRequestFields(options: QuestionOptions) {
  return {
    ...(options.mode && { mode: options.mode }),
    ...(options.source && { sources: [...options.source] }),
    ...(options.topK !== undefined && { topK: options.topK }),
    ...(options.minScore !== undefined && { minScore: options.minScore }),
    ...(options.filter && { filter: options.filter }),
  };
}

/** Everything on stdin. Refused on a terminal, where a person would wait for nothing. */
export async function readStdin(what: string): Promise<Buffer> {
  if (process.stdin.isTTY)
    throw new FootnoteError(
      'invalid-request',
      `"-" reads ${what} from stdin, and nothing is piped in. Pipe it in, or name it.`,
    );
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** The words of a question, or stdin for "-". */
export async function readWords(words: readonly string[], what: string): Promise<string> {
  const text = words.length === 1 && words[0] === '-' ? (await readStdin(what)).toString('utf8') : words.join(' ');
  if (text.trim() === '')
    throw new FootnoteError('invalid-request', `The ${what} is empty. Write it after the command, in quotes.`);
  return text.trim();
}

/** A text file that a person named. Throws with the path and what to do. */
export async function readNamedFile(path: string): Promise<string> {
  try {
    return path === '-' ? (await readStdin('the file')).toString('utf8') : await readFile(path, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EISDIR')
      throw new FootnoteError('invalid-request', `${path} is a folder. Name a file in it.`, { cause: thrown });
    throw toFootnoteError(thrown);
  }
}

/** The values of a JSON or JSONL file. */
export async function readJsonValues(path: string): Promise<unknown[]> {
  return toJsonValues(await readNamedFile(path), path);
}

/** The values of a text of JSON or JSONL that came from `path`. */
export function toJsonValues(text: string, path: string): unknown[] {
  const source = text.replace(/^\ufeff/, '');
  try {
    const value: unknown = JSON.parse(source);
    return Array.isArray(value) ? value : [value];
  } catch (whole) {
    const values: unknown[] = [];
    for (const [index, line] of source.split(/\r?\n/).entries()) {
      if (line.trim() === '') continue;
      try {
        values.push(JSON.parse(line));
      } catch (error) {
        const reason = values.length > 0 ? error : whole;
        throw new FootnoteError(
          'invalid-request',
          `${path}:${index + 1}: not valid JSON (${(reason as Error).message}). Give a JSON value, or one per line.`,
          { cause: error },
        );
      }
    }
    if (values.length === 0)
      throw new FootnoteError('invalid-request', `${path} is empty. Give a JSON value, or one per line.`);
    return values;
  }
}
