// Starts the server as its own process on a free port and stops it again: for measurements and checks that may know
// nothing but the HTTP contract.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programMain } from './bundled-program.ts';
import { programEnvironment } from './program-environment.ts';

export interface ServerProcess {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly pid: number;
  /** Lines that it printed so far. */
  readonly output: readonly string[];
  /** Resolves with its exit code when it ended; null: by a signal. */
  readonly ended: Promise<number | null>;
  /** Kills the process where it stands (SIGKILL) and waits for its end. */
  kill(): Promise<void>;
  /** Ends the process (SIGTERM) and waits for it. */
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  /** Settings, beside the PATH. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where it runs. Default: here. */
  readonly folder?: string;
  /** Of Node, such as `--cpu-prof`. */
  readonly nodeArguments?: readonly string[];
  /** The file of the command line. Default: that of the bundled program, which has to be made. */
  readonly program?: string;
}

/** `data`: the data folder. Rejects with what the server printed if it ends before it serves. */
export async function startServerProcess(data: string, options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const { environment = {}, folder, nodeArguments = [], program = programMain } = options;
  const child = spawn(process.execPath, [...nodeArguments, program, '--data', data, 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...programEnvironment(), ...environment },
    ...(folder !== undefined && { cwd: folder }),
  });
  const exited = once(child, 'exit');
  const output: string[] = [];
  const address = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line);
      const found = /http:\/\/127\.0\.0\.1:\d+/u.exec(line)?.[0];
      if (found !== undefined) address.resolve(found);
    });
  void exited.then(() => address.reject(new Error(`the server ended:\n${output.join('\n')}`)));
  const url = await address.promise;
  return {
    url,
    pid: child.pid ?? 0,
    output,
    ended: exited.then(([code]) => code as number | null),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
