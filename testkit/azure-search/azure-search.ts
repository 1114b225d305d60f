// A stand-in of Azure AI Search: the REST calls of the official client, indexes that grow only, batches that answer for each row (207), and
// searches that show a write later than it was answered. It refuses what the documentation of the service forbids. Invariant: writes are
// applied in their order, each after so many further requests as a test says.
import { type FaultyServer, openFaultyServer, type ServedReply, type ServedRequest } from '../faulty-server.ts';
import { checkDefinition, faultOfRow, type IndexDefinition, RefusedRequest } from './index-definition.ts';
import { parseOData } from './odata.ts';
import {
  byVector,
  byWords,
  fused,
  parseFullQuery,
  type Row,
  rerankerScore,
  type Scored,
  type VectorQuery,
} from './ranking.ts';

export interface AzureSearchOptions {
  /** After how many further requests a write is seen by searches. */
  readonly lag?: () => number;
  /** The status that one row of a batch is refused with; undefined: it is taken. */
  readonly refuseRow?: (key: string) => number | undefined;
  /** In which order, and with what beside, it tells what became of the rows of a batch. */
  readonly rowsOf?: (results: readonly Row[]) => readonly Row[];
  /** Rows after which a page is cut, with a mark where the rest is. */
  readonly pageRows?: number;
  /** In the place of the score of each hit. */
  readonly score?: () => unknown;
  /** Whether the semantic ranker gives up. */
  readonly isRankerBusy?: () => boolean;
}

export interface AzureSearch {
  readonly address: string;
  readonly apiKey: string;
  readonly server: FaultyServer;
  readonly indexNames: () => readonly string[];
  readonly definition: (index: string) => IndexDefinition | undefined;
  /** What the index holds, seen or not. */
  readonly rows: (index: string) => readonly Row[];
  readonly dropIndex: (index: string) => void;
  /** The filters that came with searches, in order. */
  readonly filters: readonly string[];
  close(): Promise<void>;
}

interface Held {
  definition: IndexDefinition;
  etag: string;
  readonly written: Map<string, Row>;
  readonly shown: Map<string, Row>;
  waiting: { readonly dueAt: number; readonly key: string; readonly row: Row | undefined }[];
}

const apiKey = 'azure-key-of-the-test';
const apiVersion = '2026-04-01';

