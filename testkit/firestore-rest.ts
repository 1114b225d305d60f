// A stand-in of Firestore as the official client asks it over REST: writes in batches that happen whole or not at all, queries by fields and
// arrays, nearest neighbours over stored vectors, and counts. It refuses what the service refuses: batches above 500, lists above 30, two
// conditions on arrays. What is written is seen at once, as the service promises.
import { type FaultyServer, openFaultyServer, type ServedReply, type ServedRequest } from './faulty-server.ts';

export interface FirestoreOptions {
  /** How it does without nearest neighbours: says that an index is missing, or gives documents as if nothing had been asked. */
  readonly neighbours?: 'served' | 'no-index' | 'ignored';
  /** Of one commit; the service takes 10 MiB. */
  readonly mostBytes?: number;
}

type Value = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Value>>;

export interface FirestoreRest {
  readonly host: string;
  readonly server: FaultyServer;
  /** Fields of each document of a collection, plain, by its id. */
  readonly documents: (collection: string) => ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly collections: () => readonly string[];
  /** What becomes of the list that a query is answered with. */
  answered: (elements: readonly unknown[]) => readonly unknown[];
  close(): Promise<void>;
}

const tooBig = 'Transaction too big. Decrease transaction size.';

class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message = 'SECRET-OF-THE-VENDOR') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const root = 'projects/demo/databases/(default)/documents';
const readTime = '2026-01-01T00:00:00Z';
const operators = new Map<unknown, string>([
  [5, '=='],
  [7, 'contains'],
  [8, 'in'],
  [9, 'contains-any'],
]);

interface Condition {
  readonly fieldFilter?: { readonly field: { readonly fieldPath: string }; readonly op: number; readonly value: Value };
  readonly compositeFilter?: { readonly op: number; readonly filters: readonly Condition[] };
}

interface Asked {
  readonly from: readonly { readonly collectionId: string }[];
  readonly where?: Condition;
  readonly select?: { readonly fields: readonly { readonly fieldPath: string }[] };
  readonly limit?: number | { readonly value: number };
  readonly startAt?: { readonly values: readonly Value[] };
  readonly findNearest?: {
    readonly vectorField: { readonly fieldPath: string };
    readonly queryVector: Value;
    readonly limit: number | { readonly value: number };
    readonly distanceResultField?: string;
  };
}

function plainOf(value: Value): unknown {
  const [kind, held] = Object.entries(value).find(([name]) => name !== 'valueType') ?? [];
  if (kind === 'arrayValue') return ((held as { values?: Value[] }).values ?? []).map(plainOf);
  if (kind === 'mapValue') {
    const fields = (held as { fields?: Fields }).fields ?? {};
    const plain = Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, plainOf(one)]));
    return plain['__type__'] === '__vector__' ? plain['value'] : plain;
  }
  return kind === 'nullValue' ? null : kind === 'integerValue' ? Number(held) : held;
}

const numberOf = (value: number | { readonly value: number } | undefined): number | undefined =>
  typeof value === 'object' ? value.value : value;

