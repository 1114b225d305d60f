// What admins may ask of the audit log.
import type { AuditCheck, AuditCheckQuery, AuditQuery, AuditRow } from '../../core/traces/audit.ts';
import type { PageOf } from '../../db/repositories/page.ts';

export interface AuditCalls {
  /** Newest first: an admin sees the tenant's, the owner of the data folder all. */
  list(query: AuditQuery): Promise<PageOf<AuditRow>>;
  /** Checks the whole log, of all tenants: what was changed, taken away, put in or reordered since it was written. */
  verify(query?: AuditCheckQuery): Promise<AuditCheck>;
}
