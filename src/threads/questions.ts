// What a thread or a child process was asked. Invariant: every question that is not forgotten is settled exactly once, when its answer comes or
// when the other side ends.
import { FootnoteError } from '../core/errors.ts';
import type { ThreadReply } from './replies.ts';

/** In place of an answer: the thread ended before it came. */
export const threadEnded: unique symbol = Symbol('thread ended');

export interface Asked<Result> {
  readonly number: number;
  /** Throws what the work threw. */
  readonly answer: Promise<Result | typeof threadEnded>;
}

/** A thread, or a child process that is talked to in the same way. */
export interface Thread<Order, Result> {
  /** False before it is up and if it ended before that; an error where it said why it cannot come up. */
  readonly up: Promise<boolean | FootnoteError>;
  readonly ended: Promise<void>;
  isUp(): boolean;
  /** Questions without an answer. */
  waiting(): number;
  /** Says something that has no answer. Orders arrive as they were given. */
  tell(order: Order): void;
  /** `onPart` hears what comes of the answer before it is whole. */
  ask(toOrder: (task: number) => Order, onPart?: (part: never) => void): Asked<Result>;
  /** Nobody waits for this answer any more. False where it had come. */
  forget(task: number): boolean;
  end(): Promise<void>;
}

interface Waiting<Result> {
  readonly resolve: (result: Result | typeof threadEnded) => void;
  readonly reject: (error: FootnoteError) => void;
  readonly onPart?: ((part: never) => void) | undefined;
}

export interface QuestionsOptions<Order> {
  readonly post: (order: Order) => void;
  /** Somebody waits from now on. */
  readonly hold: () => void;
  /** Nobody waits any more. */
  readonly rest: () => void;
  /** At each reply, after its question was settled. */
  readonly onReply?: (() => void) | undefined;
}

export interface Questions<Order, Result> {
  readonly asked: Omit<Thread<Order, Result>, 'end'>;
  /** A reply came. */
  readonly take: (reply: ThreadReply<Result>) => void;
  /** The other side is gone: everything that is open ends. */
  readonly end: () => void;
}

export function createQuestions<Order, Result>(options: QuestionsOptions<Order>): Questions<Order, Result> {
  const { post, hold, rest, onReply } = options;
  const questions = new Map<number, Waiting<Result>>();
  const up = Promise.withResolvers<boolean | FootnoteError>();
  const ended = Promise.withResolvers<void>();
  let isUp = false;
  let hasEnded = false;
  let lastNumber = 0;

  function settled(task: number): Waiting<Result> | undefined {
    const waiting = questions.get(task);
    questions.delete(task);
    if (questions.size === 0) rest();
    return waiting;
  }

  return {
    asked: {
      up: up.promise,
      ended: ended.promise,
      isUp: () => isUp,
      waiting: () => questions.size,
      tell: post,
      ask(toOrder, onPart) {
        const number = ++lastNumber;
        if (hasEnded) return { number, answer: Promise.resolve(threadEnded) };
        const { promise, resolve, reject } = Promise.withResolvers<Result | typeof threadEnded>();
        questions.set(number, { resolve, reject, onPart });
        hold();
        post(toOrder(number));
        return { number, answer: promise };
      },
      forget: (task) => settled(task) !== undefined,
    },
    take(reply) {
      if (reply.kind === 'ready') {
        isUp = true;
        up.resolve(true);
        // The port of a thread that starts holds the process until now, whatever was said before.
        if (questions.size === 0) rest();
      } else if (reply.kind === 'part') questions.get(reply.task)?.onPart?.(reply.part as never);
      else if (reply.kind === 'done') settled(reply.task)?.resolve(reply.result);
      else if (reply.kind === 'failed') {
        const { task, code, message, details } = reply;
        const error = new FootnoteError(code, message, { details });
        if (task === undefined) up.resolve(error);
        else settled(task)?.reject(error);
      }
      onReply?.();
    },
    end() {
      hasEnded = true;
      up.resolve(false);
      for (const { resolve } of questions.values()) resolve(threadEnded);
      questions.clear();
      ended.resolve();
    },
  };
}
