// Traces in a real record: found by what they were about, pruned and packed onto the record without losing a letter, and unreadable once a
// document that they lean on is deleted.
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/core/answer.ts';
import type { LoggedEvent } from '../../../../src/core/events.ts';
import type { TraceSummary } from '../../../../src/core/trace-file.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../../testkit/record-fixture.ts';

const place = recordForEachTest();

const summary = (id: string, given: Partial<TraceSummary> = {}): TraceSummary => ({
  id,
  kind: 'ask',
  startedAt: `2026-11-2${id.length}T00:00:00.000Z`,
  totalMs: 10,
  eventCount: 1,
  ...given,
});

const log = (...events: readonly LoggedEvent['event'][]): readonly LoggedEvent[] =>
  events.map((event, at) => ({ seq: at + 1, atMs: at, event }));

const asked = (question = 'q'): LoggedEvent['event'] => ({ type: 'request', kind: 'ask', body: { question }, at: '' });
const listed = async (filter = {}): Promise<readonly string[]> =>
  (await place.tenant.traces.list({ filter })).data.map(({ id }) => id);

const answerOn = ({ documentId, chunkId }: { documentId: string; chunkId: string }): Answer => {
  const place = { documentId, chunkId, title: 't', uri: 'a.md' };
  return {
    id: 'ans_1',
    traceId: 'trc_1',
    mode: 'hybrid',
    intent: 'factual_lookup',
    answer: 'Forty berths. [1]',
    claims: [{ text: 'Forty berths.', citations: [1], support: 1 }],
    citations: [
      {
        ...place,
        index: 1,
        url: 'http://u',
        source: 'notes',
        quote: 'forty berths',
        start: 16,
        end: 28,
        score: 1,
        alsoIn: [],
      },
    ],
    conflicts: [],
    sources: [{ ...place, score: 1, contextTokens: 9, cited: true }],
    abstained: false,
    ragEnabled: true,
    confidence: 1,
    coverage: 1,
    routing: { sources: [], reason: 'all' },
    degraded: [],
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 1, costUsd: 0 },
    timings: { totalMs: 1 },
  };
};

