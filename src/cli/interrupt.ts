// Ctrl-C (and SIGTERM): the first ends the work in order, the second ends the process at once.
import { FootnoteError } from '../core/errors.ts';

export interface Interrupt {
  readonly signal: AbortSignal;
  stop(): void;
}

export function watchInterrupts(note: (text: string) => void): Interrupt {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(name === 'SIGTERM' ? 143 : 130);
    if (name === 'SIGINT') note('Stopping. Press Ctrl-C again to stop at once.');
    controller.abort(
      new FootnoteError('cancelled', 'Interrupted. What was finished is kept; run the command again to go on.'),
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    stop() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
