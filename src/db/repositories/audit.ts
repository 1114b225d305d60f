// The audit log: who did what, when, with what outcome. Invariants: rows are only added, and go only by a cut, from the oldest on; each row's hash
// covers the one before, so that `verify` names what was changed, taken away, put in or reordered.
import type { AuditCheck, AuditCheckQuery, AuditQuery, AuditRow } from '../../core/traces/audit.ts';
import type { PageOf } from './page.ts';

export type AuditEntry = Omit<AuditRow, 'seq' | 'hash'>;

export interface AuditLog {
  /** In their order; durable when the promise resolves. */
  append(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first; without a tenant those of all. */
  list(query: AuditQuery & { readonly tenant?: string | undefined }): Promise<PageOf<AuditRow>>;
  verify(query?: AuditCheckQuery): Promise<AuditCheck>;
  /** Removes the oldest rows that are from before an instant, so many at most, and notes it in the log; how many went. */
  cut(entry: AuditEntry, before: string, most: number): Promise<number>;
  /** Which settings are in force, where they are others than the log says. */
  noteSettings(entry: AuditEntry): Promise<void>;
}
