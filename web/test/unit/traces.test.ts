// Traces of the product, as a page reads them: every call at its time, every passage with its fate, and why an answer was slow or wrong.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SavedTrace, TraceEvent } from '../../src/shared/contract.ts';
import { unreadOf } from '../../src/shared/unread.ts';
import { caseCommandOf, momentOf } from '../../src/traces/facts.ts';
import { needs, queryOf, readFilters, writeFilters } from '../../src/traces/filters.ts';
import { differenceOf, findingsOf, questionOf, saidOf } from '../../src/traces/findings.ts';
import { passagesOf } from '../../src/traces/passages.ts';
import { ownWork, shareAt, spentOf, stagesOf } from '../../src/traces/rows.ts';

const golden = join(import.meta.dirname, '../../../test/replay/fixtures/golden');
const releases = readdirSync(golden, { withFileTypes: true }).filter((one) => one.isDirectory());
const release = join(golden, releases[0]?.name ?? '');
const all = readdirSync(release).flatMap((name) => {
  const { traces } = JSON.parse(readFileSync(join(release, name), 'utf8')) as { traces: SavedTrace[] };
  return traces.map((saved) => [`${name} ${saved.trace.id}`, saved] as const);
});

describe('a trace', () => {
  it.each(all)('%s is a tree of all its calls on one line of time', (_, saved) => {
    const stages = stagesOf(saved);
    const calls = saved.events.filter(({ event }) => event.type === 'call').length;
    expect(stages.flatMap(({ rows }) => rows).filter(({ call }) => call)).toHaveLength(calls);
    for (const { rows, fromMs, toMs, ownMs } of stages) {
      for (const { call, ...row } of rows)
        if (call) expect(row.fromMs >= fromMs - 0.001 && row.fromMs <= toMs + 0.001, row.label).toBe(true);
      expect(ownMs).toBeLessThanOrEqual(toMs - fromMs + 0.001);
      for (const row of rows) expect(row.toMs).toBeGreaterThanOrEqual(row.fromMs);
    }
    expect(new Set(stages.flatMap(({ rows }) => rows.map(({ key }) => key))).size).toBe(
      stages.flatMap(({ rows }) => rows).length,
    );
    expect(questionOf(saved)).not.toBe('');
    const own = spentOf(stages).find(({ label }) => label === ownWork);
    expect(own?.ms).toBeLessThanOrEqual(saved.trace.totalMs + 0.001);
  });

  it.each(all)('%s tells of every degradation, dropped claim and failure', (_, saved) => {
    const told = findingsOf(saved).map(({ why }) => why);
    for (const { event } of saved.events) {
      if (event.type === 'degraded') expect(told.join()).toContain(event.degradation.detail);
      if (event.type === 'verdict' && !event.kept) expect(told.join()).toContain(event.claim);
      if (event.type === 'call' && event.call.error) expect(told.join()).toContain(event.call.error.message);
    }
    if (saidOf(saved)?.abstained) expect(findingsOf(saved)[0]?.what).toBe('No answer was given');
  });

  it.each(all)('%s knows what became of each passage', (_, saved) => {
    const passages = passagesOf(saved);
    const answer = saved.events.map(({ event }) => event).find((event) => event.type === 'done')?.answer;
    const cited = (answer?.sources ?? []).filter((one) => one.cited).map(({ chunkId }) => chunkId);
    expect(passages.filter(({ fate }) => fate === 'cited').map(({ chunkId }) => chunkId)).toEqual(cited);
    for (const { event } of saved.events)
      if (event.type === 'left-out')
        for (const { reason, chunkIds } of event.passages)
          for (const chunkId of chunkIds)
            expect(passages.find((one) => one.chunkId === chunkId)?.reasons).toContain(
              reason.startsWith('budget:') ? 'what stood before it took the room for passages' : reason,
            );
  });

  it('tells where a passage stands and how it begins, as its page calls itself where that was read', () => {
    const document = { id: 'd', title: 'Lamps', uri: 'lamps.pdf' };
    const chunk = {
      documentId: 'd',
      start: 0,
      end: 60,
      text: 'The wick\n\nIt is cut  every\nmorning.',
      headingPath: ['Lamps', 'Care', 'The wick'],
    };
    const rows = [
      { chunk: { ...chunk, id: 'a', pages: [4, 4] }, document },
      { chunk: { ...chunk, id: 'b', pages: [4, 5] }, document },
      { chunk: { ...chunk, id: 'c', lines: [3, 9], headingPath: ['Lamps'], place: 'Lamps' }, document },
      { chunk: { ...chunk, id: 'e', headingPath: [], place: 'slide 3', text: ` ${'oil '.repeat(100)}` }, document },
    ];
    const span = { chunkId: 'a', quote: 'It is cut', page: 4, place: 'page ii' };
    const call = (method: string, response: unknown): TraceEvent => ({
      type: 'call',
      call: { port: 'record', method, request: [], latencyMs: 1, response: response as never },
    });
    const found = [...rows.map((row) => row.chunk.id), 'f'].map((chunkId) => ({ chunkId, documentId: 'd', score: 1 }));
    const events = [
      call('chunksById', rows),
      call('readSpan', span),
      { type: 'searched', results: found } as never,
    ].map((event: TraceEvent, seq) => ({ seq, atMs: seq, event }));
    const trace = { id: 't', kind: 'search', startedAt: '2026-11-01T00:00:00Z', totalMs: 9, eventCount: 3 } as const;
    const [a, b, c, e, f] = passagesOf({ trace, events });
    expect(a).toMatchObject({
      headings: ['Care', 'The wick'],
      place: 'page ii (page 4 of the file)',
      words: 'It is cut every morning.',
    });
    expect(b).toMatchObject({ place: 'pages 4–5' });
    expect(c).toMatchObject({ place: 'lines 3–9', words: 'The wick It is cut every morning.' });
    expect(c).not.toHaveProperty('headings');
    expect(e).toMatchObject({ place: 'slide 3', words: `${'oil '.repeat(40)}…` });
    expect(f).toEqual({ chunkId: 'f', documentId: 'd', title: 'Lamps', fate: 'read', score: 1, reasons: [] });
  });

  it('counts a call that runs through several stages as no own work of any of them', () => {
    const at = (seq: number, atMs: number, event: TraceEvent) => ({ seq, atMs, event });
    const call = (method: string, latencyMs: number): TraceEvent => ({
      type: 'call',
      call: { port: 'model', method, request: [], latencyMs },
    });
    // A call is recorded where it ends: the model begins to write at 100, and its first claim is checked long before it is done.
    const events = [
      at(1, 0, { type: 'status', stage: 'searching' }),
      at(2, 90, call('embed', 80)),
      at(3, 95, { type: 'status', stage: 'answering' }),
      at(4, 600, { type: 'status', stage: 'verifying' }),
      at(5, 900, call('answer', 800)),
    ];
    const trace = { id: 't', kind: 'ask', startedAt: '2026-11-01T00:00:00Z', totalMs: 1000, eventCount: 5 } as const;
    const stages = stagesOf({ trace, events });
    const spent = spentOf(stages);
    expect(spent.map(({ label, ms }) => [label, ms])).toEqual([
      ['model.answer', 800],
      [ownWork, 120],
      ['model.embed', 80],
    ]);
    expect(spent.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(1000);
    expect(stages.map(({ label, ownMs }) => [label, ownMs])).toEqual([
      ['Search', 15],
      ['Write', 5],
      ['Check claims', 100],
    ]);
    expect(stages.map(({ rows }) => rows.flatMap(({ call: one }) => one?.method ?? []))).toEqual([
      ['embed'],
      ['answer'],
      [],
    ]);
  });

  it('is drawn on either scale from its start to its end, in order', () => {
    for (const scale of ['linear', 'log'] as const) {
      const places = [0, 1, 5, 50, 500].map((ms) => shareAt(ms, 500, scale));
      expect(places[0]).toBe(0);
      expect(places.at(-1)).toBe(1);
      expect(places.toSorted((one, other) => one - other)).toEqual(places);
    }
    expect(shareAt(5, 500, 'log')).toBeGreaterThan(10 * shareAt(5, 500, 'linear'));
    expect(shareAt(1, 0, 'linear')).toBe(0);
  });
});

describe('lists', () => {
  it('are asked for by what the address holds, and by nothing else', () => {
    const filters = readFilters('kind=ask&minMs=12.5&from=2026-11-01&to=2026-11-02&pinned=maybe&minCostUsd=x&other=1');
    expect(filters).toEqual({ kind: 'ask', minMs: '12.5', from: '2026-11-01', to: '2026-11-02' });
    expect(readFilters(writeFilters(filters))).toEqual(filters);
    expect(readFilters('from=2026-02-31&to=2026-13-01')).toEqual({});
    expect(Object.fromEntries(new URLSearchParams(queryOf(filters)))).toEqual({
      limit: '50',
      kind: 'ask',
      minMs: '12.5',
      from: '2026-11-01T00:00:00Z',
      to: '2026-11-03T00:00:00Z',
    });
  });

  it('are filtered by numbers however they are written, and what cannot be read is named', () => {
    expect(readFilters('minMs=.5&minCostUsd=1.0')).toEqual({ minMs: '0.5', minCostUsd: '1' });
    const unread = (query: string) =>
      unreadOf(new URLSearchParams(query), new URLSearchParams(writeFilters(readFilters(query))), needs);
    expect(unread('minMs=0&minCostUsd=.01&from=2026-11-01&to=&kind=ask')).toEqual([]);
    for (const none of ['2s', '1,000', '-1', 'soon', '1e3'])
      expect(unread(`minMs=${none}&minCostUsd=${none}`), none).toEqual(['minMs', 'minCostUsd']);
    expect(unread('from=2026-02-31&to=12026-01-01')).toEqual(['from', 'to']);
  });

  it('tell when a trace began, or what it says of that', () => {
    expect(momentOf('2026-11-28T20:52:58.117Z')).toContain('2026');
    for (const none of ['x', '', '2026-99-01T00:00:00Z']) expect(momentOf(none)).toBe(none);
  });

  it('give no command of an id that means something to a shell', () => {
    for (const [name, { trace }] of all)
      expect(caseCommandOf(trace.id), name).toBe(`footnote eval from-trace ${trace.id} --out suite/cases.jsonl`);
    for (const id of ['', 'a b', '$(reboot)', 'a;reboot', 'a\nreboot', '--out', "'", '`a`', 'x'.repeat(201)])
      expect(caseCommandOf(id), id).toBeUndefined();
  });

  it('of claims are told apart', () => {
    expect(differenceOf(['a', 'b', 'b'], ['b', 'c'])).toEqual({ both: ['b'], first: ['a'], second: ['c'] });
  });
});
