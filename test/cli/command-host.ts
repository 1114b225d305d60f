// A process that runs one command line after another for a test, as `main.ts` runs one: half of what a command takes is the loading of the program, which
// is done once here. Each command gets the folder, the variables, the arguments and the streams of a process of its own.
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { programMain } from '../../testkit/bundled-program.ts';

export interface CommandOrder {
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
}

export type CommandNews = { readonly stream: 'out' | 'err'; readonly text: string } | { readonly code: number };

const tell = (news: CommandNews): Promise<void> =>
  new Promise((done) => {
    process.send?.(news, () => done());
  });

function setStream(name: 'stdin' | 'stdout' | 'stderr', value: Readable | Writable): void {
  Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
}

const streamTo = (stream: 'out' | 'err'): Writable =>
  new Writable({
    decodeStrings: false,
    write(chunk: Buffer | string, _, done) {
      void tell({ stream, text: chunk.toString() }).then(() => done());
    },
  });

const { runCli } = (await import(
  join(dirname(programMain), 'program.js')
)) as typeof import('../../src/cli/program.ts');

async function run({ words, folder, environment, stdin }: CommandOrder): Promise<void> {
  process.chdir(folder);
  process.argv = [process.execPath, programMain, ...words];
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  setStream('stdin', Readable.from(stdin === '' ? [] : [Buffer.from(stdin)], { objectMode: false }));
  setStream('stdout', streamTo('out'));
  setStream('stderr', streamTo('err'));
  await tell({ code: await runCli(words) });
}

process.on('message', (order: CommandOrder) => void run(order));
process.on('disconnect', () => process.exit());
