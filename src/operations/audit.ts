// The audit log, for admins: list it, check it.
import { auditCheckQuerySchema, auditCheckSchema, auditQuerySchema, auditRowSchema } from '../core/traces/audit.ts';
import { listOf } from './contract/contract.ts';
import { operationsFor } from './operation.ts';

const admin = operationsFor('admin', 'operations');

export const audit = {
  list: admin.call('GET /admin/audit', 'Who asked, read or changed what, and with what outcome, newest first', {
    query: auditQuerySchema,
    reply: listOf(auditRowSchema).meta({ id: 'AuditPage' }),
  }),
  verify: admin.call(
    'GET /admin/audit/check',
    'Whether the audit log is what was written: each row that is not is named',
    {
      query: auditCheckQuerySchema,
      reply: auditCheckSchema,
    },
  ),
};
