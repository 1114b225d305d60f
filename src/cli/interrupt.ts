// Ctrl-C (and SIGTERM, and SIGHUP of a terminal that closes): the first ends the work in order, the second ends the process at once. Whoever
// started the program and is gone ends it in order too.
import { constants } from 'node:os';
import { FootnoteError } from '../core/errors.ts';
import { type Started, watchLaunchers } from './launchers.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupt {
  readonly signal: AbortSignal;
  stop(): void;
}

export function watchInterrupts(started: Started, note: (text: string) => void): Interrupt {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
    if (name === 'SIGINT') note('Stopping. Press Ctrl-C again to stop at once.');
    interrupt('Interrupted');
  };
  const interrupt = (why: string): void =>
    controller.abort(
      new FootnoteError('cancelled', `${why}. What was finished is kept; run the command again to go on.`),
    );
  const launchers = watchLaunchers(started, () => interrupt('Whoever started this command is gone'));
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stop() {
      launchers.stop();
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
