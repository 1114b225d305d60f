// What every database of the record has to do with what requests leave behind: traces, answers, what they cost. Run over each adapter by test/db.
import { expect, it } from 'vitest';
import type { LoggedEvent } from '../../src/core/events.ts';
import type { TraceSummary } from '../../src/core/trace-file.ts';
import type { SpendingEntry } from '../../src/db/repositories/spending.ts';
import { createRandom } from '../history.ts';
import { scopeOf } from '../record-fixture.ts';
import { at, createAnswer } from './answer-fixture.ts';
import type { SuitePlace } from './place.ts';

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
const failed = (code: string): LoggedEvent['event'] => ({
  type: 'error',
  problem: { type: 'about:blank', title: '', status: 500, detail: '', code, requestId: '' },
});

export function traceSuite(place: SuitePlace): void {
  const listed = async (filter = {}): Promise<readonly string[]> =>
    (await place.tenant.traces.list({ filter })).data.map(({ id }) => id);

  it('traces are found by session, kind, time, outcome, intent, duration, source and pin', async () => {
    const { traces } = place.tenant;
    await traces.save(summary('a', { sessionId: 's', totalMs: 5 }), log(asked(), failed('quota-exceeded')));
    await traces.save(
      summary('bb', { kind: 'search', totalMs: 50 }),
      log(asked(), { type: 'routing', sources: ['notes'], reason: '' }, { type: 'searched', results: [] }),
    );
    await traces.save(summary('ccc'), log(asked(), { type: 'intent', intent: 'faq', reason: '' }));
    expect(await listed()).toEqual(['ccc', 'bb', 'a']);
    expect(await listed({ sessionId: 's' })).toEqual(['a']);
    expect(await listed({ kind: 'search' })).toEqual(['bb']);
    expect(await listed({ from: '2026-11-22T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' })).toEqual(['bb']);
    expect(await listed({ status: 'done' })).toEqual(['bb']);
    expect(await listed({ status: 'quota-exceeded' })).toEqual(['a']);
    expect(await listed({ status: 'error' })).toEqual(['a']);
    expect(await listed({ intent: 'faq' })).toEqual(['ccc']);
    expect(await listed({ minMs: 6, maxMs: 20 })).toEqual(['ccc']);
    expect(await listed({ source: 'notes' })).toEqual(['bb']);
    expect(await traces.pin('bb', true)).toBe(true);
    expect(await listed({ pinned: true })).toEqual(['bb']);
    expect(await traces.pin('none', true)).toBe(false);
  });

  it('traces are found by words of what was asked, which is listed shortened and in one line', async () => {
    const { traces } = place.tenant;
    const request = (body: object): LoggedEvent['event'] => ({ type: 'request', kind: 'ask', body, at: '' });
    await traces.save(summary('a'), log(request({ query: `Où est\n l’ÉCLUSE ${'x'.repeat(500)}?` })));
    await traces.saveSoon(summary('bb'), log(request({ messages: [{ role: 'user', content: '100% of rye_bread?' }] })));
    await traces.save(summary('ccc'), log(request({ kind: 'swot', subject: 'Grebe Bank' })));
    const { data } = await traces.list({});
    expect(data.map(({ question }) => question)).toEqual([
      'Grebe Bank',
      '100% of rye_bread?',
      `Où est l’ÉCLUSE ${'x'.repeat(183)}…`,
    ]);
    expect((await traces.get('ccc'))?.trace.question).toBe('Grebe Bank');
    expect(await listed({ question: 'écluse' })).toEqual(['a']);
    expect(await listed({ question: 'e\u0301cluse' })).toEqual(['a']);
    expect(await listed({ question: '0% OF RYE_' })).toEqual(['bb']);
    expect(await listed({ question: '%' })).toEqual(['bb']);
    expect(await listed({ question: 'otter' })).toEqual([]);
    await traces.save(summary('dddd'), log(asked('a\0b \ud800')));
    expect((await traces.get('dddd'))?.trace.question).toBe('a\ufffdb \ufffd');
    expect((await traces.list({})).data).toHaveLength(4);
  });

  it('traces are listed without what was recalled from memory, which the list would show to others', async () => {
    const call = { port: 'memories', method: 'recall', latencyMs: 1, request: [] };
    const recalled = (text: string): LoggedEvent['event'] => ({
      type: 'call',
      call: { ...call, response: [{ text }] },
    });
    await place.tenant.traces.save(summary('a'), log(asked('I owe Ada 40. When?'), recalled('I owe Ada 40.')));
    await place.tenant.traces.save(summary('bb'), log(asked('When was it?'), recalled('I owe Ada 40.')));
    const long = `I owe ${'much '.repeat(60)}`;
    await place.tenant.traces.save(summary('ccc'), log(asked(`${long}Why?`), recalled(long)));
    expect((await place.tenant.traces.list({})).data.map(({ question }) => question)).toEqual([
      undefined,
      'When was it?',
      undefined,
    ]);
  });

  it('traces are found only by who asked, and by admins', async () => {
    const mine = place.forScope(scopeOf('default', 'key:a', 'reader')).traces;
    await mine.save(summary('a'), log(asked()));
    expect((await mine.list({})).data).toHaveLength(1);
    const others = place.forScope(scopeOf('default', 'key:b', 'reader')).traces;
    expect((await others.list({})).data).toEqual([]);
    expect(await others.pin('a', true)).toBe(false);
    expect(await listed()).toEqual(['a']);
  });

  it('traces and answers come back whole, to who asked and to admins only', async () => {
    const ann = place.forScope(scopeOf('default', 'ann', 'reader'));
    const events = [{ seq: 1, atMs: 0.5, event: { type: 'delta' as const, text: 'é\u{1F600}\u0000\u0001' } }];
    const trace = { id: 't', kind: 'ask' as const, startedAt: at(1), totalMs: 12.5, eventCount: 1 };
    await ann.traces.save(trace, events);
    await ann.answers.save(createAnswer('a', 'te\u0000xt'), at(1));
    expect(await ann.traces.get('t')).toEqual({ trace, events });
    expect(await ann.answers.get('a')).toEqual(createAnswer('a', 'te\u0000xt'));
    for (const [scope, visible] of [
      [scopeOf('default', 'bob', 'writer'), false],
      [scopeOf('default', 'root', 'admin'), true],
      [scopeOf('other', 'ann', 'admin'), false],
    ] as const) {
      const handle = place.forScope(scope);
      expect((await handle.traces.get('t')) !== undefined).toBe(visible);
      expect((await handle.answers.get('a')) !== undefined).toBe(visible);
      expect((await handle.traces.list({})).data).toHaveLength(visible ? 1 : 0);
    }
  });

  it('feedback on citations says where the good ones stand, for each person and answer, in its tenant alone', async () => {
    const { answers, feedback } = place.tenant;
    expect(await feedback.ranks()).toEqual({ judgements: 0, meanReciprocalRank: null, good: 0, goodOfThree: 0 });
    for (const id of ['a', 'b']) await answers.save(createAnswer(id, id), at(1));
    const said = [
      ['a', 'ann', 2, 'up'],
      ['a', 'ann', 4, 'up'],
      ['a', 'bob', 1, 'down'],
      ['b', 'ann', 1, 'up'],
      ['b', 'ann', undefined, 'up'],
    ] as const;
    for (const [index, [answerId, principal, citation, rating]] of said.entries()) {
      const cited = citation === undefined ? {} : { citation };
      await feedback.put({ id: `f${index}`, answerId, principal, rating, createdAt: at(index), ...cited });
    }
    expect(await feedback.ranks()).toEqual({ judgements: 3, meanReciprocalRank: 0.5, good: 3, goodOfThree: 2 });
    const { feedback: others } = place.forScope(scopeOf('other', 'ann', 'admin'));
    expect((await others.ranks()).judgements).toBe(0);
  });

  it('answers that were found good are told to who said so, by user and the newest first', async () => {
    const { answers, feedback } = place.forScope(scopeOf('default', 'ann', 'reader'));
    const said = [
      ['a', 'ann', 'up', undefined],
      ['b', 'ann', 'up', undefined],
      ['c', 'ann', 'down', undefined],
      ['d', 'ann', 'up', 'guest'],
      ['e', 'bob', 'up', undefined],
    ] as const;
    for (const [index, [answerId, principal, rating, user]] of said.entries()) {
      await answers.save(createAnswer(answerId, answerId), at(1));
      const whose = { answerId, principal, ...(user !== undefined && { user }) };
      const one = { ...whose, id: `f${index}`, rating, createdAt: at(index), question: `Why ${answerId}?` };
      await feedback.put(one);
      // Of a citation alone, and without a question.
      await feedback.put({ ...one, id: `g${index}`, citation: 1 });
    }
    const asked = async (user: string) => (await feedback.praised(user, 9)).map(({ answerId }) => answerId);
    expect(await asked('')).toEqual(['b', 'a']);
    expect(await feedback.praised('guest', 9)).toEqual([{ answerId: 'd', question: 'Why d?', at: at(3) }]);
    expect(await feedback.praised('', 1)).toHaveLength(1);
    const users = (await feedback.list({})).data.map(({ answerId, user }) => [answerId, user] as const);
    const own = said.filter(([, principal]) => principal === 'ann');
    expect(new Map(users)).toEqual(new Map(own.map(([answerId, , , user]) => [answerId, user])));
  });

  it('opened citations say where they stand, once for each person, and go with their answer', async () => {
    const { answers, feedback } = place.tenant;
    const none = { judgements: 0, meanReciprocalRank: null, good: 0, goodOfThree: 0 };
    expect(await feedback.openedRanks()).toEqual(none);
    for (const id of ['a', 'b']) await answers.save(createAnswer(id, id), at(1));
    for (const citation of [4, 2, 2]) await feedback.open('a', citation);
    await place.forScope(scopeOf('default', 'bob', 'reader')).feedback.open('a', 1);
    await feedback.open('b', 2);
    await feedback.open('gone', 1);
    expect(await feedback.openedRanks()).toEqual({ judgements: 3, meanReciprocalRank: 2 / 3, good: 4, goodOfThree: 3 });
    expect(await feedback.ranks()).toEqual(none);
    expect(await place.forScope(scopeOf('other', 'ann', 'admin')).feedback.openedRanks()).toEqual(none);
    await answers.delete('a');
    expect(await feedback.openedRanks()).toEqual({ judgements: 1, meanReciprocalRank: 0.5, good: 1, goodOfThree: 1 });
  });
}

