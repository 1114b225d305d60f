// Sources and the runs that read them: declare, list, remove, sync, follow. What reads the server's own disk only an admin may declare or sync;
// pages of the web any writer may.

import { z } from 'zod';
import { readsThisMachine } from '../core/connector.ts';
import type { Source } from '../core/document.ts';
import { ingestPreviewSchema } from '../core/documents/preview.ts';
import { ingestionSchema } from '../core/documents/runs.ts';
import { FootnoteError } from '../core/errors.ts';
import { errorEventSchema } from '../core/events.ts';
import { hasRole, type Scope } from '../core/scope.ts';
import { defined } from '../core/values/defined.ts';
import { toConnector } from './contract/connector.ts';
import {
  ingestionDetailSchema,
  ingestionFileListSchema,
  ingestionFilesQuerySchema,
  ingestionListSchema,
  pageQuerySchema,
  parkedFileListSchema,
  parkedQuerySchema,
  readingQuerySchema,
  removedSchema,
  shownSourceSchema,
  sourceListSchema,
  sourceRequestSchema,
  syncQuerySchema,
} from './contract/contract.ts';
import { previewEventSchema } from './contract/preview.ts';
import { intake } from './documents.ts';
import { type Caller, operationsFor } from './operation.ts';

/** What a client that watches an ingestion sees. The last event is always `done` or `error`. */
const progressEventSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('progress'), ingestion: ingestionSchema }),
    z.object({ type: z.literal('done'), ingestion: ingestionSchema }),
    errorEventSchema,
  ])
  .meta({ id: 'ProgressEvent' });

const writerIngestion = operationsFor('writer', 'ingestion');
const writer = operationsFor('writer', 'sources');
const reader = operationsFor('reader', 'sources');

export const sources = {
  put: writer.peculiar('POST /v1/sources', 'Declare a source', {
    body: sourceRequestSchema,
    status: 201,
    reply: shownSourceSchema,
    async run(caller, { body: { connector: given, ...rest } }) {
      const connector = given && toConnector(given);
      if (connector && readsThisMachine(connector)) requireAdmin(caller);
      return visibleTo(caller, await caller.footnote.sources.put({ ...rest, ...(connector && { connector }) }));
    },
  }),
  list: reader.call('GET /v1/sources', 'Sources with their number of documents', {
    reply: sourceListSchema,
    within: 'data',
    shown: (listed: readonly (Source & { documents: number })[], caller) =>
      listed.map((source) => visibleTo(caller, source)),
  }),
  get: reader.call('GET /v1/sources/:name', 'A source', {
    reply: shownSourceSchema,
    shown: (source: Source, caller) => visibleTo(caller, source),
  }),
  remove: writer.call('DELETE /v1/sources/:name', 'Remove a source with all its documents', {
    called: true,
    reply: removedSchema,
    within: 'removedDocuments',
    forgets: true,
  }),
  startSync: writer.peculiar('POST /v1/sources/:name/sync', 'Read the source anew; follow it at /v1/ingestions/{id}', {
    lane: 'none',
    query: syncQuerySchema,
    status: 202,
    reply: ingestionSchema,
    headers: ({ id }) => ({ location: `/v1/ingestions/${encodeURIComponent(id)}` }),
    async run(caller, { params, query: { retry = false, reread, confirm } }) {
      const { sources: calls } = caller.footnote;
      const source = await calls.get(params.name);
      if (source.connector && readsThisMachine(source.connector)) requireAdmin(caller);
      return calls.startSync(source.name, defined({ retry, reread, ...(confirm === true && { confirm }) }));
    },
  }),
  preview: writerIngestion.peculiar(
    'POST /v1/sources/preview',
    'What reading a source would bring: nothing is written',
    {
      lane: 'none',
      body: sourceRequestSchema,
      reply: ingestPreviewSchema,
      replies: {
        200: {
          description: 'The finding, or (server-sent events) the progress and then the finding',
          content: {
            'application/json': { schema: ingestPreviewSchema },
            'text/event-stream': { schema: previewEventSchema },
          },
        },
      },
    },
  ),
};

