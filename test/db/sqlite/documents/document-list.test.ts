// Lists by filter: what they leave, in order and page by page, whatever the filter costs; others have their turn meanwhile, and a deadline ends them.
import { beforeEach, describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../../../../src/core/document.ts';
import type { Filter } from '../../../../src/core/search.ts';
import { turnsWhile } from '../../../../testkit/event-loop-turns.ts';
import { matchesFilter } from '../../../../testkit/matches-filter.ts';
import { putAll } from '../../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../../testkit/record-fixture.ts';

const place = recordForEachTest();
const count = 1200;
let written: DocumentRecord[];

beforeEach(async () => {
  const writes = Array.from({ length: count }, (_, at) =>
    createWrite(`otter ${at}`, {
      id: `d${at}`,
      source: at % 3 === 0 ? 'thirds' : 'others',
      uri: `${at % 7 === 0 ? 'seven' : 'other'}/${'deep/'.repeat(at % 5)}d${at}.md`,
      updatedAt: new Date(Date.UTC(2026, 0, 1, 0, (at * 7) % 100)).toISOString(),
      metadata: { at, parity: at % 2 === 0 ? 'even' : 'odd' },
      ...(at % 4 === 0 && { access: ['ada'] }),
    }),
  );
  written = writes.map(({ document }) => document);
  await place.tenant.commit(putAll(writes));
});

/** As heavy as filters get, and left by what `filter` leaves. */
const weighed = (filter: Filter): Filter => ({
  op: 'and',
  filters: [
    ...Array.from({ length: 60 }, (): Filter => ({ op: 'ne', field: 'metadata.parity', value: 'none' })),
    ...Array.from({ length: 30 }, (): Filter => ({ op: 'glob', field: 'path', value: '**/*d*.md' })),
    filter,
  ],
});

const filters: readonly Filter[] = [
  { op: 'glob', field: 'path', value: 'seven/**/d*.md' },
  { op: 'eq', field: 'source', value: 'thirds' },
  {
    op: 'and',
    filters: [
      { op: 'eq', field: 'source', value: 'others' },
      { op: 'eq', field: 'metadata.parity', value: 'odd' },
    ],
  },
  { op: 'eq', field: 'metadata.at', value: 700 },
  { op: 'eq', field: 'source', value: 'none' },
];

async function listed(filter: Filter, limit: number, scope = scopeOf(), sort?: 'newest'): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await place.record
      .forScope(scope)
      .documents.list({ filter, limit, ...(sort && { sort }), ...(cursor !== undefined && { cursor }) });
    found.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

describe('a list by filter', () => {
  it.each(filters)('is whole and in order: %j', async (filter) => {
    const key = ({ source, uri }: DocumentRecord): string => `${source}\0${uri}`;
    const ordered = written.filter((one) => matchesFilter(one, filter)).sort((a, b) => (key(a) < key(b) ? -1 : 1));
    const ids = ordered.map(({ id }) => id);
    for (const limit of [17, 1000]) expect(await listed(filter, limit)).toEqual(ids);
    expect(await listed(weighed(filter), 1000)).toEqual(ids);
    const ofBen = ordered.filter(({ access }) => access === undefined).map(({ id }) => id);
    const ben = scopeOf('default', 'ben', 'reader');
    expect(await listed(filter, 100, ben)).toEqual(ofBen);
    const time = ({ updatedAt, id }: DocumentRecord): string => `${updatedAt}\0${id}`;
    const newest = ordered.toSorted((a, b) => (time(a) > time(b) ? -1 : 1));
    expect(await listed(filter, 17, scopeOf(), 'newest')).toEqual(newest.map(({ id }) => id));
    const toBen = newest.filter(({ access }) => access === undefined).map(({ id }) => id);
    expect(await listed(filter, 1000, ben, 'newest')).toEqual(toBen);
  });

  it('lets others have their turn, however heavy the filter is', async () => {
    const { value, turns } = await turnsWhile(() => listed(weighed({ op: 'eq', field: 'metadata.at', value: -1 }), 50));
    expect(value).toEqual([]);
    // A microsecond for each of 100,000 comparisons, 4 ms a turn; none where it is looked through in one go.
    expect(turns).toBeGreaterThan(5);
  });

  it('ends when its time is up', async () => {
    const controller = new AbortController();
    const filter = weighed({ op: 'eq', field: 'metadata.at', value: -1 });
    const asked = place.tenant.documents.list({ filter, signal: controller.signal });
    setImmediate(() => controller.abort(new Error('time is up')));
    await expect(asked).rejects.toThrow('time is up');
  });
});
