// The events of streams and of traces as the doors show them: each frame's `data:` is one of these objects. Those of requests are the one
// union of the house (core/events.ts).
import { z } from 'zod';
import { errorEventSchema } from '../../core/events.ts';
import { ingestionSchema } from './contract.ts';

/** What a client that watches an ingestion sees. The last event is always `done` or `error`. */
export const progressEventSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('progress'), ingestion: ingestionSchema }),
    z.object({ type: z.literal('done'), ingestion: ingestionSchema }),
    errorEventSchema,
  ])
  .meta({ id: 'ProgressEvent' });