describe('the upkeep of traces', () => {
  it('prunes what is old and not pinned', async () => {
    const { traces } = place.tenant;
    for (const id of ['a', 'bb', 'ccc']) await traces.save(summary(id), log(asked()));
    await traces.pin('a', true);
    expect(await place.record.traceUpkeep.prune('2026-11-23T00:00:00.000Z', 10)).toBe(1);
    expect(await listed()).toEqual(['ccc', 'a']);
  });

  it('finds traces by what makes them worth a look, and gives the slowest first, page by page', async () => {
    const { traces } = place.tenant;
    const done = (given: Partial<Answer>): LoggedEvent['event'] => ({
      type: 'done',
      answer: { ...answerOn({ documentId: 'doc_1', chunkId: 'chk_1' }), ...given },
    });
    const degradation = { component: 'vector', code: 'unavailable', detail: 'd', effect: 'Searched by words only.' };
    await traces.save(summary('a', { totalMs: 30 }), log(asked(), done({})));
    await traces.save(summary('bb', { totalMs: 900 }), log(asked(), done({ abstained: true })));
    await traces.save(
      summary('ccc', { totalMs: 30 }),
      log(asked(), { type: 'degraded', degradation }, done({ confidence: 0.3 })),
    );
    expect(await listed()).toEqual(['ccc', 'bb', 'a']);
    expect(await listed({ doubt: 'any' })).toEqual(['ccc', 'bb']);
    expect(await listed({ doubt: 'abstained' })).toEqual(['bb']);
    expect(await listed({ doubt: 'unsure' })).toEqual(['ccc']);
    expect(await listed({ doubt: 'degraded' })).toEqual(['ccc']);
    expect((await traces.get('ccc'))?.trace.doubts).toEqual(['degraded', 'unsure']);
    expect((await traces.get('a'))?.trace).not.toHaveProperty('doubts');
    const first = await traces.list({ sort: 'slowest', limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(['bb', 'ccc']);
    const cursor = first.nextCursor ?? '';
    expect((await traces.list({ sort: 'slowest', cursor })).data.map(({ id }) => id)).toEqual(['a']);
    await expect(traces.list({ cursor })).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('packs a trace onto the texts of the record, and keeps those for it when their document is replaced', async () => {
    const words = Array.from({ length: 400 }, (_, at) => `word${(at * 7919) % 1013}`).join(' ');
    const write = createWrite(words, { uri: 'a.md' });
    await place.tenant.commit([
      { kind: 'put-source', source: { name: write.document.source, type: 'docs' } },
      { kind: 'put-document', write },
    ]);
    const rows = await place.tenant.documents.chunksById(write.chunks.map(({ id }) => id));
    const call = {
      port: 'record.documents',
      method: 'chunksById',
      request: [write.chunks.map(({ id }) => id)],
      response: rows,
      latencyMs: 1,
    };
    const events = log(asked(), { type: 'call', call });
    await place.tenant.traces.save(summary('a'), events);
    const sizeOf = () =>
      place.record.read((database) => Number(database.prepare('SELECT length(events) AS n FROM trace').get()?.['n']));
    const loose = sizeOf();
    expect(await place.record.traceUpkeep.compact('9999', 10)).toBe(1);
    expect(await place.record.traceUpkeep.compact('9999', 10)).toBe(0);
    expect(sizeOf()).toBeLessThan(loose / 2);
    const same = JSON.stringify(events);
    expect(JSON.stringify((await place.tenant.traces.get('a'))?.events)).toBe(same);
    expect(await place.record.check()).toEqual([]);

    const next = createWrite('All of it was rewritten since.', { uri: 'a.md' });
    await place.tenant.commit([{ kind: 'put-document', write: next }]);
    expect(JSON.stringify((await place.tenant.traces.get('a'))?.events)).toBe(same);

    await place.tenant.commit([{ kind: 'delete-document', id: next.document.id }]);
    const left = JSON.stringify((await place.tenant.traces.get('a'))?.events);
    expect(left).not.toContain('word');
    expect(await place.record.check()).toEqual([]);
    const kept = place.record.read((database) =>
      database.prepare('SELECT count(*) AS n FROM trace_text WHERE text IS NOT NULL').get(),
    );
    expect(kept?.['n']).toBe(0);
  });

  it('finds a packed trace damaged where its bytes are others', async () => {
    const write = createWrite('The harbour has forty berths and a crane.', { uri: 'a.md' });
    await place.tenant.commit([
      { kind: 'put-source', source: { name: write.document.source, type: 'docs' } },
      { kind: 'put-document', write },
    ]);
    const said = `The harbour has forty berths and a crane. ${JSON.stringify(write.chunks.map(({ id }) => id)).repeat(3)}`;
    await place.tenant.traces.save(summary('a'), log(asked(said)));
    expect(await place.record.traceUpkeep.compact('9999', 10)).toBe(1);
    const damaged = expect.stringContaining('Trace a is damaged') as string;
    const change = (sql: string) => place.record.write((database) => database.exec(sql));
    expect(await place.record.check()).toEqual([]);
    await change("UPDATE trace SET events = CAST(substr(events, 1, 20) || x'00' || substr(events, 22) AS BLOB)");
    expect(await place.record.check()).toContainEqual(damaged);
  });

  it('lets a kept text go with the last trace that needs it', async () => {
    const write = createWrite('The harbour has forty berths and a crane.', { uri: 'a.md' });
    await place.tenant.commit([
      { kind: 'put-source', source: { name: write.document.source, type: 'docs' } },
      { kind: 'put-document', write },
    ]);
    const mention = JSON.stringify(write.chunks.map(({ id }) => id)).repeat(3);
    for (const id of ['a', 'bb'])
      await place.tenant.traces.save(
        summary(id),
        log(asked(`The harbour has forty berths and a crane. ${mention}`), {
          type: 'call',
          call: { port: 'p', method: 'm', request: [write.chunks.map((chunk) => chunk.id)], latencyMs: 0 },
        }),
      );
    await place.record.traceUpkeep.compact('9999', 10);
    const counts = () =>
      place.record
        .read((database) => database.prepare('SELECT traces FROM trace_text').all())
        .map((row) => Number(row['traces']));
    expect(counts()).toEqual([2]);
    await place.record.traceUpkeep.prune('2026-11-22T00:00:00.000Z', 10);
    expect(counts()).toEqual([1]);
    await place.record.traceUpkeep.prune('9999', 10);
    expect(counts()).toEqual([]);
  });
});

describe('answers are found by what they rest on', () => {
  it('and each says whether that still stands', async () => {
    const write = createWrite('The harbour has forty berths and a crane.', { uri: 'a.md' });
    await place.tenant.commit([
      { kind: 'put-source', source: { name: write.document.source, type: 'docs' } },
      { kind: 'put-document', write },
    ]);
    const { id: documentId } = write.document;
    const chunkId = write.chunks[0]?.id ?? '';
    const answer = answerOn({ documentId, chunkId });
    await place.tenant.answers.save(answer, '2026-11-23T00:00:00.000Z');
    const use = { answerId: 'ans_1', createdAt: '2026-11-23T00:00:00.000Z' };
    expect((await place.tenant.answers.using({ documentId }, {})).data).toEqual([
      { ...use, chunks: [{ chunkId, cited: true, isCurrent: true }] },
    ]);
    expect((await place.tenant.answers.using({ documentId, chunkId: 'chk_other' }, {})).data).toEqual([]);
    const others = place.record.forScope(scopeOf('default', 'key:b', 'reader'));
    expect((await others.answers.using({ documentId }, {})).data).toEqual([]);
    await place.tenant.commit([{ kind: 'delete-document', id: documentId }]);
    expect((await place.tenant.answers.using({ documentId }, {})).data).toEqual([
      { ...use, chunks: [{ chunkId, cited: true, isCurrent: false }] },
    ]);
  });
});