const entry = (given: Partial<SpendingEntry> = {}): SpendingEntry => ({
  day: '2026-11-22',
  role: 'answer',
  model: 'openai:a',
  calls: 1,
  inputTokens: 100,
  outputTokens: 10,
  costUsd: 0.5,
  unpricedCalls: 0,
  ...given,
});
const all = { from: '2026-01-01', to: '2026-12-31' } as const;

export function spendingSuite(place: SuitePlace): void {
  const spendingOf = (...scope: Parameters<typeof scopeOf>) => place.forScope(scopeOf(...scope)).spending;

  it('adds up in its row', async () => {
    const spending = spendingOf('default', 'key:a', 'reader');
    await spending.add([entry(), entry({ sessionId: 's1' })]);
    await spending.add([entry({ calls: 2, costUsd: 0, unpricedCalls: 2 })]);
    const again = spendingOf('default', 'key:a', 'reader');
    const whole = { calls: 4, inputTokens: 300, outputTokens: 30, costUsd: 1, unpricedCalls: 2 };
    expect(await again.total({ of: 'principal', day: '2026-11-22' })).toEqual(whole);
    expect(await again.total({ of: 'session', sessionId: 's1' })).toMatchObject({ calls: 1, costUsd: 0.5 });
    expect(await again.total({ of: 'principal', day: '2026-11-23' })).toEqual({
      calls: 0,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      unpricedCalls: 0,
    });
    expect(await place.run('SELECT 1 FROM model_spending')).toHaveLength(2);
  });

  it('adds up to the last bit of what its rows do, whoever adds at once', async () => {
    const random = createRandom(20_261_130);
    const callers = ['key:a', 'key:b', 'key:c'].map((id) => [id, spendingOf('default', id, 'reader')] as const);
    const figures = () => ({
      costUsd: random.next() / 1000,
      inputTokens: random.below(3_000_000),
      day: `2026-11-2${random.below(3)}`,
    });
    const batches = Array.from({ length: 120 }, async (_, at) => {
      const entries = Array.from({ length: 1 + random.below(4) }, () =>
        entry({ ...figures(), sessionId: `s${random.below(9)}`, role: ['answer', 'judge'][random.below(2)] ?? '' }),
      );
      await callers[at % callers.length]?.[1].add(entries);
    });
    await Promise.all(batches);
    const kept = (await place.run(
      'SELECT day, principal, cost_usd AS cost, input_tokens AS tokens FROM model_spending',
    )) as {
      day: string;
      principal: string;
      cost: number;
      tokens: unknown;
    }[];
    expect(kept.length).toBeGreaterThan(80);
    for (const day of ['2026-11-20', '2026-11-21', '2026-11-22'])
      for (const [id, spending] of callers)
        for (const window of ['principal', 'tenant'] as const) {
          const mine = kept.filter((row) => row.day === day && (window === 'tenant' || row.principal === id));
          const total = await spending.total({ of: window, day });
          // In any order, as whole numbers.
          const cost = mine.reduce((sum, row) => sum + Math.round(row.cost * 1e10), 0) / 1e10;
          expect([total.costUsd, total.inputTokens]).toEqual([
            cost,
            mine.reduce((sum, row) => sum + Number(row.tokens), 0),
          ]);
          const scope = window === 'tenant' ? spendingOf() : spending;
          expect((await scope.usage({ from: day, to: day, by: 'role' })).total).toEqual(total);
        }
  });

  it('is summed for its own windows: a session of all days, a caller’s day, a tenant’s day', async () => {
    await spendingOf('default', 'key:a', 'reader').add([
      entry({ sessionId: 's' }),
      entry({ sessionId: 's', day: '2026-11-21' }),
      entry(),
    ]);
    await spendingOf('default', 'key:b', 'reader').add([entry({ sessionId: 's' })]);
    await spendingOf('other', 'key:a', 'reader').add([entry({ sessionId: 's' })]);
    const spending = spendingOf('default', 'key:a', 'reader');
    const calls = async (window: Parameters<typeof spending.total>[0]): Promise<number> =>
      (await spending.total(window)).calls;
    expect(await calls({ of: 'session', sessionId: 's' })).toBe(2);
    expect(await calls({ of: 'principal', day: '2026-11-22' })).toBe(2);
    expect(await calls({ of: 'tenant', day: '2026-11-22' })).toBe(3);
  });

  it('is shown to whoever spent it, and as a whole to admins of the tenant', async () => {
    await spendingOf('default', 'key:a', 'reader').add([
      entry({ sessionId: 's', costUsd: 2 }),
      entry({ role: 'judge', model: 'openai:b', costUsd: 0.1, day: '2026-11-20' }),
    ]);
    await spendingOf('default', 'key:b', 'writer').add([entry({ sessionId: 's', costUsd: 3 })]);
    await spendingOf('other', 'key:c', 'admin').add([entry({ costUsd: 9 })]);
    const names = async (by: 'day' | 'session' | 'key' | 'role' | 'model', ...scope: Parameters<typeof scopeOf>) =>
      (await spendingOf(...scope).usage({ ...all, by })).rows.map(({ name, principal, calls }) => [
        name,
        ...(principal === undefined ? [] : [principal]),
        calls,
      ]);
    const admin = ['default', 'key:root', 'admin'] as const;
    expect(await names('day', ...admin)).toEqual([
      ['2026-11-20', 1],
      ['2026-11-22', 2],
    ]);
    expect(await names('key', ...admin)).toEqual([
      ['key:b', 1],
      ['key:a', 2],
    ]);
    expect(await names('session', ...admin)).toEqual([
      ['s', 'key:b', 1],
      ['s', 'key:a', 1],
      ['', 'key:a', 1],
    ]);
    expect(await names('role', ...admin)).toEqual([
      ['answer', 2],
      ['judge', 1],
    ]);
    expect(await names('model', 'default', 'key:b', 'writer')).toEqual([['openai:a', 1]]);
    const own = await spendingOf('default', 'key:a', 'reader').usage({ ...all, by: 'key' });
    expect(own).toMatchObject({ omitted: 0, total: { calls: 2, costUsd: 2.1 } });
    expect(own.rows.map(({ name }) => name)).toEqual(['key:a']);
    const day = await spendingOf(...admin).usage({ from: '2026-11-21', to: '2026-11-22', by: 'day' });
    expect(day.total).toEqual({ calls: 2, inputTokens: 200, outputTokens: 20, costUsd: 5, unpricedCalls: 0 });
  });

  it('says how many rows a long list leaves out, and sums them all', async () => {
    const spending = spendingOf();
    await spending.add(Array.from({ length: 1005 }, (_, index) => entry({ sessionId: `s${index}`, costUsd: index })));
    const { rows, omitted, total } = await spending.usage({ ...all, by: 'session' });
    expect([rows.length, omitted, total.calls]).toEqual([1000, 5, 1005]);
    expect(rows[0]?.name).toBe('s1004');
  });
}
