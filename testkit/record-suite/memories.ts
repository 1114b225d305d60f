// Long-term memory over the record: what is kept, merged, superseded, recalled and taken away, and for whom. Run over each database by test/.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Clock, Ids } from '../../src/core/ids.ts';
import { memoryTypes } from '../../src/core/memory.ts';
import { type Meaning, noMeaning } from '../../src/memory/facts/fitted/meaning.ts';
import { createLongTermMemory } from '../../src/memory/facts/long-term.ts';
import { type OpenedMeaning, openMeaning } from '../memory/meaning.ts';
import { scopeOf } from '../record-fixture.ts';
import type { SuitePlace } from './place.ts';

const texts = (memories: readonly { readonly text: string }[]): string[] => memories.map(({ text }) => text);

export function memorySuite(place: SuitePlace & { reopen(): Promise<void> }): void {
  let opened: OpenedMeaning;
  beforeAll(async () => {
    opened = await openMeaning();
  });
  afterAll(() => opened.close());

  /** By words alone, where nothing else is asked for. */
  function open({
    tenant = 'default',
    principal = 'local',
    meaning = noMeaning,
  }: {
    readonly tenant?: string;
    readonly principal?: string;
    readonly meaning?: Meaning;
  } = {}) {
    let day = 0;
    let last = 0;
    const clock: Pick<Clock, 'now'> = { now: () => new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString() };
    const ids: Ids = {
      next(prefix) {
        last += 1;
        return `${prefix}_${principal}${last}`;
      },
    };
    const { memoriesOf } = place.forScope(scopeOf(tenant, principal));
    return {
      memory: createLongTermMemory({ memoriesOf, clock, ids, meaning }),
      pass: (days: number) => {
        day += days;
      },
    };
  }

  it('has the type that was asked for, else the one that its words say, also where it was remembered already', async () => {
    const { memory } = open({ meaning: opened.meaning });
    const typeOf = async (text: string, type?: (typeof memoryTypes)[number]) =>
      (await memory.add({ text, ...(type && { type }) })).memory.type;
    for (const [text, type] of [
      ['I prefer short answers.', 'preference'],
      ['We use Postgres for billing.', 'semantic'],
      ['We always deploy by merging to main.', 'procedural'],
      ['We lost our main supplier last spring.', 'episodic'],
      ['The spare key hangs behind the shed.', 'semantic'],
    ] as const) {
      expect(await typeOf(text), text).toBe(type);
      for (const asked of memoryTypes) {
        expect(await typeOf(text, asked), text).toBe(asked);
        // Said again without one, it stays what it was called.
        expect(await typeOf(text), text).toBe(asked);
      }
    }
    expect((await memory.stats({})).total).toBe(5);
  });

  it('keeps what it is given, with its type, tags and origin, over a restart', async () => {
    const { memory } = open();
    const given = { text: '  I prefer dark mode in my editor ', type: 'preference', tags: ['ui', 'ui'] } as const;
    const { memory: written, change } = await memory.add({ ...given, sessionId: 'ses_1' });
    expect(change).toBe('created');
    await place.reopen();
    const { memory: later } = open();
    expect(await later.get(written.id)).toEqual({
      id: written.id,
      type: 'preference',
      text: 'I prefer dark mode in my editor',
      tags: ['ui'],
      origins: [{ sessionId: 'ses_1', at: '2026-01-01T00:00:00.000Z' }],
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      validFrom: '2026-01-01T00:00:00.000Z',
      usageCount: 0,
    });
  });

  it('merges what says the same, and tells both places', async () => {
    const { memory, pass } = open();
    const first = await memory.add({ text: 'I really love hiking', sessionId: 'a' });
    pass(1);
    const second = await memory.add({ text: 'I love hiking.', sessionId: 'b', tags: ['sport'] });
    expect(second).toMatchObject({ change: 'merged', memory: { id: first.memory.id, tags: ['sport'] } });
    expect(second.memory.origins.map(({ sessionId }) => sessionId)).toEqual(['a', 'b']);
    expect((await memory.stats()).total).toBe(1);
  });

  it('ends what is contradicted, and keeps it as history that nobody recalls', async () => {
    const { memory, pass } = open({ meaning: opened.meaning });
    const before = await memory.add({ text: 'I live in Berlin' });
    pass(10);
    const after = await memory.add({ text: 'I moved to Lisbon' });
    expect(after.superseded).toEqual([before.memory.id]);
    expect(await memory.get(before.memory.id)).toMatchObject({
      validFrom: '2026-01-01T00:00:00.000Z',
      validUntil: '2026-01-11T00:00:00.000Z',
      supersededBy: after.memory.id,
    });
    expect(texts(await memory.recall({ query: 'live in Berlin', minSimilarity: 0 }))).toEqual(['I moved to Lisbon']);
    expect(texts((await memory.list({})).data)).toEqual(['I moved to Lisbon']);
    expect(texts((await memory.list({ history: true })).data)).toEqual(['I moved to Lisbon', 'I live in Berlin']);
    expect(await memory.stats()).toMatchObject({ total: 1, superseded: 1 });
  });

  it('compares what is said at the same moment with all of the others', async () => {
    const { memory } = open({ meaning: opened.meaning });
    const cities = ['Berlin', 'Lisbon', 'Porto', 'Osaka'];
    const written = await Promise.all(cities.map((city) => memory.add({ text: `I moved to ${city}` })));
    const ended = written.flatMap(({ superseded }) => superseded);
    expect(new Set(ended).size).toBe(3);
    const left = (await memory.list({})).data;
    expect(left.map(({ id }) => ended.includes(id))).toEqual([false]);
  });

  it('recalls by the share of the idf, above the bar, and counts what was used', async () => {
    const { memory, pass } = open();
    await memory.add({ text: 'We deploy the billing service with Kubernetes', type: 'procedural' });
    await memory.add({ text: 'I prefer tea', type: 'preference' });
    pass(3);
    const [found, ...others] = await memory.recall({ query: 'How do we deploy the billing service?' });
    expect(found).toMatchObject({ similarity: 1, type: 'procedural' });
    expect(others).toEqual([]);
    expect(await memory.recall({ query: 'deploy the website of the museum' })).toEqual([]);
    expect(await memory.get(found?.id ?? '')).toMatchObject({
      usageCount: 1,
      lastAccessedAt: '2026-01-04T00:00:00.000Z',
    });
  });

  it('adds 0.05 for each matching tag, and sifts by type, session and age', async () => {
    const { memory, pass } = open();
    await memory.add({ text: 'The report is due on Monday', type: 'semantic', sessionId: 'a' });
    pass(40);
    await memory.add({
      text: 'The report has two authors',
      type: 'episodic',
      tags: ['work', 'writing'],
      sessionId: 'b',
    });
    const all = { query: 'report', minSimilarity: 0 };
    expect(texts(await memory.find({ ...all, type: 'semantic' }))).toEqual(['The report is due on Monday']);
    expect(texts(await memory.find({ ...all, sessionId: 'b' }))).toEqual(['The report has two authors']);
    expect(texts(await memory.find({ ...all, maxAgeDays: 30 }))).toEqual(['The report has two authors']);
    const asked = { query: 'report garden', minSimilarity: 0 };
    const [plain] = await memory.find({ ...asked, type: 'episodic' });
    const [tagged] = await memory.find({ ...asked, tags: ['work', 'writing', 'other'] });
    expect(tagged?.text).toBe('The report has two authors');
    expect((tagged?.similarity ?? 0) - (plain?.similarity ?? 0)).toBeCloseTo(0.1, 9);
  });

  it('prunes what is old and hardly used, and a dry run takes nothing', async () => {
    const { memory, pass } = open();
    await memory.add({ text: 'I use Vim' });
    const used = await memory.add({ text: 'I speak Portuguese' });
    for (const _ of [1, 2]) await memory.recall({ query: 'speak Portuguese' });
    pass(91);
    await memory.add({ text: 'I have two cats' });
    expect(await memory.prune({ dryRun: true })).toMatchObject({ dryRun: true, pruned: 1 });
    expect((await memory.stats()).total).toBe(3);
    expect(await memory.prune()).toMatchObject({ dryRun: false, pruned: 1 });
    expect(texts((await memory.list({})).data)).toEqual(['I have two cats', used.memory.text]);
    expect(await memory.find({ query: 'Vim', minSimilarity: 0 })).toEqual([]);
  });

  it('shows nobody what another tenant, key or user is remembered for', async () => {
    const { memory } = open();
    const { memory: mine } = await memory.add({ text: 'My name is Ana', user: 'ana' });
    const strangers = [
      [open({ tenant: 'other' }).memory, 'ana'],
      [open({ principal: 'key:2' }).memory, 'ana'],
      [memory, 'ben'],
      [memory, undefined],
    ] as const;
    for (const [stranger, user] of strangers) {
      const of = user === undefined ? {} : { user };
      expect((await stranger.list({ ...of, history: true })).data).toEqual([]);
      expect(await stranger.find({ query: 'name Ana', minSimilarity: 0, ...of })).toEqual([]);
      await expect(stranger.get(mine.id, of)).rejects.toMatchObject({ code: 'not-found' });
      await expect(stranger.edit(mine.id, { text: 'My name is Eve' }, of)).rejects.toMatchObject({ code: 'not-found' });
      await expect(stranger.delete(mine.id, of)).rejects.toMatchObject({ code: 'not-found' });
      expect(await stranger.erase(of)).toBe(0);
    }
    expect(await memory.get(mine.id, { user: 'ana' })).toMatchObject({ text: 'My name is Ana' });
  });

  it('edits: what is found by is what it says now', async () => {
    const { memory } = open();
    const { memory: written } = await memory.add({ text: 'My birthday is on 3 May' });
    await memory.edit(written.id, { text: 'My anniversary is on 4 May', type: 'episodic', tags: ['dates'] });
    expect(await memory.find({ query: 'birthday' })).toEqual([]);
    const [found] = await memory.find({ query: 'my anniversary' });
    expect(found).toMatchObject({ id: written.id, type: 'episodic', tags: ['dates'] });
  });

  it.each([
    'my password is hunter2',
    'The api key for staging is abc',
    'use sk-proj-a8F3kQ9zLm2Nw7Xv1BtY',
    'My card is 4111 1111 1111 1111',
    'my token is ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'the db is at postgres://admin:s3cr3t@db.internal/main',
    'my ssn is 078-05-1120',
  ])('keeps no secret: %s', async (text) => {
    const { memory } = open();
    await expect(memory.add({ text })).rejects.toMatchObject({ code: 'invalid-request' });
    expect(await memory.remember({ text, type: 'semantic' }, {})).toBeUndefined();
    expect((await memory.stats()).total).toBe(0);
  });

  it('erases all of a user, and notes that their words are to go', async () => {
    const { memory } = open();
    for (const text of ['I live in Berlin', 'I live in Rome', 'I play chess']) await memory.add({ text });
    await memory.add({ text: 'I play go', user: 'ben' });
    expect(await memory.erase()).toBe(3);
    expect((await memory.list({ history: true })).data).toEqual([]);
    expect((await memory.stats({ user: 'ben' })).total).toBe(1);
    expect((await place.erasures.noted('default'))?.rows.filter(({ kind }) => kind === 'memory')).toHaveLength(3);
    const sql = 'SELECT memory_term.term FROM memory_term JOIN memory ON memory_term.memory = memory.row';
    expect(await place.run(sql)).toHaveLength(2);
    expect(await place.run('SELECT 1 FROM memory_term')).toHaveLength(2);
  });

  it('finds what shares the rarest words among many that share one, of equals the newest, and by its tags', async () => {
    const memories = place.tenant.memoriesOf('many');
    const at = '2026-01-01T00:00:00.000Z';
    const write = async (n: number, terms: readonly string[], tags: readonly string[] = []) => {
      const said = { text: terms.join(' '), sameKey: terms.join(' '), terms, tags };
      await memories.write({ id: `mem_many${n}`, type: 'semantic', ...said, at, origin: { at } });
    };
    for (let n = 0; n < 40; n++) await write(n, ['lantern', `pier${n}`], n === 7 ? ['b'] : ['c']);
    await write(40, ['lantern', 'granary'], ['a"b', 'x']);
    await write(41, ['otter']);
    const find = async (terms: readonly string[], k: number, minSimilarity = 0) =>
      (await memories.recall({ terms, k, minSimilarity })).map(({ id }) => id);
    expect(await find(['lantern', 'granary'], 1)).toEqual(['mem_many40']);
    expect(await find(['lantern'], 3)).toEqual(['mem_many40', 'mem_many39', 'mem_many38']);
    expect(await find(['lantern', 'pier3', 'pier5', 'absent'], 2)).toEqual(['mem_many5', 'mem_many3']);
    expect(await find(['lantern', 'granary'], 9, 0.6)).toEqual(['mem_many40']);
    expect((await memories.newest({ terms: [], k: 2 })).map(({ id }) => id)).toEqual(['mem_many41', 'mem_many40']);
    const near = await memories.near({ sameKey: 'x', terms: ['granary', 'lantern'] });
    expect(near.memories.map(({ id }) => id).slice(0, 2)).toEqual(['mem_many41', 'mem_many40']);
    const tagged = async (tag: string) => (await memories.list({ tag })).data.map(({ id }) => id);
    expect([await tagged('a"b'), await tagged('b'), await tagged('"')]).toEqual([['mem_many40'], ['mem_many7'], []]);
    await memories.countUse(['mem_many7'], '2026-02-01T00:00:00.000Z');
    expect(await memories.get('mem_many7')).toMatchObject({ usageCount: 1 });
  });

  it('loses what was said in a session that is deleted, and keeps what was said elsewhere too', async () => {
    const { memory } = open();
    const { sessions } = place.tenant;
    await sessions.create({ id: 'talk', createdAt: '2026-01-01T00:00:00.000Z' });
    await memory.add({ text: 'I keep otters', sessionId: 'talk' });
    await memory.add({ text: 'I keep herons', sessionId: 'talk' });
    await memory.add({ text: 'I keep herons', sessionId: 'other' });
    await sessions.delete('talk');
    expect(texts((await memory.list({})).data)).toEqual(['I keep herons']);
    const noted = await place.erasures.noted('default');
    expect(noted?.rows.filter(({ kind }) => kind === 'memory')).toHaveLength(1);
  });

  it('serves none that is not as it was written, and names it to whom it may be told', async () => {
    const { memory } = open();
    const { memory: written } = await memory.add({ text: 'I play chess' });
    await memory.add({ text: 'I live in Berlin' });
    await place.run(`UPDATE memory SET text = 'I play cards' WHERE id = '${written.id}'`);
    const page = await place.tenant.memoriesOf('').list({});
    expect(page).toMatchObject({ data: [{ text: 'I live in Berlin' }], damaged: [{ id: written.id }] });
    expect(texts(await memory.find({ query: 'play live', minSimilarity: 0 }))).toEqual(['I live in Berlin']);
    await expect(memory.get(written.id)).rejects.toMatchObject({ code: 'data-corrupt' });
    await expect(memory.edit(written.id, { tags: ['x'] })).rejects.toMatchObject({ code: 'data-corrupt' });
    await memory.delete(written.id);
    expect((await memory.list({ history: true })).data).toHaveLength(1);
  });
}
