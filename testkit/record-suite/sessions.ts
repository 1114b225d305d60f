// What every database of the record has to do with sessions: whose they are, in which order their turns stand, and what a deletion makes of them.
// Run over each adapter by test/db.
import { expect, it } from 'vitest';
import { scopeOf } from '../record-fixture.ts';
import { at, createAnswer, createTurn as turn } from './answer-fixture.ts';
import type { SuitePlace } from './place.ts';

export function sessionSuite(place: SuitePlace): void {
  it('are created by their first turn, count turns and give the last ones, oldest first', async () => {
    const { sessions } = place.forScope(scopeOf());
    for (let n = 1; n <= 5; n += 1) expect((await sessions.appendTurn(turn('s', n))).ordinal).toBe(n);
    expect(await sessions.get('s')).toEqual({
      id: 's',
      title: 'question 1',
      createdAt: at(1),
      updatedAt: at(5),
      turnCount: 5,
    });
    expect((await sessions.turns('s', 2)).map(({ ordinal, content }) => [ordinal, content])).toEqual([
      [4, 'question 4'],
      [5, 'question 5'],
    ]);
    expect((await sessions.turns('s', 2, 'first')).map(({ ordinal }) => ordinal)).toEqual([1, 2]);
    await sessions.create({ id: 't', title: 'Named', createdAt: at(9) });
    expect((await sessions.list({})).data.map(({ id }) => id)).toEqual(['t', 's']);
    await expect(sessions.create({ id: 't', createdAt: at(9) })).rejects.toMatchObject({ code: 'conflict' });
    expect(await sessions.turns('unknown', 5)).toEqual([]);
  });

  it('speak of their own turns to an admin, too, and go once', async () => {
    const ann = place.forScope(scopeOf('default', 'ann', 'writer')).sessions;
    const root = place.forScope(scopeOf('default', 'root', 'admin')).sessions;
    await ann.appendTurn(turn('s', 1));
    expect(await root.turns('s', 5)).toEqual([]);
    expect((await root.page('s', {}))?.data).toHaveLength(1);
    await root.appendTurn(turn('s', 2));
    expect((await root.turns('s', 5)).map(({ content }) => content)).toEqual(['question 2']);
    expect([await root.delete('s'), await root.delete('s')]).toEqual([true, false]);
    expect(await ann.turns('s', 5)).toHaveLength(1);
  });

  it('are called by their first question, cut to eight words, until somebody names them', async () => {
    const { sessions } = place.forScope(scopeOf('default', 'ann', 'reader'));
    await sessions.create({ id: 's', createdAt: at(0) });
    expect(await sessions.get('s')).not.toHaveProperty('title');
    await sessions.appendTurn({ ...turn('s', 1), content: 'How long is the old\n pier of Arkvik at low tide?' });
    await sessions.appendTurn(turn('s', 2));
    const [listed] = (await sessions.list({})).data;
    expect(listed).toMatchObject({ title: 'How long is the old pier of Arkvik…', updatedAt: at(2) });
    const bob = place.forScope(scopeOf('default', 'bob', 'writer')).sessions;
    const elsewhere = place.forScope(scopeOf('other', 'ann', 'admin')).sessions;
    for (const other of [bob, elsewhere]) expect(await other.update('s', { title: 'Mine' })).toBeUndefined();
    expect(await sessions.update('s', { title: 'The pier' })).toEqual({ ...listed, title: 'The pier' });
    expect(await sessions.get('s')).toEqual({ ...listed, title: 'The pier' });
    const root = place.forScope(scopeOf('default', 'root', 'admin')).sessions;
    expect(await root.update('s', { title: 'Of Ann' })).toMatchObject({ title: 'Of Ann', turnCount: 2 });
    expect(await sessions.get('s')).toMatchObject({ title: 'Of Ann' });
  });

  it('give their turns page by page, from the last one back, in either order', async () => {
    const { sessions } = place.forScope(scopeOf('default', 'ann', 'reader'));
    for (let n = 1; n <= 7; n += 1) await sessions.appendTurn(turn('s', n));
    for (const [order, expected] of [
      ['oldest', [[5, 6, 7], [2, 3, 4], [1]]],
      ['newest', [[7, 6, 5], [4, 3, 2], [1]]],
    ] as const) {
      const pages: number[][] = [];
      let cursor: string | undefined;
      do {
        const page = await sessions.page('s', { limit: 3, order, ...(cursor !== undefined && { cursor }) });
        pages.push(page?.data.map(({ ordinal }) => ordinal) ?? []);
        cursor = page?.nextCursor;
        // What is said meanwhile shifts no page.
        if (order === 'newest') await sessions.appendTurn(turn('s', 10 + pages.length));
      } while (cursor !== undefined);
      expect(pages).toEqual(expected);
    }
    const bob = place.forScope(scopeOf('default', 'bob', 'writer')).sessions;
    expect([await sessions.page('none', {}), await bob.page('s', {})]).toEqual([undefined, undefined]);
    await expect(sessions.page('s', { cursor: 'bogus' })).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('belong to who began them: the same id of another principal or tenant is another session', async () => {
    const ann = place.forScope(scopeOf('default', 'ann', 'reader')).sessions;
    const bob = place.forScope(scopeOf('default', 'bob', 'writer')).sessions;
    const elsewhere = place.forScope(scopeOf('other', 'ann', 'admin')).sessions;
    await ann.appendTurn(turn('s', 1));
    expect(await bob.get('s')).toBeUndefined();
    expect(await bob.delete('s')).toBe(false);
    expect(await elsewhere.get('s')).toBeUndefined();
    await bob.appendTurn({ ...turn('s', 1), id: 'bobs' });
    expect((await bob.turns('s', 9)).map(({ id }) => id)).toEqual(['bobs']);
    expect((await ann.turns('s', 9)).map(({ id }) => id)).toEqual(['turn_s_1']);
    const admin = place.forScope(scopeOf('default', 'root', 'admin')).sessions;
    expect((await admin.list({})).data).toHaveLength(2);
    expect((await admin.page('s', {}))?.data.map(({ id }) => id)).toEqual(['turn_s_1']);
  });

  it('give each of the turns that come at once a place of its own', async () => {
    const { sessions } = place.forScope(scopeOf());
    const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
    const added = await Promise.all(numbers.map((n) => sessions.appendTurn(turn('s', n))));
    expect(added.map(({ ordinal }) => ordinal).toSorted((a, b) => a - b)).toEqual(numbers);
    expect((await sessions.get('s'))?.turnCount).toBe(12);
    const kept = new Map((await sessions.turns('s', 20)).map(({ id, ordinal }) => [id, ordinal]));
    expect(added.map(({ id }) => kept.get(id))).toEqual(added.map(({ ordinal }) => ordinal));
  });

  it('stay deleted for messages that were under way, and are there anew for those that begin later', async () => {
    const { sessions } = place.forScope(scopeOf());
    await sessions.appendTurn(turn('s', 1));
    const before = await sessions.deletionMark();
    expect([await sessions.delete('s'), await sessions.delete('s')]).toEqual([true, false]);
    await expect(sessions.appendTurn(turn('s', 2), { since: before })).rejects.toMatchObject({ code: 'not-found' });
    expect(await sessions.get('s')).toBeUndefined();
    await sessions.appendTurn(turn('other', 1), { since: before });
    expect((await sessions.appendTurn(turn('s', 3), { since: await sessions.deletionMark() })).ordinal).toBe(1);
    expect((await sessions.turns('s', 5)).map(({ content }) => content)).toEqual(['question 3']);
  });

  it('go with their turns, answers and traces', async () => {
    const handle = place.forScope(scopeOf());
    await handle.sessions.appendTurn(turn('s', 1));
    await handle.answers.save(createAnswer('ans_s_1', 'x'), at(1));
    await handle.answers.save(createAnswer('kept', 'x'), at(1));
    await handle.traces.save(
      { id: 't1', kind: 'message', sessionId: 's', startedAt: at(1), totalMs: 2, eventCount: 0 },
      [],
    );
    expect(await handle.sessions.delete('s')).toBe(true);
    expect(await handle.sessions.get('s')).toBeUndefined();
    expect(await handle.answers.get('ans_s_1')).toBeUndefined();
    expect(await handle.answers.get('kept')).toBeDefined();
    expect(await handle.traces.get('t1')).toBeUndefined();
    expect(await handle.sessions.delete('s')).toBe(false);
  });
}
