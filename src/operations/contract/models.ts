// The part of the contract that tells how the models of the roles stand.
import { z } from 'zod';

export const roleHealthSchema = z
  .object({
    role: z.string(),
    /** `degraded`: a model of its list fails and another stands behind it. `down`: all fail, and the step is done without. */
    status: z.enum(['ok', 'degraded', 'down']),
    code: z.string().optional(),
  })
  .meta({ id: 'RoleHealth' });

export const modelsHealthSchema = z
  .object({
    roles: z.array(roleHealthSchema),
    models: z.array(
      z.object({
        /** `provider:model`. */
        model: z.string(),
        state: z.enum(['untried', 'serving', 'failing']),
        /** Whether calls are kept away from it for a while. */
        circuit: z.enum(['closed', 'open', 'half-open']),
        failuresInRow: z.int(),
        lastServedAt: z.string().optional(),
        lastFailure: z
          .object({ code: z.string(), reason: z.string(), at: z.string(), status: z.int().optional() })
          .optional(),
      }),
    ),
  })
  .meta({ id: 'ModelsHealth' });
