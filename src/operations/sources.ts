// Sources and the runs that read them: declare, list, remove, sync, follow. What reads the server's own disk only an admin may declare or sync;
// pages of the web any writer may.
import { readsThisMachine } from '../core/connector.ts';
import type { Source } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import { hasRole, type Scope } from '../core/scope.ts';
import { toConnector } from './contract/connector.ts';
import {
  ingestionDetailSchema,
  ingestionFileListSchema,
  ingestionFilesQuerySchema,
  ingestionListSchema,
  ingestionSchema,
  pageQuerySchema,
  parkedFileListSchema,
  parkedQuerySchema,
  removedSchema,
  sourceListSchema,
  sourceRequestSchema,
  sourceSchema,
  syncQuerySchema,
} from './contract/contract.ts';
import { progressEventSchema } from './contract/events.ts';
import { ingestPreviewSchema, previewEventSchema } from './contract/preview.ts';
import { type Caller, operation, peculiar } from './operation.ts';

const writer = { role: 'writer', tag: 'sources' } as const;
const reader = { role: 'reader', tag: 'sources' } as const;

export const sources = {
  put: peculiar('POST /v1/sources', {
    ...writer,
    summary: 'Declare a source',
    body: sourceRequestSchema,
    status: 201,
    reply: sourceSchema,
    async run(caller, { body: { connector: given, ...rest } }) {
      const connector = given && toConnector(given);
      if (connector && readsThisMachine(connector)) requireAdmin(caller);
      return visibleTo(caller, await caller.footnote.sources.put({ ...rest, ...(connector && { connector }) }));
    },
  }),
  list: operation('GET /v1/sources', {
    ...reader,
    summary: 'Sources with their number of documents',
    reply: sourceListSchema,
    within: 'data',
    shown: (listed: readonly (Source & { documents: number })[], caller) =>
      listed.map((source) => visibleTo(caller, source)),
  }),
  get: operation('GET /v1/sources/:name', {
    ...reader,
    summary: 'A source',
    reply: sourceSchema,
    shown: (source: Source, caller) => visibleTo(caller, source),
  }),
  remove: operation('DELETE /v1/sources/:name', {
    ...writer,
    summary: 'Remove a source with all its documents',
    reply: removedSchema,
    within: 'removedDocuments',
    forgets: true,
  }),
  startSync: peculiar('POST /v1/sources/:name/sync', {
    ...writer,
    summary: 'Read the source anew; follow it at /v1/ingestions/{id}',
    lane: 'none',
    query: syncQuerySchema,
    status: 202,
    reply: ingestionSchema,
    headers: ({ id }) => ({ location: `/v1/ingestions/${encodeURIComponent(id)}` }),
    async run(caller, { params, query: { retry = false, reread, confirm } }) {
      const { sources: calls } = caller.footnote;
      const source = await calls.get(params.name);
      if (source.connector && readsThisMachine(source.connector)) requireAdmin(caller);
      return calls.startSync(source.name, {
        retry,
        ...(reread !== undefined && { reread }),
        ...(confirm === true && { confirm }),
      });
    },
  }),
  preview: peculiar('POST /v1/sources/preview', {
    role: 'writer',
    tag: 'ingestion',
    summary: 'What reading a source would bring: nothing is written',
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
  }),
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

const concealedPage = <Page extends { readonly data: readonly Failable[] }>(page: Page, caller: Caller): Page => ({
  ...page,
  data: page.data.map((one) => concealed(one, caller)),
});
type Runs = Caller['footnote']['ingestions'];
type PageOf<Call extends 'list' | 'files' | 'parked'> = Awaited<ReturnType<Runs[Call]>>;

const runs = { role: 'reader', tag: 'ingestion' } as const;

export const ingestions = {
  list: operation('GET /v1/ingestions', {
    ...runs,
    summary: 'Ingestions, newest first',
    query: pageQuerySchema,
    reply: ingestionListSchema,
    shown: concealedPage<PageOf<'list'>>,
  }),
  get: peculiar('GET /v1/ingestions/:id', {
    ...runs,
    summary: 'An ingestion with its first files, or (server-sent events) its progress',
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
  }),
  files: operation('GET /v1/ingestions/:id/files', {
    ...runs,
    summary: 'The files of an ingestion with their outcome',
    query: ingestionFilesQuerySchema,
    reply: ingestionFileListSchema,
    shown: concealedPage<PageOf<'files'>>,
  }),
  parked: operation('GET /v1/parked-files', {
    role: 'writer',
    tag: 'ingestion',
    summary: 'Files that were given up after three tries, and why',
    query: parkedQuerySchema,
    reply: parkedFileListSchema,
    shown: concealedPage<PageOf<'parked'>>,
  }),
  cancel: operation('DELETE /v1/ingestions/:id', {
    role: 'writer',
    tag: 'ingestion',
    summary: 'Cancel an ingestion',
    lane: 'none',
  }),
};