/** The source that a request would have looked at. Throws `unsupported` where there is nothing to look at, `forbidden` where the caller may not. */
export function lookedAt(caller: Pick<Caller, 'scope'>, { connector: given, ...rest }: SourceRequest): Source {
  if (given === undefined)
    throw new FootnoteError(
      'unsupported',
      'There is nothing to look at: the source has no connector. Give one, or send a document to /v1/documents/preview.',
    );
  const connector = toConnector(given);
  if (readsThisMachine(connector)) requireAdmin(caller);
  return { ...rest, connector };
}

type SourceRequest = typeof sourceRequestSchema._zod.output;

const isAdmin = ({ principal }: Scope): boolean => hasRole(principal, 'admin');

/** Where on the server's disk a source reads from is for admins to know. */
function visibleTo<Seen extends Source>({ scope }: Caller, source: Seen): Seen | Omit<Seen, 'connector'> {
  if (isAdmin(scope) || !source.connector || !readsThisMachine(source.connector)) return source;
  const { connector: _hidden, ...rest } = source;
  return rest;
}

function requireAdmin({ scope }: Pick<Caller, 'scope'>): void {
  if (isAdmin(scope)) return;
  throw new FootnoteError('forbidden', 'A folder connector reads the disk of the server: it needs the role admin.');
}

interface Failable {
  readonly error?: { readonly message: string };
}

/** What ended a run or a file, as the caller may see it: keys do not see where on the machine anything lies. */
export function concealed<Value extends Failable>(value: Value, { conceal }: Pick<Caller, 'conceal'>): Value {
  return conceal && value.error
    ? { ...value, error: { ...value.error, message: conceal(value.error.message) } }
    : value;
}

export const concealedFiles = <Looked extends { readonly files: readonly Failable[] }>(
  looked: Looked,
  caller: Pick<Caller, 'conceal'>,
): Looked => ({ ...looked, files: looked.files.map((file) => concealed(file, caller)) });

const concealedPage = <Page extends { readonly data: readonly Failable[] }>(page: Page, caller: Caller): Page => ({
  ...page,
  data: page.data.map((one) => concealed(one, caller)),
});
type Runs = Caller['footnote']['ingestions'];
type PageOf<Call extends 'list' | 'files' | 'parked'> = Awaited<ReturnType<Runs[Call]>>;

const runs = operationsFor('reader', 'ingestion');

export const ingestions = {
  start: writerIngestion.peculiar('POST /v1/ingestions', 'Upload files; follow how they are read at its Location', {
    ...intake,
    query: readingQuerySchema,
    status: 202,
    reply: ingestionSchema,
  }),
  list: runs.call('GET /v1/ingestions', 'Ingestions, newest first', {
    query: pageQuerySchema,
    reply: ingestionListSchema,
    shown: concealedPage<PageOf<'list'>>,
  }),
  get: runs.peculiar(
    'GET /v1/ingestions/:id',
    'An ingestion with its first files, or (server-sent events) its progress',
    {
      lane: 'none',
      watched: true,
      reply: ingestionDetailSchema,
      replies: {
        200: {
          description: 'The present state, or each change until the run ends',
          content: {
            'application/json': { schema: ingestionDetailSchema },
            'text/event-stream': { schema: progressEventSchema },
          },
        },
      },
      async run(caller, { params: { id } }) {
        const { ingestions: calls } = caller.footnote;
        const ingestion = await calls.get(id);
        const files = await calls.files(id, { limit: 100 });
        return {
          ...concealed(ingestion, caller),
          files: files.data.map((file) => concealed(file, caller)),
          ...(files.nextCursor !== undefined && { nextFilesCursor: files.nextCursor }),
        };
      },
    },
  ),
  files: runs.call('GET /v1/ingestions/:id/files', 'The files of an ingestion with their outcome', {
    query: ingestionFilesQuerySchema,
    reply: ingestionFileListSchema,
    shown: concealedPage<PageOf<'files'>>,
  }),
  parked: writerIngestion.call('GET /v1/parked-files', 'Files that were given up after three tries, and why', {
    query: parkedQuerySchema,
    reply: parkedFileListSchema,
    shown: concealedPage<PageOf<'parked'>>,
  }),
  cancel: writerIngestion.call('DELETE /v1/ingestions/:id', 'Cancel an ingestion', {
    lane: 'none',
    called: true,
  }),
};
