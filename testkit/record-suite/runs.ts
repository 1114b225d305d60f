// What every database of the record has to do with runs: their files, what reading taught, keys of requests, keys of callers, the audit log.
// Run over each adapter by test/db.
import { expect, it } from 'vitest';
import type { Ingestion } from '../../src/core/documents/runs.ts';
import { createWrite, scopeOf } from '../record-fixture.ts';
import { at } from './answer-fixture.ts';
import type { SuitePlace } from './place.ts';

export function runSuite(place: SuitePlace): void {
  const counts = { found: 2, done: 1, unchanged: 0, failed: 1, deleted: 0, chunks: 3 };
  const ingestion: Ingestion = { id: 'i', source: 's', state: 'running', startedAt: at(1), counts };

  it('runs keep the outcome of each file, idempotent by uri, and are hidden from readers', async () => {
    const { ingestions } = place.forScope(scopeOf('default', 'w', 'writer'));
    await ingestions.put(ingestion);
    await ingestions.putFiles('i', [
      { uri: 'a', state: 'pending' },
      { uri: 'b', state: 'failed', error: { code: 'invalid-media', message: 'damaged' } },
    ]);
    await ingestions.putFiles('i', [{ uri: 'a', state: 'done', documentId: 'd', chunks: 3, warnings: ['w'] }]);
    expect((await ingestions.files('i', {})).data).toEqual([
      { uri: 'a', state: 'done', documentId: 'd', chunks: 3, warnings: ['w'] },
      { uri: 'b', state: 'failed', error: { code: 'invalid-media', message: 'damaged' } },
    ]);
    expect((await ingestions.files('i', { state: 'failed', limit: 1 })).data.map(({ uri }) => uri)).toEqual(['b']);
    const reader = place.forScope(scopeOf('default', 'r', 'reader')).ingestions;
    expect(await reader.get('i')).toBeUndefined();
    expect((await reader.files('i', {})).data).toEqual([]);
  });

  it('runs tell the files of documents that the caller may not read to others alone', async () => {
    const { ingestions } = place.tenant;
    const restricted = createWrite('otter pay', { id: 'pay', uri: 'c-pay.md', access: ['board'] });
    await place.tenant.commit([{ kind: 'put-document', write: restricted }]);
    await ingestions.put(ingestion);
    const failed = { state: 'failed', error: { code: 'invalid-media', message: 'damaged' } } as const;
    const files = [
      { uri: 'a', ...failed },
      { uri: 'b-bonus.pdf', ...failed, access: ['board'] },
      { uri: 'c-pay.md', state: 'done', documentId: 'pay', chunks: 1, warnings: ['pay'] },
      { uri: 'd', ...failed },
      { uri: 'e', state: 'pending' },
    ] as const;
    await ingestions.putFiles('i', files);
    const all = files.map((file) => ({ ...file }));
    for (const file of all) if ('access' in file) Reflect.deleteProperty(file, 'access');
    expect((await ingestions.files('i', {})).data).toEqual(all);
    const [of, ofBoard] = [[], ['board']].map(
      (groups) => place.forScope(scopeOf('default', 'w', 'writer', groups)).ingestions,
    );
    if (!of || !ofBoard) throw new Error('There is nobody.');
    expect((await ofBoard.files('i', {})).data).toEqual(all);
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Awaited<ReturnType<typeof of.files>> = await of.files('i', { limit: 1, ...(cursor && { cursor }) });
      seen.push(...page.data.map(({ uri }) => uri));
      cursor = page.nextCursor;
      expect(Buffer.from(cursor ?? '', 'base64url').toString()).not.toMatch(/pay|bonus/u);
    }
    expect(seen).toEqual(['a', 'd', 'e']);
  });

  it('runs that end late tell nothing of a document that was deleted meanwhile', async () => {
    const { ingestions } = place.tenant;
    const [kept, gone] = ['kept', 'gone'].map((id) => createWrite(`otter ${id}`, { id, uri: `${id}.md` }));
    if (!kept || !gone) throw new Error('There is nothing.');
    await place.tenant.commit([kept, gone].map((write) => ({ kind: 'put-document', write })));
    await ingestions.put(ingestion);
    await place.tenant.commit([{ kind: 'delete-document', id: 'gone' }]);
    const file = (id: string) =>
      ({ uri: `${id}.md`, state: 'done', documentId: id, chunks: 1, warnings: [id] }) as const;
    await ingestions.putFiles('i', [file('kept'), file('gone'), { uri: 'later.md', state: 'pending' }]);
    expect((await ingestions.files('i', {})).data).toEqual([
      { uri: 'erased:gone', state: 'done', documentId: 'gone', chunks: 1 },
      file('kept'),
      { uri: 'later.md', state: 'pending' },
    ]);
  });

  it('idempotency keys let one of many through, answer the others, and are free again after a failure or a day', async () => {
    const { idempotency } = place.forScope(scopeOf());
    const claims = await Promise.all(Array.from({ length: 5 }, () => idempotency.begin('POST /x', 'k', 'h')));
    expect(claims.map(String).sort()).toEqual(['new', 'running', 'running', 'running', 'running']);
    await idempotency.release('POST /x', 'k');
    expect(await idempotency.begin('POST /x', 'k', 'h')).toBe('new');
    await idempotency.finish('POST /x', 'k', { requestHash: 'h', status: 202, body: '{}' });
    await idempotency.release('POST /x', 'k');
    expect(await idempotency.begin('POST /x', 'k', 'other')).toEqual({ requestHash: 'h', status: 202, body: '{}' });
    expect(await idempotency.begin('POST /y', 'k', 'h')).toBe('new');
    expect(await idempotency.read('POST /y', 'k')).toBeUndefined();
    expect(await idempotency.read('POST /x', 'k')).toEqual({ requestHash: 'h', status: 202, body: '{}' });
    expect(await place.forScope(scopeOf('default', 'other')).idempotency.read('POST /x', 'k')).toBeUndefined();
    expect(await place.forScope(scopeOf('default', 'other')).idempotency.begin('POST /x', 'k', 'h')).toBe('new');
    await place.run('UPDATE idempotency SET created_ms = created_ms - 25 * 3600000');
    expect(await idempotency.read('POST /x', 'k')).toBeUndefined();
    expect(await idempotency.begin('POST /x', 'k', 'h')).toBe('new');
  });

  it('idempotency keys forget a reply, and those of another route that hold a text, of one caller alone', async () => {
    const [mine, others] = ['one', 'other'].map((id) => place.forScope(scopeOf('default', id)).idempotency);
    if (!mine || !others) throw new Error('There is nobody.');
    const keep = async (of: typeof mine, route: string, key: string, body: string) =>
      of.finish(route, key, { requestHash: '', status: 200, body });
    for (const one of [mine, others]) {
      await keep(one, 'kept', 'a', '{"id":"a"}');
      await keep(one, 'kept', 'b', '{"id":"b","before":"a"}');
      await keep(one, 'POST /x', 'k1', '{"id":"a"}');
      await keep(one, 'POST /x', 'k2', '{"id":"b","before":"a"}');
    }
    await mine.replace('kept', 'a', { requestHash: '', status: 200, body: '{"id":"a","more":1}' });
    expect(await mine.read('kept', 'a')).toEqual({ requestHash: '', status: 200, body: '{"id":"a","more":1}' });
    expect((await others.read('kept', 'a'))?.body).toBe('{"id":"a"}');
    await mine.forget('kept', 'a', { route: 'POST /x', holding: '"id":"a"' });
    await mine.replace('kept', 'a', { requestHash: '', status: 200, body: '{}' });
    const left = async (one: typeof mine) =>
      Promise.all(
        [
          ['kept', 'a'],
          ['kept', 'b'],
          ['POST /x', 'k1'],
          ['POST /x', 'k2'],
        ].map(async ([route = '', key = '']) => (await one.read(route, key)) !== undefined),
      );
    expect(await left(mine)).toEqual([false, true, false, true]);
    expect(await left(others)).toEqual([true, true, true, true]);
    // What is older than a day goes when another is kept.
    await place.run('UPDATE idempotency SET created_ms = created_ms - 25 * 3600000');
    await keep(mine, 'kept', 'c', '{}');
    expect(await place.run('SELECT 1 FROM idempotency')).toHaveLength(1);
  });

  it('what reading taught is of a file wherever it stands, however long its address, until it is forgotten', async () => {
    const { readings } = place.tenant;
    const long = `a/${'long'.repeat(2000)}.pdf`;
    const failure = {
      ...{ source: 's', uri: long, contentHash: 'h', kind: '.pdf', readers: 'r', tries: 1, failedAt: at(1) },
      error: { code: 'invalid-media', message: 'dam\u0000aged' },
    };
    await readings.putFailure(failure);
    await readings.putFailure({ ...failure, tries: 2 });
    expect(await readings.failure({ ...failure, source: 'other', uri: 'b' })).toEqual({ ...failure, tries: 2 });
    expect(await readings.failure({ ...failure, kind: '.doc' })).toBeUndefined();
    await readings.putFailure({ ...failure, uri: 'b', contentHash: 'i' });
    const first = await readings.failures({ limit: 1 });
    expect(first.data.map(({ uri }) => uri)).toEqual([long]);
    const next = await readings.failures({ limit: 1, ...(first.nextCursor && { cursor: first.nextCursor }) });
    expect(next.data.map(({ uri }) => uri)).toEqual(['b']);
    expect((await readings.failures({ at: 'b', source: 's' })).data).toHaveLength(1);
    expect((await readings.failures({ minTries: 2 })).data).toHaveLength(1);
    await readings.putItems('s', [{ uri: long, version: '1', contentHash: 'h' }]);
    await readings.putItems('s', [{ uri: long, version: '2', contentHash: 'i' }]);
    expect(await readings.items('s')).toEqual([{ uri: long, version: '2', contentHash: 'i' }]);
    const container = { source: 's', uri: 'x.zip', contentHash: 'h', readers: 'r', isComplete: false };
    await readings.putContainer(container);
    await readings.putContainer({ ...container, isComplete: true });
    expect(await readings.container('s', 'x.zip')).toEqual({ ...container, isComplete: true });
    expect(await place.forScope(scopeOf('other')).readings.containers('s')).toEqual([]);
    expect(await place.forScope(scopeOf('default', 'r', 'reader')).readings.items('s')).toEqual([]);
    await readings.forget('s', [long, 'x.zip']);
    expect(await readings.items('s')).toEqual([]);
    expect(await readings.containers('s')).toEqual([]);
    expect((await readings.failures({})).data.map(({ uri }) => uri)).toEqual(['b']);
  });

  it('keys open by their secret, by the one before for a while, and never once they are revoked or lifted', async () => {
    const { keys } = place;
    const key = {
      id: 'k',
      name: 'n',
      tenant: 't',
      role: 'reader' as const,
      groups: ['g'],
      createdAt: at(1),
      sources: ['s'],
    };
    expect(await keys.hasAny()).toBe(false);
    await keys.create(key, 'one');
    expect(await keys.findByHash('one', at(2))).toEqual(key);
    expect(await keys.rotate('k', 'two', { previousUntil: at(5), at: at(2) })).toBe(true);
    expect((await keys.findByHash('one', at(4)))?.id).toBe('k');
    expect(await keys.findByHash('one', at(6))).toBeUndefined();
    await keys.used('k', at(3));
    expect((await keys.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([at(3)]);
    const take = (amount: number, since = at(1)) => keys.take('k', 'requests', { since, amount, most: 4 });
    expect(await take(2.5)).toEqual({ granted: 2.5, left: 1.5 });
    expect(await take(1, at(0))).toEqual({ granted: 1, left: 0.5 });
    expect(await take(1)).toEqual({ granted: 0.5, left: 0 });
    expect(await take(-1.5)).toEqual({ granted: -1.5, left: 1.5 });
    expect(await keys.taken('k', 'requests', at(1))).toBe(2.5);
    expect(await keys.taken('k', 'requests', at(2))).toBe(0);
    expect(await take(9, at(2))).toEqual({ granted: 4, left: 0 });
    expect((await take(-1, at(1))).granted).toBe(0);
    expect((await take(-1, at(3))).granted).toBe(0);
    expect(await keys.taken('k', 'requests', at(2))).toBe(4);
    expect(await keys.countActive(at(3))).toBe(1);
    expect(await keys.revoke('k', at(7))).toBe(true);
    expect(await keys.revoke('k', at(8))).toBe(false);
    expect(await keys.rotate('k', 'three', { previousUntil: at(9), at: at(8) })).toBe(false);
    expect([await keys.countActive(at(8)), await keys.hasAny()]).toEqual([0, true]);
    expect(await keys.liftAll(at(9))).toBe(1);
    expect([await keys.findByHash('two', at(9)), await keys.hasAny()]).toEqual([undefined, false]);
  });

  it('the audit log is one chain whoever writes, and tells what was changed in it', async () => {
    const { audit } = place;
    const entry = {
      at: at(1),
      tenant: 't',
      principal: 'p',
      via: 'http',
      operation: 'documents.get',
      targets: ['a'],
      outcome: 'done',
      ms: 1.5,
    };
    await audit.noteSettings({ ...entry, operation: 'settings', targets: ['x'] });
    await audit.noteSettings({ ...entry, operation: 'settings', targets: ['x'] });
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => audit.append([{ ...entry, targets: [`"a",${n}`, 'b'], ms: n }, entry])),
    );
    expect(await audit.verify()).toMatchObject({ ok: true, rows: 17, first: 1 });
    expect((await audit.list({ target: 'b' })).data).toHaveLength(8);
    expect((await audit.list({ target: '"a",3' })).data).toHaveLength(1);
    expect((await audit.list({ operation: 'documents.' })).data).toHaveLength(16);
    const page = await audit.list({ limit: 2, tenant: 't' });
    expect(page.data.map(({ seq }) => seq)).toEqual([17, 16]);
    expect((await audit.list({ limit: 1, ...(page.nextCursor && { cursor: page.nextCursor }) })).data[0]?.seq).toBe(15);
    expect(await audit.cut({ ...entry, at: at(2) }, at(2), 5)).toBe(5);
    expect(await audit.verify()).toMatchObject({ ok: true, rows: 13, first: 6 });
    await place.run("UPDATE audit SET principal = 'other' WHERE seq = 9");
    expect((await audit.verify()).faults).toHaveLength(1);
    // An end that is told to be before the last row stops nobody, and is missed.
    await place.run('UPDATE audit_head SET seq = seq - 3');
    await audit.append([entry]);
    expect((await audit.verify()).ok).toBe(false);
    expect((await audit.list({ limit: 1 })).data[0]).toMatchObject({ seq: 20 });
  });
}
