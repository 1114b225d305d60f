// The servers that work on the record, for whoever runs them.
import { z } from 'zod';
import { operationsFor } from './operation.ts';

const serverSchema = z
  .object({
    id: z.string(),
    version: z.string(),
    address: z.string().optional().describe('Where it is reached, once it serves'),
    startedAt: z.string(),
    seenAt: z
      .string()
      .describe('When it last said that it is there; one that is silent for 20 seconds is taken for dead'),
    isThis: z.boolean().describe('The one that answers'),
  })
  .meta({ id: 'Server' });

export const servers = {
  list: operationsFor('admin', 'operations').call('GET /v1/servers', 'The servers that work on the record', {
    reply: z.object({ data: z.array(serverSchema) }).meta({ id: 'ServerList' }),
    within: 'data',
  }),
};
