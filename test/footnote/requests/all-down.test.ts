// A chain of stores of which all are down, the one inside the record too: an answer says that it rests on nothing and why, a search is an error, for
// unknown is never empty. And whoever waits for a store elsewhere says so, that the processor is free meanwhile.
import { beforeEach, describe, expect, it } from 'vitest';
import { createRunner } from '../../../src/agent/run.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { randomIds, systemClock } from '../../../src/core/ids.ts';
import { createRequestPorts } from '../../../src/footnote/requests/request-ports.ts';
import { createSessions } from '../../../src/memory/sessions.ts';
import { createSpendingLedger } from '../../../src/models/money/spending-ledger.ts';
import type { EmbeddedStore } from '../../../src/stores/embedded/port.ts';
import type { Searcher, StoreHit } from '../../../src/stores/store.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
type Name = 'azure' | 'firestore' | 'embedded';

/** Each store asks before it answers: it throws, waits, or lets it find the one chunk. */
function openRunner(hit: StoreHit, before: (name: Name) => void | Promise<void>) {
  const record = place.tenant;
  const search = (name: Name) => async () => {
    await before(name);
    return { hits: [hit], degraded: [] };
  };
  const searcher = (name: Name): Searcher => ({
    name,
    capabilities: { lexical: true, vector: true, hybrid: true, vectors: 'own', counts: false, explain: false },
    search: search(name),
    health: async () => ({ status: 'ok', detail: '', documents: 1, chunks: 1 }),
    close: async () => undefined,
  });
  const embedded = {
    ...searcher('embedded'),
    statistics: async () => ({ chunks: 1, frequencies: {}, languages: [] }),
  } as unknown as EmbeddedStore;
  const spanUrl = (id: string): string => `/${id}`;
  const ledger = createSpendingLedger({
    limits: { request: {}, session: {}, keyDay: {}, day: {} },
    clock: systemClock,
    repositoryOf: () => record.spending,
  });
  return createRunner({
    scope: scopeOf(),
    record,
    openPorts: createRequestPorts({
      record,
      embedded,
      beside: (['azure', 'firestore'] as const).map((name) => ({
        searcher: searcher(name),
        kind: 'vector',
        modes: ['vector', 'hybrid'],
      })),
      semantics: { current: async () => ({ ready: false, code: 'too-few-chunks', detail: 'Too few.' }) },
      fusion: { method: 'min-max', semanticWeight: undefined, rankConstant: 60 },
      expansion: [],
      spanUrl,
    }),
    openBudget: () => ledger.budgetFor({ scope: scopeOf() }),
    sessions: createSessions(record, systemClock, randomIds),
    clock: systemClock,
    ids: randomIds,
    defaultMode: 'hybrid',
    contextTokens: 2_000,
    timeoutMs: 60_000,
    spanUrl,
  });
}

const down = (name: Name): never => {
  throw new FootnoteError('upstream-unavailable', `The store ${name} is down.`);
};
const question = 'How much water does the reservoir hold?';

describe('stores that stand in for each other', () => {
  let hit: StoreHit;
  beforeEach(async () => {
    const write = createWrite('The reservoir holds 40,000 cubic metres of water.', { id: 'd' });
    await place.tenant.commit([{ kind: 'put-document', write }]);
    hit = { chunkId: write.chunks[0]?.id ?? '', documentId: 'd', score: 1, scores: { vector: 1 }, rank: 1 };
  });

  it.each(['vector', 'hybrid'] as const)('ground nothing where all are down: mode %s', async (mode) => {
    const runner = openRunner(hit, down);
    const answer = await runner.ask({ question, mode });
    expect(answer).toMatchObject({
      abstained: true,
      ragEnabled: false,
      claims: [],
      citations: [],
      sources: [],
      usedFallback: true,
    });
    expect(answer.answer).toContain('not grounded in any document');
    const told = answer.degraded.map(({ component, code }) => `${component} ${code}`);
    for (const name of ['azure', 'firestore', 'retrieval']) expect(told).toContain(`${name} upstream-unavailable`);
    await expect(runner.search({ query: question, mode })).rejects.toMatchObject({ code: 'upstream-unavailable' });
  });

  it('ground nothing in parts of a question either', async () => {
    const runner = openRunner(hit, down);
    const session = await runner.send('ses_1', { content: question, mode: 'vector' });
    expect(session).toMatchObject({ abstained: true, ragEnabled: false });
    expect(session.abstainReason).toContain('not grounded');
  });

  it('serve from the one that is left, told', async () => {
    const runner = openRunner(hit, (name) => (name === 'embedded' ? undefined : down(name)));
    const answer = await runner.ask({ question, mode: 'vector' });
    expect(answer).toMatchObject({ abstained: false, ragEnabled: true, usedFallback: true });
    expect(answer.degraded.filter(({ code }) => code === 'upstream-unavailable')).toMatchObject([
      { component: 'azure', effect: 'Searched in firestore instead.' },
      { component: 'firestore', effect: 'Searched in embedded instead.' },
    ]);
  });

  it('hide no mistake behind an answer, and no end of the request', async () => {
    const wrong = openRunner(hit, () => {
      throw new FootnoteError('invalid-request', 'The filter cannot be.');
    });
    await expect(wrong.ask({ question, mode: 'vector' })).rejects.toMatchObject({ code: 'invalid-request' });
    const left = new AbortController();
    const leaving = openRunner(hit, (name) => {
      left.abort();
      return down(name);
    });
    await expect(leaving.ask({ question, mode: 'vector' }, { signal: left.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('say while they are waited for that the processor is free', async () => {
    const told: boolean[] = [];
    const seen: (readonly [Name, boolean | undefined])[] = [];
    const runner = openRunner(hit, async (name) => {
      await new Promise((next) => setImmediate(next));
      seen.push([name, told.at(-1)]);
    });
    await runner.search({ query: question, mode: 'vector' }, { onWaiting: (isWaiting) => told.push(isWaiting) });
    expect(seen).toEqual([['azure', true]]);
    expect(told.slice(0, 2)).toEqual([true, false]);
    await runner.search({ query: question, mode: 'embedded' }, { onWaiting: (isWaiting) => told.push(isWaiting) });
    expect(seen.at(-1)?.[0]).toBe('embedded');
  });
});
