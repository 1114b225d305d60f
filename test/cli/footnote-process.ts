// Runs the real command line in a folder of its own: what a person gets, with exit code and streams. Commands that are waited for share a process that has
// the program loaded, unless the test is about processes; `test/scenario/own-processes.test.ts` starts each command as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programMain } from '../../testkit/bundled-program.ts';
import { programEnvironment } from '../../testkit/program-environment.ts';
import { type Ended, type SharedProcess, startSharedProcess } from './shared-process.ts';

export interface Outcome extends Ended {
  /** stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into values of every shape
  readonly json: () => any;
}

/** What was said on stderr but for how far the reading of files is, which is told where it takes seconds. */
export const withoutProgress = (err: string): string => err.replace(/^\S+: \d+ of \d+ files.*\n/gmu, '');

export interface Workplace {
  readonly folder: string;
  /** Runs a command and waits for its end. */
  run(words: readonly string[], options?: { stdin?: string; env?: Record<string, string> }): Promise<Outcome>;
  /** Starts a command and leaves it running. */
  start(words: readonly string[], env?: Record<string, string>): ChildProcess;
  /** Starts a server on a free port; resolves with its address when it answers. */
  serve(
    words?: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ url: string; server: ChildProcess; stop(): Promise<number | null> }>;
  remove(): Promise<void>;
}

interface WorkplaceOptions {
  /** Every command is a process of its own, as a shell starts it. Default: those that are waited for share one, where none runs beside it. */
  readonly ownProcesses?: boolean;
}

export async function openWorkplace({ ownProcesses = false }: WorkplaceOptions = {}): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-cli-'));
  const children = new Set<ChildProcess>();
  const environment = { ...programEnvironment(), HOME: folder, TMPDIR: tmpdir() };

  const spawnIn = (words: readonly string[], env: Record<string, string> = {}): ChildProcess => {
    const child = spawn(process.execPath, [programMain, ...words], { cwd: folder, env: { ...environment, ...env } });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };

  const runAlone = (words: readonly string[], stdin: string, env: Record<string, string>): Promise<Ended> =>
    new Promise((done, fail) => {
      const child = spawnIn(words, env);
      let out = '';
      let err = '';
      child.stdout?.on('data', (data: Buffer) => (out += data.toString()));
      child.stderr?.on('data', (data: Buffer) => (err += data.toString()));
      child.once('error', fail);
      child.once('close', (code) => done({ code, out, err }));
      child.stdin?.end(stdin);
    });

  const shared: SharedProcess[] = [];
  const runShared = (words: readonly string[], stdin: string, env: Record<string, string>): Promise<Ended> => {
    const one = shared.find((each) => each.isIdle()) ?? startSharedProcess();
    if (!shared.includes(one)) shared.push(one);
    return one.run({ words, folder, environment: { ...environment, ...env }, stdin });
  };

  return {
    folder,
    start: (words, env) => spawnIn(words, env),
    async run(words, { stdin = '', env = {} } = {}) {
      const ended = await (ownProcesses ? runAlone(words, stdin, env) : runShared(words, stdin, env));
      return { ...ended, json: () => JSON.parse(ended.out) as unknown };
    },
    async serve(words = [], env = {}) {
      const server = spawnIn(['serve', '--port', '0', ...words], env);
      const ended = new Promise<number | null>((done) => server.once('close', done));
      const url = await new Promise<string>((done, fail) => {
        let said = '';
        const hear = (data: Buffer): void => {
          said += data.toString();
          const found = /serves on (http:\S+)/.exec(said)?.[1];
          if (found && said.includes('stops.')) done(found);
        };
        server.stdout?.on('data', hear);
        server.stderr?.on('data', hear);
        server.once('close', () => fail(new Error(`The server ended: ${said}`)));
      });
      return {
        url,
        server,
        stop() {
          server.kill('SIGTERM');
          return ended;
        },
      };
    },
    async remove() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(shared.map((one) => one.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
