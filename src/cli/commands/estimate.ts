// footnote estimate: what the corpus would take at other sizes, and what to run it on then. Nothing is called: it multiplies what was measured
// (docs/postgresql.md, docs/stores/postgres.md, bench/REPORT.md), which is linear from twenty thousand chunks to a million and a guess beyond.
import { type Command, Option } from 'commander';
import { toSize } from '../../core/documents/sizes.ts';
import { FootnoteError } from '../../core/errors.ts';
import { toCount } from '../terminal/figures.ts';
import type { Cli } from './cli.ts';

/** Bytes for a chunk of some 200 words, and for each number of its vector. */
const record = { chunk: 2500, number: 4 };
const memory = { chunk: 860, number: 4 };
/** Words, facts and keys; a number twice in two bytes (the row and its index of neighbours), and the links of that index. */
const postgres = { chunk: 3800, number: 4, vector: 440 };
/** Of one thread, for words and vectors. */
const searchMs = { embedded: 5.9e-6, postgres: 2.2e-4 };
const times = [1, 10, 100, 1000];
/** Of one server, without what else it needs. */
const roomyBytes = 24e9;
const mostInPostgres = 1e8;

interface Estimated {
  readonly chunks: number;
  readonly recordBytes: number;
  readonly memoryBytes: number;
  readonly searchMs: number;
  readonly postgresBytes: number;
  readonly postgresSearchMs: number;
  readonly take: string;
}

export function estimateScale(chunks: number, dimensions: number): Estimated {
  const memoryBytes = chunks * (memory.chunk + memory.number * dimensions);
  const take =
    memoryBytes <= roomyBytes
      ? 'the store inside the record; a record in PostgreSQL for several servers'
      : chunks <= mostInPostgres
        ? 'the store postgres beside the record'
        : 'a hosted store beside the record, such as azure';
  return {
    chunks,
    recordBytes: chunks * (record.chunk + record.number * dimensions),
    memoryBytes,
    searchMs: chunks * searchMs.embedded,
    postgresBytes: chunks * (postgres.chunk + (dimensions > 0 ? postgres.number * dimensions + postgres.vector : 0)),
    postgresSearchMs: chunks * searchMs.postgres,
    take,
  };
}

const whole = (name: string, least: number) => (value: string) => {
  if (/^\d{1,12}$/u.test(value) && Number(value) >= least) return Number(value);
  throw new FootnoteError('invalid-request', `${name} is "${value}": it must be a whole number from ${least} on.`);
};
const toTime = (ms: number): string => (ms < 1000 ? `${Number(ms.toPrecision(2))} ms` : `${toCount(ms / 1000)} s`);

export function addEstimateCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('estimate')
    .description('Show what ten, a hundred and a thousand times as much would take, and what to run it on')
    .addOption(new Option('--scale', 'of disk, memory and time').makeOptionMandatory())
    .addOption(
      new Option('--chunks <count>', 'begin with so many (default: those that are in)').argParser(whole('--chunks', 1)),
    )
    .addOption(
      new Option('--dimensions <count>', 'numbers of a vector; 0: none')
        .argParser(whole('--dimensions', 0))
        .default(384),
    )
    .addHelpText('after', '\nExample:\n  footnote estimate --scale --dimensions 1536');
  const held = (): Promise<number> =>
    cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const stores = await footnote.stores.list();
      return stores.find(({ name }) => name === 'embedded')?.chunks ?? 0;
    });
  command.action(async (options: { readonly chunks?: number; readonly dimensions: number }) => {
    const chunks = options.chunks ?? (await held());
    const data = times.map((by) => estimateScale(Math.max(1, chunks) * by, options.dimensions));
    terminal.value({ dimensions: options.dimensions, data });
    terminal.table([
      ['chunks', 'record', 'memory', 'a search', 'store postgres', 'a search there', 'take'],
      ...data.map((one) => [
        toCount(one.chunks),
        toSize(one.recordBytes),
        toSize(one.memoryBytes),
        toTime(one.searchMs),
        toSize(one.postgresBytes),
        toTime(one.postgresSearchMs),
        one.take,
      ]),
    ]);
    terminal.note(
      'Multiplied from what was measured from twenty thousand chunks to a million; a guess beyond. A search is that of one thread.',
    );
  });
}
