// Who asks for files and vector stores, and which stores there are for them. Invariant: a store that the caller neither made nor may read anything of is
// as one that is not there.
import type { z } from 'zod';
import type { Source } from '../../../core/document.ts';
import { asAbsent, FootnoteError } from '../../../core/errors.ts';
import { hasRole } from '../../../core/scope.ts';
import type { Collection, FileCounts, ListKey, ListSlice, UploadCalls } from '../../../footnote/facade/uploads.ts';
import type { Caller, Operation } from '../../../operations/operation.ts';
import type { ListQuery } from '../../../operations/vector-stores.ts';
import { refusal } from '../../foreign/errors.ts';
import { isReadable, storePrefix } from '../../foreign/models.ts';
import { askedOf, callerOf, type Handle } from '../../routes/routes.ts';
import type { Door } from '../../wire/http-types.ts';
import type { Exchange } from '../../wire/stream-reply.ts';

export interface StoreCaller extends Caller {
  readonly uploads: UploadCalls;
}

export type HandledRoutes = readonly (readonly [operation: Operation, handle: Handle])[];

/** Makes a route of an operation; whoever polls what is under way is told when to ask again. */
export const serving =
  (door: Door) =>
  <Query extends z.ZodType | undefined, Body extends z.ZodType | undefined>(
    operation: Operation & { readonly query?: Query; readonly body?: Body },
    serve: (
      caller: StoreCaller,
      asked: ReturnType<typeof askedOf<Query, Body>>,
      exchange: Exchange,
    ) => Promise<unknown>,
  ): HandledRoutes[number] => [
    operation,
    async (exchange) => {
      const { request, reply } = exchange;
      const caller = callerOf(door, exchange);
      const { uploads } = caller.footnote;
      if (!uploads) throw new FootnoteError('unsupported', 'This server keeps no files: its data is elsewhere.');
      const told = await serve({ ...caller, uploads }, askedOf(operation, request), exchange);
      if (operation.forgets) door.forgetStreams(request);
      if ((told as { status?: unknown }).status === 'in_progress') void reply.header('openai-poll-after-ms', '200');
      return told;
    },
  ];

export const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000);

export const missingOf = (what: 'file' | 'vector store' | 'batch', id: string, param: string | null = null) =>
  new FootnoteError('not-found', `There is no ${what} "${id.slice(0, 200)}", or this key may not use it.`, {
    details: { param, openai: `${what.replace(' ', '_')}_not_found` },
  });

export const toCounts = ({ pending: in_progress, done: completed, failed, cancelled }: FileCounts) => ({
  in_progress,
  completed,
  failed,
  cancelled,
  total: in_progress + completed + failed + cancelled,
});

export interface Store {
  readonly id: string;
  readonly source: string;
  readonly collection: Collection | undefined;
}

export const isAdmin = ({ scope }: StoreCaller): boolean => hasRole(scope.principal, 'admin');

export const toStore = ({ name }: Pick<Source, 'name'>, collections: readonly Collection[]): Store => ({
  id: storePrefix + name,
  source: name,
  collection: collections.find(({ source }) => source === name),
});

/** Throws `not-found`. */
export async function storeOf(caller: StoreCaller, id: string): Promise<Store> {
  const { footnote, uploads } = caller;
  const name = id.startsWith(storePrefix) ? id.slice(storePrefix.length) : '';
  const source = name === '' ? undefined : await footnote.sources.get(name).catch(asAbsent);
  const store = source && toStore(source, await uploads.collections());
  if (!store || !(isAdmin(caller) || (await isReadable(footnote, name)))) throw missingOf('vector store', id);
  return store;
}

/** A page as OpenAI's lists have it: by time, behind or before one of them. `keyOf` throws `not-found`. */
export async function pageOf<Row, Item extends { readonly id: string }>(
  { limit, order, after, before }: ListQuery,
  {
    keyOf,
    read,
    show,
  }: {
    readonly keyOf: (id: string) => Promise<ListKey>;
    readonly read: (slice: ListSlice) => Promise<readonly Row[]>;
    readonly show: (row: Row) => Promise<Item | undefined>;
  },
) {
  if (after && before) throw refusal('before', 'Give either after or before.', 'invalid_value');
  const at = after || before;
  const key = at ? await keyOf(at).catch(asAbsent) : undefined;
  if (at && !key) throw refusal(after ? 'after' : 'before', `"${at}" is not in this list.`, 'invalid_value');
  const descending = (order === 'desc') !== Boolean(before);
  const rows = await read({ limit: limit + 1, descending, after: key });
  const shown = rows.slice(0, limit);
  if (before) shown.reverse();
  const data = (await Promise.all(shown.map(show))).filter((item) => item !== undefined);
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
    has_more: rows.length > limit,
  };
}
