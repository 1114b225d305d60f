// Engines under measurement, each in a process of its own, and the calls between them and the process that asks. Invariant:
// one call at a time over all processes, so that no engine is measured while another one works; what an engine's process
// throws ends that engine alone.
import { type ChildProcess, fork } from 'node:child_process';

type Calls = Readonly<Record<string, (argument: never) => unknown>>;

interface Question {
  readonly call: string;
  readonly argument: unknown;
}
type Reply = { readonly value: unknown } | { readonly error: string };

/** In an engine's process: answers the calls of the process that started it, one after another, until that one goes. */
export function answerCalls(calls: Calls): void {
  process.on('message', ({ call, argument }: Question) => {
    const answer = async (): Promise<Reply> => {
      const called = calls[call] as ((argument: unknown) => unknown) | undefined;
      if (!called) return { error: `There is no call ${call}.` };
      try {
        return { value: await called(argument) };
      } catch (error) {
        return { error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) };
      }
    };
    void answer().then((reply) => process.send?.(reply));
  });
  process.on('disconnect', () => process.exit(0));
}

export interface EngineProcess {
  ask<Value>(call: string, argument?: unknown): Promise<Value>;
  stop(): Promise<void>;
}

/** Starts `script` with `args`; it must call `answerCalls`. */
export function startEngineProcess(script: string, args: readonly string[]): EngineProcess {
  const child: ChildProcess = fork(script, [...args], {
    execArgv: ['--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.on('data', (data: Buffer) => {
    complaint = `${complaint}${data.toString()}`.slice(-2000);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    ask<Value>(call: string, argument?: unknown): Promise<Value> {
      return new Promise<Value>((resolve, reject) => {
        const onMessage = (reply: Reply): void => {
          child.off('exit', onExit);
          if ('error' in reply) reject(new Error(reply.error));
          else resolve(reply.value as Value);
        };
        const onExit = (code: number | null, signal: string | null): void => {
          child.off('message', onMessage);
          reject(new Error(`The process ended (${code ?? signal}) at ${call}. ${complaint}`));
        };
        if (!child.connected) {
          reject(new Error(`The process has ended before ${call}. ${complaint}`));
          return;
        }
        child.once('message', onMessage);
        child.once('exit', onExit);
        child.send({ call, argument } satisfies Question, (error) => {
          if (error) reject(error);
        });
      });
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
