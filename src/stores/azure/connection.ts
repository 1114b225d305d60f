// The official client of Azure AI Search, loaded with the first call, with its traffic through src/net. Invariants: every call ends by its
// signal or its own time, is tried once (whoever delivers tries again), and throws FootnoteError alone.

import type { SearchClient, SearchClientOptions, SearchIndex, SearchOptions } from '@azure/search-documents';
import { FootnoteError } from '../../core/errors.ts';
import { joinedAbort } from '../../core/signals/joined-abort.ts';
import { abortError, untilAborted } from '../../core/waiting/until-aborted.ts';
import { type Egress, openEgress } from '../../net/egress.ts';
import { writeShare } from '../in-halves.ts';
import { identityCredential, signInAddresses } from './entra.ts';
import { failed, noRoomForIndex, ofStatus, toAzureError, unreadable } from './errors.ts';

export interface AzureAccess {
  /** `https://<service>.search.windows.net` */
  readonly endpoint: string;
  /** Absent: Entra ID. */
  readonly apiKey?: string;
  /** Longest time of one call. */
  readonly callTimeoutMs: number;
}

/** A chunk as the service keeps it, by field. */
export type AzureRow = Readonly<Record<string, unknown>>;

export interface IndexedItem {
  readonly key: string;
  readonly error?: FootnoteError;
}

/** A search as it is asked here; words are searched in the field of terms. */
export interface AzureQuery {
  /** Lucene's full syntax; `*`: everything. Absent where a vector alone is asked: a service may rank `*` as words, too. */
  readonly text?: string;
  readonly filter: string;
  readonly select?: readonly string[];
  readonly orderBy?: readonly string[];
  readonly facets?: readonly string[];
  readonly top: number;
  readonly skip?: number;
  readonly count?: boolean;
  readonly near?: { readonly field: string; readonly vector: Float32Array; readonly neighbours: number };
  readonly ranker?: { readonly configuration: string; readonly query: string };
}

export interface FoundRow {
  readonly score: number;
  readonly rerankerScore?: number;
  readonly row: AzureRow;
}

export interface FoundPage {
  readonly rows: readonly FoundRow[];
  readonly count?: number;
  readonly facets: Readonly<Record<string, readonly { readonly value?: unknown; readonly count?: number }[]>>;
  /** Why the semantic ranker gave no order, or not to all. */
  readonly semanticReason?: string;
}

export interface AzureIndex {
  /** Undefined where there is none. */
  read(signal?: AbortSignal): Promise<SearchIndex | undefined>;
  /** False: somebody else changed it meanwhile. */
  write(definition: SearchIndex, signal?: AbortSignal): Promise<boolean>;
  upload(rows: readonly AzureRow[], signal?: AbortSignal): Promise<readonly IndexedItem[]>;
  remove(keys: readonly string[], signal?: AbortSignal): Promise<readonly IndexedItem[]>;
  search(query: AzureQuery, signal?: AbortSignal): Promise<FoundPage>;
  /** The index with all that is in it; one that is not there is no error. */
  drop(signal?: AbortSignal): Promise<void>;
}

export interface AzureConnection {
  index(name: string): AzureIndex;
  close(): void;
}

type HttpClient = NonNullable<SearchClientOptions['httpClient']>;
type HttpHeaders = Awaited<ReturnType<HttpClient['sendRequest']>>['headers'];

/** Where tokens of Entra ID go: whoever else was sent one could use it there. */
const ownHosts = /^[a-z\d][a-z\d-]*\.search\.(?:windows\.net|azure\.us|azure\.cn)$/u;

