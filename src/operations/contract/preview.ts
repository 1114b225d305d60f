// What a client sees that follows a look at what reading a folder or a document would bring.

import { z } from 'zod';
import { ingestPreviewSchema } from '../../core/documents/preview.ts';
import { ingestionSchema } from '../../core/documents/runs.ts';
import { problemSchema } from '../../core/events.ts';

/** What a client that follows such a run sees. The last event is always `done` or `error`. */
export const previewEventSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('progress'), ingestion: ingestionSchema }),
    z.object({ type: z.literal('done'), preview: ingestPreviewSchema }),
    z.object({ type: z.literal('error'), problem: problemSchema }),
  ])
  .meta({ id: 'PreviewEvent' });
