// The part of the contract that speaks of what is counted.
import { z } from 'zod';

export const alertListSchema = z.object({
  data: z.array(
    z
      .object({
        name: z.string(),
        state: z.enum(['ok', 'firing', 'unknown']),
        summary: z.string(),
        /** Over the last 15 minutes; absent where too little happened to say. */
        value: z.number().optional(),
        limit: z.number(),
        unit: z.enum(['seconds', 'share']),
        advice: z.string(),
        detail: z.string().optional().describe('Whom the figure is of, and what that costs'),
      })
      .meta({ id: 'Alert' }),
  ),
});