/** Throws `config-invalid` where neither a key nor Entra ID can be used. */
export function openConnection({ endpoint, apiKey, callTimeoutMs }: AzureAccess): AzureConnection {
  const { protocol, hostname } = new URL(endpoint);
  if (apiKey === undefined && !(protocol === 'https:' && ownHosts.test(hostname)))
    throw new FootnoteError(
      'config-invalid',
      `AZURE_SEARCH_ENDPOINT (${hostname}) is no address of Azure AI Search, so no token of Entra ID is sent there. Correct it, or set AZURE_SEARCH_API_KEY.`,
    );
  const egress = openEgress({ addresses: [endpoint] });
  const signIn = openEgress({ addresses: signInAddresses });
  const options: SearchClientOptions = {
    httpClient: through(egress),
    retryOptions: { maxRetries: 0 },
    allowInsecureConnection: endpoint.startsWith('http:'),
  };
  const loaded = lazily(async () => {
    const client = await import('@azure/search-documents');
    const credential =
      apiKey === undefined ? await identityCredential(through(signIn)) : new client.AzureKeyCredential(apiKey);
    return { client, credential };
  });

  /** One call: its time, its signal, its errors. */
  async function call<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
    timeoutMs = callTimeoutMs,
  ): Promise<T> {
    if (signal?.aborted) throw abortError(signal);
    const late = AbortSignal.timeout(timeoutMs);
    const ends = joinedAbort(signal ? [signal, late] : [late]);
    try {
      return await untilAborted(work(ends.signal), ends.signal);
    } catch (thrown) {
      if (signal?.aborted) throw abortError(signal);
      if (late.aborted) throw failed('upstream-unavailable', `did not answer within ${timeoutMs} ms.`);
      throw toAzureError(thrown);
    } finally {
      ends.release();
    }
  }

  function index(name: string): AzureIndex {
    const searching = lazily(async () => {
      const { client, credential } = await loaded();
      return { client, search: new client.SearchClient<AzureRow>(endpoint, name, credential, options) };
    });
    const managing = lazily(async () => {
      const { client, credential } = await loaded();
      return new client.SearchIndexClient(endpoint, credential, options);
    });
    const change = (
      actions: readonly (AzureRow & { readonly __actionType: 'upload' | 'delete' })[],
      signal: AbortSignal | undefined,
    ): Promise<readonly IndexedItem[]> =>
      call(
        async (abortSignal) => {
          const { client, search } = await searching();
          const batch = new client.IndexDocumentsBatch<AzureRow>([...actions]);
          const keys = actions.map((action) => String(action['key']));
          return itemsOf(await search.indexDocuments(batch, { abortSignal }), keys);
        },
        signal,
        callTimeoutMs * writeShare,
      );

    return {
      read: (signal) =>
        call(async (abortSignal) => {
          const found = await (await managing()).getIndex(name, { abortSignal }).catch(missing);
          if (found !== undefined && !Array.isArray(found.fields)) throw unreadable('an index without fields');
          return found;
        }, signal),
      write: (definition, signal) =>
        call(async (abortSignal) => {
          try {
            await (await managing()).createOrUpdateIndex(definition, { onlyIfUnchanged: true, abortSignal });
            return true;
          } catch (thrown) {
            const { statusCode } = thrown as { statusCode?: number };
            if (statusCode === 409 || statusCode === 412) return false;
            if (statusCode === 429 && toAzureError(thrown).details['retryAfterMs'] === undefined)
              throw noRoomForIndex();
            throw thrown;
          }
        }, signal),
      upload: (rows, signal) =>
        change(
          rows.map((row) => ({ ...row, __actionType: 'upload' })),
          signal,
        ),
      remove: (keys, signal) =>
        change(
          keys.map((key) => ({ key, __actionType: 'delete' })),
          signal,
        ),
      search: (query, signal) =>
        call(async (abortSignal) => pageOf((await searching()).search, query, abortSignal), signal),
      drop: (signal) =>
        call(async (abortSignal) => {
          await (await managing()).deleteIndex(name, { abortSignal }).catch(missing);
        }, signal),
    };
  }

  return {
    index,
    close() {
      egress.close();
      signIn.close();
    },
  };
}

/** Not kept where it failed. */
function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((thrown: unknown) => {
      loading = undefined;
      throw thrown;
    });
    return loading;
  };
}

function missing(thrown: unknown): undefined {
  if ((thrown as { statusCode?: number }).statusCode === 404) return undefined;
  throw thrown;
}

