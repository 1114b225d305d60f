// What the routes of API keys take and give.
import { z } from 'zod';
import { roles } from '../../core/scope.ts';
import { nameSchema } from './contract.ts';

export const keyRequestSchema = z
  .strictObject({
    name: nameSchema,
    role: z.enum(roles),
    tenant: nameSchema.exactOptional(),
    groups: z.array(nameSchema).max(100).exactOptional(),
  })
  .meta({ id: 'KeyRequest' });
const keySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    tenant: z.string(),
    role: z.enum(roles),
    groups: z.array(z.string()),
    createdAt: z.string(),
    revokedAt: z.string().optional(),
  })
  .meta({ id: 'Key' });
export const keyListSchema = z.object({ data: z.array(keySchema) }).meta({ id: 'KeyList' });
/** `secret` is missing when the reply is given again under an Idempotency-Key: it is shown once. */
export const createdKeySchema = z.object({ key: keySchema, secret: z.string().optional() }).meta({ id: 'CreatedKey' });
