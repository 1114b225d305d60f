// Writes rows of the audit log. Those of changes are durable when the promise resolves, with all that waits before them; those of reads wait for
// each other. Invariants: rows stand in the order in which they came in; a row that could not be written goes on waiting; where more wait
// than may be held, the log itself says how many are not in it.
import { toFootnoteError } from '../../core/errors.ts';
import type { AuditEntry, AuditLog } from '../../db/repositories/audit.ts';

/** What a kill may take: the rows of reads of so long. */
const groupMs = 250;
const groupSize = 64;
const mostWaiting = 10_000;

export interface AuditWriter {
  /** Never throws; written soon. */
  note(entry: AuditEntry): void;
  /** Durable when the promise resolves. Throws what the record throws. */
  write(entry: AuditEntry): Promise<void>;
  flush(): Promise<void>;
}

export function createAuditWriter(log: Pick<AuditLog, 'append'>): AuditWriter {
  let waiting: AuditEntry[] = [];
  let writing: readonly AuditEntry[] = [];
  let running: Promise<void> | undefined;
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;

  function hold(entry: AuditEntry): void {
    if (waiting.length + writing.length < mostWaiting) waiting.push(entry);
    else lost += 1;
  }

  async function writeAll(): Promise<void> {
    const missed = lost;
    writing = waiting;
    const [last] = writing.slice(-1);
    const told =
      missed > 0 && last
        ? [{ ...last, operation: 'audit.lost', targets: [String(missed)], outcome: 'storage-full' }]
        : [];
    waiting = [];
    lost = 0;
    try {
      await log.append([...writing, ...told]);
    } catch (error) {
      waiting = [...writing, ...waiting];
      lost += missed;
      flushSoon();
      throw toFootnoteError(error);
    } finally {
      writing = [];
    }
  }

  /** One after another: whoever comes meanwhile is written together. */
  async function flush(): Promise<void> {
    while (running) await running.catch(() => undefined);
    if (waiting.length === 0) return;
    clearTimeout(timer);
    timer = undefined;
    running = writeAll().finally(() => {
      running = undefined;
    });
    await running;
  }

  const flushSoon = (): void => {
    timer ??= setTimeout(() => void flush().catch(() => undefined), groupMs).unref();
  };

  return {
    note(entry) {
      hold(entry);
      if (waiting.length % groupSize === 0) void flush().catch(() => undefined);
      else flushSoon();
    },
    async write(entry) {
      hold(entry);
      await flush();
    },
    flush,
  };
}
