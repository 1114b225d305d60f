// A child process that is asked as a thread is (questions.ts): for native code that cannot be stopped in a thread, since ending a thread in the
// middle of it ends the whole process. Invariant: a child that nobody waits for never keeps this process alive, and it ends with it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createQuestions, type Thread } from './questions.ts';
import type { ThreadReply } from './replies.ts';

export interface ChildOptions {
  /** The child's file (`entryFile`). */
  readonly entry: URL;
  /** Given to the child when it starts (`childSetup`); plain JSON. */
  readonly setup: unknown;
  /** At each reply, after its question was settled. */
  readonly onReply?: () => void;
  /** Before those who wait are told that it ended. `fault` is what it died of, where that is known. */
  readonly onEnd: (fault: string | undefined) => void;
}

/** Starts it. */
export function startChild<Order extends object, Result>(options: ChildOptions): Thread<Order, Result> {
  const { entry, setup, onReply, onEnd } = options;
  const child = fork(fileURLToPath(entry), [JSON.stringify(setup)], {
    // Vectors cross as they are.
    serialization: 'advanced',
    env: {},
    execArgv: [],
    // Packages print as they like, and nobody reads it.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isEnding = false;
  let hasEnded = false;
  let fault: string | undefined;
  const rest = (): void => {
    if (isEnding) return;
    child.unref();
    child.channel?.unref();
  };
  const hold = (): void => {
    child.ref();
    child.channel?.ref();
  };
  const questions = createQuestions<Order, Result>({
    // One that died meanwhile is told by its end.
    post: (order) => void (child.connected && child.send(order, () => undefined)),
    hold,
    rest,
    onReply,
  });
  child.on('message', (reply) => questions.take(reply as ThreadReply<Result>));
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(fault);
    questions.end();
  };
  child.on('error', (thrown) => {
    fault = thrown.message;
    // One that could not be started says no more.
    if (child.pid === undefined) end();
  });
  child.on('exit', (code, signal) => {
    if (!isEnding && (signal !== null || code !== 0))
      fault ??= signal === null ? `exit code ${code}` : `signal ${signal}`;
    end();
  });

  return {
    ...questions.asked,
    async end() {
      isEnding = true;
      if (hasEnded) return;
      hold();
      child.kill('SIGKILL');
      await questions.asked.ended;
    },
  };
}

/** In a child: what it was started with. It ends with whoever started it, and not by a key that was meant for that one. */
export function childSetup<Setup>(): Setup {
  process.on('disconnect', () => process.exit());
  process.on('SIGINT', () => undefined);
  return JSON.parse(process.argv[2] ?? 'null') as Setup;
}