export async function openAzureSearch(options: AzureSearchOptions = {}): Promise<AzureSearch> {
  const { lag = () => 0, refuseRow = () => undefined, pageRows = 1000, isRankerBusy = () => false } = options;
  const { rowsOf = (results) => results } = options;
  const scoreOf = (score: number): unknown => {
    const other = options.score?.();
    return other === undefined ? score : other;
  };
  const indexes = new Map<string, Held>();
  const filters: string[] = [];
  let clock = 0;
  let edition = 0;

  function answer(request: ServedRequest): ServedReply {
    clock += 1;
    try {
      return route(request);
    } catch (thrown) {
      if (!(thrown instanceof RefusedRequest)) throw thrown;
      return { status: thrown.status, body: { error: { code: 'Refused', message: thrown.message } } };
    }
  }

  function route({ method, path, headers, body }: ServedRequest): ServedReply {
    const url = new URL(path, 'http://azure');
    if (headers['api-key'] !== apiKey) throw new RefusedRequest(403, 'the key');
    if (url.searchParams.get('api-version') !== apiVersion) throw new RefusedRequest(400, 'the version');
    const match = /^\/indexes\('([^']*)'\)(\/docs\/search\.index|\/docs\/search\.post\.search)?$/u.exec(
      decodeURIComponent(url.pathname),
    );
    if (!match) throw new RefusedRequest(404, 'no such path');
    const [, name = '', action] = match;
    const json = (body.length === 0 ? {} : JSON.parse(body.toString('utf8'))) as Record<string, unknown>;
    if (action === undefined && method === 'PUT')
      return put(name, json as unknown as IndexDefinition, headers['if-match']);
    const held = indexes.get(name);
    if (!held) throw new RefusedRequest(404, `no index ${name}`);
    if (action === undefined && method === 'GET')
      return { status: 200, body: { '@odata.etag': held.etag, ...held.definition } };
    if (action === undefined && method === 'DELETE') {
      indexes.delete(name);
      return { status: 204, body: '' };
    }
    if (method !== 'POST') throw new RefusedRequest(405, method);
    if (body.length > 16_777_216) throw new RefusedRequest(413, 'too large');
    for (const due of held.waiting.filter(({ dueAt }) => dueAt <= clock))
      if (due.row) held.shown.set(due.key, due.row);
      else held.shown.delete(due.key);
    held.waiting = held.waiting.filter(({ dueAt }) => dueAt > clock);
    return action === '/docs/search.index' ? write(held, json) : search(held, json);
  }

  function put(name: string, definition: IndexDefinition, ifMatch: string | undefined): ServedReply {
    const before = indexes.get(name);
    if (definition.name !== name) throw new RefusedRequest(400, 'the name');
    if (ifMatch !== undefined && ifMatch !== before?.etag) throw new RefusedRequest(412, 'changed meanwhile');
    checkDefinition(definition, before?.definition);
    edition += 1;
    const { '@odata.etag': _, ...kept } = definition as IndexDefinition & { '@odata.etag'?: string };
    const held = before ?? { definition: kept, etag: '', written: new Map(), shown: new Map(), waiting: [] };
    held.definition = kept;
    held.etag = `"${edition}"`;
    indexes.set(name, held);
    return { status: before ? 200 : 201, body: { '@odata.etag': held.etag, ...kept } };
  }

  function write(held: Held, { value }: Record<string, unknown>): ServedReply {
    const actions = value as Record<string, unknown>[];
    if (!Array.isArray(actions) || actions.length === 0 || actions.length > 1000)
      throw new RefusedRequest(400, 'from 1 to 1000 actions');
    const checked = actions.map((row) => ({ row, fault: faultOfRow(row, held.definition.fields) }));
    let last = held.waiting.at(-1)?.dueAt ?? 0;
    const results = checked.map(({ row, fault }) => {
      const key = row['key'];
      if (typeof key !== 'string' || !/^(?!_)[\w=-]{1,1024}$/u.test(key))
        throw new RefusedRequest(400, 'the key of a row');
      const kind = row['@search.action'];
      if (kind !== 'upload' && kind !== 'delete') throw new RefusedRequest(400, `the action ${String(kind)}`);
      const statusCode = fault === undefined ? (refuseRow(key) ?? 200) : 400;
      if (statusCode >= 400) return { key, status: false, errorMessage: 'SECRET-OF-THE-VENDOR', statusCode };
      const { '@search.action': _, ...content } = row;
      const next = kind === 'upload' ? content : undefined;
      if (next) held.written.set(key, next);
      else held.written.delete(key);
      last = Math.max(last, clock + lag());
      if (last <= clock && held.waiting.length === 0) {
        if (next) held.shown.set(key, next);
        else held.shown.delete(key);
      } else held.waiting.push({ dueAt: last, key, row: next });
      return { key, status: true, errorMessage: null, statusCode: 200 };
    });
    return { status: results.every(({ status }) => status) ? 200 : 207, body: { value: rowsOf(results) } };
  }

  function search(held: Held, asked: Record<string, unknown>): ServedReply {
    const { definition, shown } = held;
    const rows = [...shown.values()];
    const fieldOf = (name: string) => definition.fields.find((field) => field.name === name);
    const {
      top = 50,
      skip = 0,
      filter,
      select,
      orderby,
    } = asked as {
      top?: number;
      skip?: number;
      filter?: string;
      select?: string;
      orderby?: string;
    };
    if (top < 0 || top > 1000 || skip < 0 || skip > 100_000) throw new RefusedRequest(400, 'top or skip');
    if (filter !== undefined) filters.push(filter);
    const passes = filter === undefined ? () => true : parseOData(filter, definition);
    const found = ranked(held, rows, { asked, passes });
    const total = found.length;
    if (asked['semanticConfiguration'] !== undefined && orderby !== undefined) throw new RefusedRequest(400, 'orderby');
    inOrder(found as Scored[], orderby ?? 'search.score() desc', (name) => fieldOf(name)?.sortable === true);
    const answered = withRanker(found, definition, asked);
    const names =
      (select ?? '*') === '*'
        ? definition.fields.filter(({ retrievable }) => retrievable !== false).map(({ name }) => name)
        : String(select)
            .split(',')
            .map((name) => name.trim());
    for (const name of names)
      if (fieldOf(name) === undefined || fieldOf(name)?.retrievable === false)
        throw new RefusedRequest(400, `select ${name}`);
    const page = answered.slice(skip, skip + Math.min(top, pageRows));
    const isCut = top > pageRows && answered.length > skip + pageRows;
    return {
      status: 200,
      body: {
        ...(asked['count'] === true && { '@odata.count': total }),
        ...(Array.isArray(asked['facets']) && {
          '@search.facets': facetsOf(found, asked['facets'] as string[], definition),
        }),
        ...(isRankerBusy() &&
          asked['semanticConfiguration'] !== undefined && {
            '@search.semanticPartialResponseReason': 'CapacityOverloaded',
          }),
        ...(isCut && {
          '@search.nextPageParameters': { ...asked, skip: skip + pageRows, top: top - pageRows },
          '@odata.nextLink': 'there',
        }),
        value: page.map(({ row, score, reranked }) => ({
          '@search.score': scoreOf(score),
          ...(reranked !== undefined && { '@search.rerankerScore': reranked }),
          ...Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
        })),
      },
    };
  }

  function ranked(
    { definition }: Held,
    rows: readonly Row[],
    { asked, passes }: { readonly asked: Record<string, unknown>; readonly passes: (row: Row) => boolean },
  ): readonly Scored[] {
    const { search: text, searchFields, queryType, vectorQueries, vectorFilterMode } = asked;
    const rankings: (readonly Scored[])[] = [];
    const isAll = typeof text !== 'string' || text === '*' || text === '';
    // Left out, vectors rank alone; `*` finds every document by words, so that both are joined.
    if (text === '*' && vectorQueries !== undefined)
      rankings.push(rows.filter(passes).map((row) => ({ row, score: 1 })));
    if (!isAll) {
      if (queryType !== 'full') throw new RefusedRequest(400, 'only the full syntax is known here');
      const fields = typeof searchFields === 'string' ? searchFields.split(',') : [];
      for (const name of fields)
        if (!definition.fields.some((field) => field.name === name && field.searchable))
          throw new RefusedRequest(400, `searchFields ${name}`);
      rankings.push(byWords(rows, parseFullQuery(text), { fields, passes }));
    }
    for (const query of (vectorQueries ?? []) as VectorQuery[]) {
      if (vectorFilterMode !== 'preFilter') throw new RefusedRequest(400, 'vectorFilterMode');
      rankings.push(byVector(rows, query, { definition, passes }));
    }
    if (rankings.length === 0) return rows.filter(passes).map((row) => ({ row, score: 1 }));
    return rankings.length === 1 ? [...(rankings[0] ?? [])] : [...fused(rankings)];
  }

  function withRanker(found: readonly Scored[], { semantic }: IndexDefinition, asked: Record<string, unknown>) {
    const name = asked['semanticConfiguration'];
    if (name === undefined) return found.map((one) => ({ ...one, reranked: undefined }));
    if (!semantic?.configurations?.some((one) => one.name === name))
      throw new RefusedRequest(400, 'semanticConfiguration');
    if (isRankerBusy()) return found.map((one) => ({ ...one, reranked: undefined }));
    const read = found
      .slice(0, 50)
      .map((one) => ({ ...one, reranked: rerankerScore(one.row, String(asked['semanticQuery'])) }))
      .sort((left, right) => right.reranked - left.reranked);
    return [...read, ...found.slice(50).map((one) => ({ ...one, reranked: undefined }))];
  }

  const server = await openFaultyServer(answer);
  return {
    address: server.address,
    apiKey,
    server,
    indexNames: () => [...indexes.keys()],
    definition: (index) => indexes.get(index)?.definition,
    rows: (index) => [...(indexes.get(index)?.written.values() ?? [])],
    dropIndex: (index) => void indexes.delete(index),
    filters,
    close: () => server.close(),
  };
}

