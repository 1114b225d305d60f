// What is written to the long-term memory after a request: what its user said in it, and that memories were used. Invariant: only the user's
// own message is read, never the answer, a document or a question that names of answers were put into; nothing is written for a request
// that failed.
import type { RecalledMemory } from '../../core/memory.ts';
import type { RequestMemory } from '../../memory/facts/for-requests.ts';
import { standingText } from '../../text/struck-text.ts';
import type { Keeping } from '../tracing/keep.ts';

interface Remembered {
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly answerId: string;
}

/** Resolves when all is written. */
async function remember(
  memory: RequestMemory,
  { message, used }: { readonly message: string; readonly used: readonly RecalledMemory[] },
  origin: Remembered,
): Promise<void> {
  const { statements } = await memory.read(standingText(message));
  if (used.length > 0) await memory.countUse(used);
  if (statements.length > 0) await memory.write(statements, origin);
}

/** What a request leaves in the long-term memory, once it is answered; without one nothing. */
export function createRemembering(memory: RequestMemory | undefined, message: string) {
  let used: readonly RecalledMemory[] = [];
  return {
    onUsed(memories: readonly RecalledMemory[]): void {
      used = memories;
    },
    after(keeping: Keeping, origin: Remembered): void {
      if (memory) keeping.add('memory', remember(memory, { message, used }, origin));
    },
  };
}
