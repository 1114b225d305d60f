// A process that runs one command line after another for a test (command-host.ts), seen from the test: a command at a time, whose end is its exit code, or
// that of the process where it ended with it.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { programEnvironment } from '../../testkit/program-environment.ts';
import type { CommandNews, CommandOrder } from './command-host.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface SharedProcess {
  run(order: CommandOrder): Promise<Ended>;
  /** Whether it runs, and nothing runs in it. */
  isIdle(): boolean;
  /** Ends it, whatever runs in it. */
  kill(): Promise<void>;
}

export function startSharedProcess(): SharedProcess {
  const host = fork(join(import.meta.dirname, 'command-host.ts'), {
    env: programEnvironment(),
    silent: true,
    execArgv: [],
  });
  const closed = Promise.withResolvers<void>();
  let hasEnded = false;
  let said = { out: '', err: '' };
  let end: ((code: number | null) => void) | undefined;
  const hear = (news: CommandNews): void => {
    if ('code' in news) end?.(news.code);
    else said[news.stream] += news.text;
  };
  // What is written past the streams of the command, such as the last words of the process.
  host.stdout?.on('data', (data: Buffer) => hear({ stream: 'out', text: data.toString() }));
  host.stderr?.on('data', (data: Buffer) => hear({ stream: 'err', text: data.toString() }));
  host.on('message', hear);
  const over = (code: number | null): void => {
    hasEnded = true;
    closed.resolve();
    end?.(code);
  };
  host.once('close', over);
  host.once('error', () => over(null));
  return {
    run: (order) =>
      new Promise((done) => {
        said = { out: '', err: '' };
        end = (code) => {
          end = undefined;
          done({ code, ...said });
        };
        host.send(order);
      }),
    isIdle: () => !hasEnded && end === undefined,
    async kill() {
      host.kill('SIGKILL');
      await closed.promise;
    },
  };
}