function facetsOf(found: readonly Scored[], wanted: readonly string[], { fields }: IndexDefinition) {
  return Object.fromEntries(
    wanted.map((facet) => {
      const [name = ''] = facet.split(',');
      if (!fields.some((field) => field.name === name && field.facetable))
        throw new RefusedRequest(400, `facet ${name}`);
      const counts = new Map<unknown, number>();
      for (const { row } of found) {
        const value = row[name];
        if (value !== undefined && value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      return [name, [...counts].map(([value, count]) => ({ value, count }))];
    }),
  );
}

/** Where scores are equal the service gives any order: here the last written come first. */
function inOrder(found: Scored[], orderby: string, isSortable: (field: string) => boolean): void {
  const orders = orderby.split(',').map((one) => {
    const [what = '', direction = 'asc'] = one.trim().split(/\s+/u);
    if (what !== 'search.score()' && !isSortable(what)) throw new RefusedRequest(400, `orderby ${what}`);
    return { what, sign: direction === 'desc' ? -1 : 1 };
  });
  found.reverse();
  found.sort((left, right) => {
    for (const { what, sign } of orders) {
      const [a, b] = [left, right].map(({ row, score }) => (what === 'search.score()' ? score : String(row[what])));
      if (a !== undefined && b !== undefined && a !== b) return a < b ? -sign : sign;
    }
    return 0;
  });
}