export async function openFirestoreRest({
  neighbours = 'served',
  mostBytes = 10_485_760,
}: FirestoreOptions = {}): Promise<FirestoreRest> {
  const collections = new Map<string, Map<string, Fields>>();
  const held = (name: string): Map<string, Fields> => {
    const present = collections.get(name) ?? new Map<string, Fields>();
    collections.set(name, present);
    return present;
  };

  function answer({ path, headers, body }: ServedRequest): ServedReply {
    try {
      if (headers.authorization !== 'Bearer owner') throw new Refused(401, 'UNAUTHENTICATED');
      const json = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
      const call = /^\/v1\/projects\/demo\/databases\/%28default%29\/documents:(\w+)\?/u.exec(path)?.[1];
      if (call === 'commit' && body.length > mostBytes) throw new Refused(400, 'INVALID_ARGUMENT', tooBig);
      if (call === 'commit')
        return commit(json['writes'] as { update?: { name: string; fields: Fields }; delete?: string }[]);
      if (call === 'runQuery') return { status: 200, body: place.answered(run(json['structuredQuery'] as Asked)) };
      if (call === 'runAggregationQuery') {
        const { structuredQuery, aggregations } = json['structuredAggregationQuery'] as {
          structuredQuery: Asked;
          aggregations: { alias: string }[];
        };
        const integerValue = String(selected(structuredQuery).length);
        const alias = aggregations[0]?.alias ?? '';
        return { status: 200, body: [{ result: { aggregateFields: { [alias]: { integerValue } } }, readTime }] };
      }
      throw new Refused(404, 'NOT_FOUND');
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      const { status, code } = thrown;
      return { status, body: { error: { code: status, status: code, message: thrown.message } } };
    }
  }

  function commit(writes: readonly { update?: { name: string; fields: Fields }; delete?: string }[]): ServedReply {
    if (writes.length > 500) throw new Refused(400, 'INVALID_ARGUMENT');
    for (const { update, delete: gone } of writes) {
      const name = update?.name ?? gone ?? '';
      const [, collection = '', id = ''] = /\/documents\/([^/]+)\/([^/]+)$/u.exec(name) ?? [];
      if (!name.startsWith(root) || id === '' || Buffer.byteLength(id) > 1500)
        throw new Refused(400, 'INVALID_ARGUMENT');
      if (update) held(collection).set(id, update.fields);
      else held(collection).delete(id);
    }
    return { status: 200, body: { writeResults: writes.map(() => ({ updateTime: readTime })), commitTime: readTime } };
  }

  function passes(fields: Fields, { fieldFilter, compositeFilter }: Condition): boolean {
    if (compositeFilter) {
      const results = compositeFilter.filters.map((one) => passes(fields, one));
      return compositeFilter.op === 2 ? results.some(Boolean) : results.every(Boolean);
    }
    if (!fieldFilter) throw new Refused(400, 'INVALID_ARGUMENT');
    const operator = operators.get(fieldFilter.op);
    const own = fields[fieldFilter.field.fieldPath];
    const given = plainOf(fieldFilter.value);
    const value = own && plainOf(own);
    if (Array.isArray(given) && given.length > 30) throw new Refused(400, 'INVALID_ARGUMENT');
    if (operator === '==') return value === given;
    if (operator === 'in') return (given as unknown[]).includes(value);
    if (operator === 'contains') return Array.isArray(value) && value.includes(given);
    if (operator === 'contains-any')
      return Array.isArray(value) && value.some((one) => (given as unknown[]).includes(one));
    throw new Refused(400, 'INVALID_ARGUMENT');
  }

  function selected({ from, where }: Asked): [string, Fields][] {
    return [...held(from[0]?.collectionId ?? '')]
      .filter(([, fields]) => where === undefined || passes(fields, where))
      .sort(([left], [right]) => (left < right ? -1 : 1));
  }

  function run(asked: Asked): unknown[] {
    const { findNearest, limit, startAt, from, select } = asked;
    let found = selected(asked);
    if (findNearest && neighbours === 'no-index') throw new Refused(400, 'FAILED_PRECONDITION');
    if (findNearest && neighbours === 'served') {
      const most = numberOf(findNearest.limit) ?? 0;
      if (most < 1 || most > 1000) throw new Refused(400, 'INVALID_ARGUMENT');
      const query = plainOf(findNearest.queryVector) as number[];
      const near = found.flatMap(([id, fields]) => {
        const own = fields[findNearest.vectorField.fieldPath];
        const vector = own ? (plainOf(own) as number[]) : undefined;
        if (vector?.length !== query.length) return [];
        const product = vector.reduce((sum, one, at) => sum + one * (query[at] ?? 0), 0);
        const length = (of: readonly number[]): number => Math.sqrt(of.reduce((sum, one) => sum + one * one, 0));
        return [{ id, fields, distance: 1 - product / (length(vector) * length(query) || 1) }];
      });
      near.sort((left, right) => left.distance - right.distance);
      found = near
        .slice(0, most)
        .map(({ id, fields, distance }) => [
          id,
          { ...fields, [findNearest.distanceResultField ?? '']: { doubleValue: distance } },
        ]);
    }
    const after = startAt?.values[0]?.['referenceValue'] as string | undefined;
    if (after !== undefined) found = found.filter(([id]) => id > (after.split('/').at(-1) ?? ''));
    const named = select && new Set(select.fields.map(({ fieldPath }) => fieldPath));
    const shown = (fields: Fields): Fields =>
      named ? Object.fromEntries(Object.entries(fields).filter(([name]) => named.has(name))) : fields;
    const documents = found.slice(0, numberOf(limit) ?? found.length).map(([id, fields]) => ({
      readTime,
      document: {
        name: `${root}/${from[0]?.collectionId}/${id}`,
        fields: shown(fields),
        createTime: readTime,
        updateTime: readTime,
      },
    }));
    return documents.length === 0 ? [{ readTime }] : documents;
  }

  const server = await openFaultyServer(answer);
  const place: FirestoreRest = {
    host: server.address.replace('http://', ''),
    server,
    answered: (elements) => elements,
    documents: (collection) =>
      new Map(
        [...held(collection)].map(([id, fields]) => [
          id,
          Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainOf(value)])),
        ]),
      ),
    collections: () => [...collections.keys()],
    close: () => server.close(),
  };
  return place;
}
