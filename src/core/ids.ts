// Ids and hashes. Ids are opaque; those of documents and chunks are derived from content so that the same input always
// gets the same id. Random ones come from an injected `Ids` so that a run can be replayed.
import { hash, randomBytes } from 'node:crypto';

/** SHA-256 as lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** The id of a document that brings no id of its own. */
export function documentIdOf(source: string, uri: string): string {
  return `doc_${sha256(`${source}\u0000${uri}`).slice(0, 24)}`;
}

/** Begins the ids of files of a request, which are cited like documents and kept in its trace alone. */
export const workspacePrefix = 'wsp_';

/** The id of a chunk: bound to the text of its document, so that a span of a replaced revision is never found. */
export function chunkIdOf(documentId: string, textHash: string, span: { start: number; end: number }): string {
  return `chk_${sha256(`${documentId}\u0000${textHash}\u0000${span.start}\u0000${span.end}`).slice(0, 24)}`;
}

export interface Ids {
  /** A new unique id with this prefix, such as `ses_…`. */
  next(prefix: string): string;
}

export const randomIds: Ids = { next: (prefix) => `${prefix}_${randomBytes(12).toString('hex')}` };

export interface Clock {
  /** Wall clock, RFC 3339 in UTC with milliseconds: for display and expiry only. */
  now(): string;
  /** Monotonic milliseconds: for durations. */
  elapsedMs(): number;
  /** A signal that aborts after so long by this clock, with a TimeoutError. Absent: by that of the machine (`AbortSignal.timeout`). */
  after?(ms: number): AbortSignal;
  /** The same time for deadlines, which anybody asks at any moment: its readings are on no tape. Absent: this clock itself. */
  readonly forDeadlines?: Pick<Clock, 'elapsedMs'>;
  /** For a deadline that is made now: what it reads of its time is noted, or given again as it was noted. Absent: every reading is taken. */
  readings?(): TakeReading;
}

export type TakeReading = (take: () => number) => number;
/** What a deadline needs of the clock of its request. */
export type DeadlineClock = Pick<Clock, 'elapsedMs' | 'after' | 'forDeadlines' | 'readings'>;

export const systemClock: Clock = { now: () => new Date().toISOString(), elapsedMs: () => performance.now() };
