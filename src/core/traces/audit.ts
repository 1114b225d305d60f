// A row of the audit log, as doors show it, and what a check of the whole log says.
import { z } from 'zod';

export const auditRowSchema = z
  .object({
    seq: z.int().describe('From 1, without gaps'),
    at: z.string().describe('When it began'),
    requestId: z.string().optional(),
    tenant: z.string(),
    principal: z.string().describe('`key:` and the id of a key, or who else asked'),
    via: z.string().describe('The route or the command'),
    operation: z.string(),
    targets: z.array(z.string()).describe('Ids of what was asked for or made, 100 at most'),
    outcome: z.string().describe('`done`, or the code of the error'),
    ms: z.number(),
    query: z.string().optional().describe('SHA-256 of what was asked; its text where LOG_QUERIES says so'),
    hash: z.string().describe('SHA-256 of this row and of the hash before'),
  })
  .meta({ id: 'AuditRow' });
type Row = z.output<typeof auditRowSchema>;
export type AuditRow = Readonly<Omit<Row, 'targets'>> & { readonly targets: readonly string[] };

const instant = z.iso.datetime({ offset: true }).exactOptional();
const name = z.string().min(1).max(1024).exactOptional();

export const auditQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  cursor: z.string().min(1).max(4096).exactOptional(),
  from: instant.describe('Begun at or after this instant'),
  to: instant.describe('Begun before this instant'),
  principal: name,
  operation: name.describe('Such as `ask`, or `documents.` for all that begin so'),
  outcome: name,
  target: name.describe('Id of what was asked for or made'),
  requestId: name,
});
export type AuditQuery = Readonly<z.output<typeof auditQuerySchema>>;

export const auditCheckQuerySchema = z.strictObject({
  head: z
    .string()
    .regex(/^\d{1,15}:[\da-f]{64}$/u, 'must be the head of an earlier check, such as 41:3f1c…')
    .exactOptional()
    .describe('As an earlier check told it: whether the log still holds that row'),
});
export type AuditCheckQuery = Readonly<z.output<typeof auditCheckQuerySchema>>;

export const auditCheckSchema = z
  .object({
    ok: z.boolean(),
    rows: z.int(),
    first: z.int().optional(),
    head: z
      .string()
      .optional()
      .describe(
        'Number and hash of the last row: kept elsewhere, it proves later that nothing before it was rewritten',
      ),
    faults: z.array(z.string()).describe('What is not as it was written, 100 at most'),
  })
  .meta({ id: 'AuditCheck' });
type Check = z.output<typeof auditCheckSchema>;
export type AuditCheck = Readonly<Omit<Check, 'faults'>> & { readonly faults: readonly string[] };
