// What is made under a key of a request, and the note of it with the key. Run over each database by test/db.
import { expect, it } from 'vitest';
import { type EffectKind, underKey } from '../../src/core/keyed/effects.ts';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import { scopeOf } from '../record-fixture.ts';
import { at, createAnswer, createTurn } from './answer-fixture.ts';
import type { SuitePlace } from './place.ts';

type Make = (record: TenantRecord, id: string) => Promise<unknown>;
const counts = { found: 0, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 };
const said = (id: string) => ({
  text: `Said ${id}.`,
  sameKey: id,
  topic: '',
  terms: [id],
  tags: [],
  origin: { at: at(1) },
});

export function effectSuite(place: SuitePlace & { markInterrupted(): Promise<unknown> }): void {
  const makers: readonly (readonly [EffectKind, Make, table: string])[] = [
    ['session', ({ sessions }, id) => sessions.create({ id, createdAt: at(1) }), 'session'],
    [
      'answer',
      ({ sessions }, id) => sessions.appendTurn({ ...createTurn(id, 1), answer: createAnswer(id, 'Yes.') }),
      'turn',
    ],
    ['answer', ({ answers }, id) => answers.save(createAnswer(id, 'Yes.'), at(1)), 'answer'],
    [
      'run',
      ({ ingestions }, id) => ingestions.put({ id, source: 's', state: 'running', startedAt: at(1), counts }),
      'ingestion',
    ],
    [
      'upload',
      ({ uploads }, id) =>
        uploads.put({ id, name: 'a', mime: '', purpose: 'assistants', size: 1, createdAt: at(1) }, new Uint8Array(1)),
      'upload',
    ],
    [
      'attached',
      ({ uploads }, runId) =>
        uploads.putAttached([
          { source: runId, uri: 'a', fileId: 'f', runId, createdAt: at(1), state: 'pending', facts: {} },
        ]),
      'attached_file',
    ],
    ['source', ({ commit }, name) => commit([{ kind: 'put-source', source: { name, type: 'docs' } }]), 'source'],
    [
      'key',
      (_, id) => place.keys.create({ id, name: id, tenant: 't', role: 'reader', groups: [], createdAt: at(1) }, id),
      'api_key',
    ],
    [
      'memory',
      ({ memoriesOf }, id) => memoriesOf('').write({ id, type: 'semantic', at: at(1), ...said(id) }),
      'memory',
    ],
  ];
  const scope = scopeOf();
  const begin = (key: string, hash = 'h') => place.tenant.idempotency.begin('POST /x', key, hash);
  const under = (key: string, work: () => Promise<unknown>, isOpen = () => true) =>
    underKey({ tenant: scope.tenant, principal: scope.principal.id, route: 'POST /x', key, made: {}, isOpen }, work);

  it.each(makers.map((one) => [`${one[0]} (${one[2]})`, ...one] as const))(
    'is noted with its key in one commit: %s',
    async (_, kind, make) => {
      await begin('k');
      await under('k', () => make(place.tenant, 'made'));
      expect(await begin('k')).toBe('running');
      await place.markInterrupted();
      const [made, ...more] = [await begin('k'), await begin('k'), await begin('k', 'other')];
      expect(made).toEqual({ made: { [kind]: expect.stringContaining('made') } });
      expect(more).toEqual(['running', 'running']);
    },
  );

  it('is known to the next request under the key where the first one failed, to that of the same body alone', async () => {
    await begin('k');
    await under('k', () => place.tenant.sessions.create({ id: 's', createdAt: at(1) }));
    await expect(under('k', () => place.tenant.sessions.create({ id: 's', createdAt: at(1) }))).rejects.toMatchObject({
      code: 'conflict',
    });
    await place.tenant.idempotency.release('POST /x', 'k');
    expect(await begin('k', 'other')).toMatchObject({ requestHash: 'h' });
    expect(await begin('k')).toEqual({ made: { session: 's' } });
    await place.tenant.idempotency.release('POST /x', 'k');
    expect(await begin('k')).toEqual({ made: { session: 's' } });
    await place.tenant.idempotency.finish('POST /x', 'k', { requestHash: 'h', status: 201, body: '{}' });
    expect(await begin('k')).toEqual({ requestHash: 'h', status: 201, body: '{}' });
  });

  it('is no business of the key of a request that was replied to, or of another one', async () => {
    await begin('k');
    await under(
      'k',
      () => place.tenant.sessions.create({ id: 's', createdAt: at(1) }),
      () => false,
    );
    await place.tenant.sessions.create({ id: 't', createdAt: at(1) });
    const others = place.forScope(scopeOf('default', 'other')).idempotency;
    await others.begin('POST /x', 'k', 'h');
    await under('k', () => place.tenant.sessions.create({ id: 'u', createdAt: at(1) }));
    await place.markInterrupted();
    expect([await begin('k'), await others.begin('POST /x', 'k', 'h')]).toEqual([{ made: { session: 'u' } }, 'new']);
  });

  it('is not replied again where it is an answer that was deleted before its reply was kept', async () => {
    const { answers, sessions, idempotency } = place.tenant;
    const answer = createAnswer('made', 'Otters swim.');
    const finished = async (key: string) => {
      await idempotency.finish('POST /x', key, { requestHash: 'h', status: 200, body: JSON.stringify(answer) });
      return begin(key);
    };
    for (const key of ['deleted', 'kept', 'unsaved', 'turn']) await begin(key);
    await under('deleted', () => answers.save(answer, at(1)));
    await answers.delete('made');
    expect(await finished('deleted')).toMatchObject({ status: 404, body: expect.not.stringContaining('Otters') });
    expect(await finished('unsaved')).toMatchObject({ status: 200 });
    await under('turn', () => sessions.appendTurn({ ...createTurn('s', 1), answer }));
    expect(await finished('turn')).toMatchObject({ status: 200 });
    await under('kept', () => answers.save(answer, at(1)));
    expect(await finished('kept')).toMatchObject({ status: 200 });
  });
}
