// Traces that need not be durable when their reply leaves: they wait in memory, packed, and are committed together soon after. Invariants:
// what waits is found by its id, is written before the record closes, and is lost only with the process; where the last commit failed or
// the disk is nearly full nothing new is taken in, so that whoever asks is told what was not kept.
import type { LoggedEvent } from '../../core/events.ts';
import type { Scope } from '../../core/scope.ts';
import type { TraceSummary } from '../../core/trace-file.ts';

export interface WaitingTrace {
  readonly scope: Scope;
  readonly trace: TraceSummary;
  readonly packed: Uint8Array;
}

export interface TraceGroups {
  /** Whether traces may wait now; otherwise each is to be saved by itself. */
  isOpen(): boolean;
  /** Takes a trace in. Its events are packed in a later turn of the event loop: the reply goes first. */
  add(scope: Scope, trace: TraceSummary, events: readonly LoggedEvent[]): void;
  /** What waits under an id that may be read in this scope. */
  find(scope: Scope, id: string): WaitingTrace | undefined;
  /** Resolves when all that waits was tried. Never rejects: what could not be written goes on waiting. */
  flush(): Promise<void>;
  /** Call when a trace was saved by itself: the record can be written again. */
  wrote(): void;
}

export interface TraceGroupPorts {
  /** The bytes under which a log is kept. */
  pack(events: readonly LoggedEvent[]): Uint8Array;
  /** Those of these that are durable by now. Never rejects. */
  save(waiting: readonly WaitingTrace[]): Promise<readonly WaitingTrace[]>;
  /** False on a disk that is nearly full. */
  hasRoom(): boolean;
  /** Calls `work` once after so long; returns how to prevent that. Default: a timer that keeps no process alive. */
  schedule?(work: () => void, afterMs: number): () => void;
}

/** What a kill may take: the traces of so long. */
const groupMs = 250;
/** More are committed at once: some 1 MB. */
const groupSize = 64;
const groupBytes = 4 * 1024 * 1024;

const byTimer = (work: () => void, afterMs: number): (() => void) => {
  const timer = setTimeout(work, afterMs).unref();
  return () => clearTimeout(timer);
};

export function createTraceGroups({ pack, save, hasRoom, schedule = byTimer }: TraceGroupPorts): TraceGroups {
  const waiting = new Map<string, { readonly scope: Scope; readonly trace: TraceSummary; bytes(): Uint8Array }>();
  const unpacked = new Set<() => Uint8Array>();
  let packedBytes = 0;
  let isPacking = false;
  let isFailing = false;
  let cancel: (() => void) | undefined;
  let flushing: Promise<void> | undefined;

  /** One in each turn, so that a burst of searches holds up nobody. */
  function packNext(): void {
    const [next] = unpacked;
    try {
      next?.();
    } catch {
      // Longer than any text can be: it is tried again with its group, and told there.
      if (next) unpacked.delete(next);
    }
    isPacking = unpacked.size > 0;
    if (isPacking) setImmediate(packNext);
  }

  const nameOf = ({ tenant }: Scope, id: string): string => `${tenant}\u0000${id}`;

  async function saveAll(): Promise<void> {
    const names = new Map<WaitingTrace, string>();
    const group = [...waiting];
    for (const [name, { scope, trace, bytes }] of group)
      try {
        names.set({ scope, trace, packed: bytes() }, name);
      } catch {
        // It cannot be kept, and the others can.
      }
    const saved = await save([...names.keys()]);
    for (const one of saved) {
      packedBytes -= one.packed.byteLength;
      waiting.delete(names.get(one) ?? '');
    }
    isFailing = saved.length < group.length;
  }

  async function flush(): Promise<void> {
    cancel?.();
    cancel = undefined;
    // What came while a group was written is in the next one.
    await flushing;
    if (waiting.size === 0) return;
    flushing ??= saveAll().finally(() => {
      flushing = undefined;
    });
    await flushing;
  }

  function flushSoon(): void {
    cancel ??= schedule(() => {
      cancel = undefined;
      void flush();
    }, groupMs);
  }

  return {
    // Asked of the disk once for a group, not for each search.
    isOpen: () => !isFailing && (waiting.size > 0 || hasRoom()),
    add(scope, trace, events) {
      const log = [...events];
      let packed: Uint8Array | undefined;
      const bytes = (): Uint8Array => {
        if (packed === undefined) {
          packed = pack(log);
          log.length = 0;
          unpacked.delete(bytes);
          packedBytes += packed.byteLength;
        }
        return packed;
      };
      unpacked.add(bytes);
      waiting.set(nameOf(scope, trace.id), { scope, trace, bytes });
      if (!isPacking) {
        isPacking = true;
        setImmediate(packNext);
      }
      if (waiting.size >= groupSize || packedBytes >= groupBytes) void flush();
      else flushSoon();
    },
    find(scope, id) {
      const found = waiting.get(nameOf(scope, id));
      const isMine = found?.scope.principal.id === scope.principal.id || scope.principal.role === 'admin';
      return found && isMine ? { scope: found.scope, trace: found.trace, packed: found.bytes() } : undefined;
    },
    flush,
    wrote() {
      isFailing = false;
      if (waiting.size > 0) flushSoon();
    },
  };
}