/** What became of each key; one that the service does not speak of counts as failed. */
function itemsOf(reply: unknown, keys: readonly string[]): readonly IndexedItem[] {
  const { results } = (reply ?? {}) as { results?: unknown };
  if (!Array.isArray(results)) throw unreadable('no results of a batch');
  const byKey = new Map(
    (results as { key?: unknown; succeeded?: unknown; statusCode?: unknown }[]).map((one) => [one?.key, one]),
  );
  return keys.map((key) => {
    const told = byKey.get(key);
    if (told?.succeeded === true) return { key };
    const status = typeof told?.statusCode === 'number' && told.statusCode >= 400 ? told.statusCode : undefined;
    return { key, error: status === undefined ? unreadable('a batch without this document') : ofStatus(status) };
  });
}

function optionsOf({ text, filter, near, ranker, count = false, ...rest }: AzureQuery): SearchOptions<AzureRow> {
  const { select, orderBy, facets, top, skip } = rest;
  return {
    filter,
    top,
    includeTotalCount: count,
    ...(skip && { skip }),
    ...(select && { select: [...select] }),
    ...(orderBy && { orderBy: [...orderBy] }),
    ...(facets && { facets: [...facets] }),
    ...(text !== undefined && text !== '*' && { queryType: 'full', searchMode: 'any', searchFields: ['terms'] }),
    ...(near && {
      vectorSearchOptions: {
        filterMode: 'preFilter',
        queries: [
          {
            kind: 'vector',
            vector: Array.from(near.vector),
            fields: [near.field],
            kNearestNeighborsCount: near.neighbours,
          },
        ],
      },
    }),
    ...(ranker && {
      semanticSearchOptions: {
        configurationName: ranker.configuration,
        semanticQuery: ranker.query,
        errorMode: 'partial',
      },
    }),
  } as SearchOptions<AzureRow>;
}

/** What the semantic ranker gives at most. */
export const mostRanked = 4;

async function pageOf(client: SearchClient<AzureRow>, query: AzureQuery, abortSignal: AbortSignal): Promise<FoundPage> {
  const found = await client.search(query.text, { ...optionsOf(query), abortSignal });
  const rows: FoundRow[] = [];
  // The service may cut a page and say where the rest is: the client goes on by itself.
  if (query.top > 0)
    for await (const { score, rerankerScore, document } of found.results) {
      if (typeof score !== 'number' || !(score >= 0 && score < Number.POSITIVE_INFINITY))
        throw unreadable('a hit without a score');
      const isRanked = typeof rerankerScore === 'number';
      if (isRanked && !(rerankerScore >= 0 && rerankerScore <= mostRanked)) throw unreadable('an impossible rank');
      rows.push({ score, ...(isRanked && { rerankerScore }), row: document });
      if (rows.length >= query.top) break;
    }
  const { count, facets, semanticErrorReason } = found;
  if (query.count && typeof count !== 'number') throw unreadable('no count');
  return {
    rows,
    ...(typeof count === 'number' && { count }),
    facets: (facets ?? {}) as FoundPage['facets'],
    ...(semanticErrorReason !== undefined && { semanticReason: String(semanticErrorReason) }),
  };
}

/** Requests of the vendor's clients as ours. */
export function through(egress: Egress): HttpClient {
  return {
    async sendRequest(request) {
      const headers: [string, string][] = [...request.headers];
      const { body, abortSignal } = request;
      if (body !== undefined && body !== null && typeof body !== 'string')
        throw new FootnoteError('internal', 'The client sends something that is no text.');
      const reply = await egress.fetch(request.url, {
        method: request.method,
        headers,
        ...(typeof body === 'string' && { body }),
        ...(abortSignal && { signal: abortSignal as AbortSignal }),
      });
      const text = await reply.text();
      // What stands between may refuse in its own words, which the client would take for an answer that it cannot read.
      const bodyAsText = reply.status >= 400 && !isJson(text) ? '{}' : text;
      return { request, status: reply.status, headers: headersOf(reply.headers), bodyAsText };
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function headersOf(headers: Headers): HttpHeaders {
  return {
    get: (name) => headers.get(name) ?? undefined,
    has: (name) => headers.has(name),
    set: (name, value) => headers.set(name, String(value)),
    delete: (name) => headers.delete(name),
    toJSON: () => Object.fromEntries(headers),
    [Symbol.iterator]: () => headers.entries(),
  };
}
