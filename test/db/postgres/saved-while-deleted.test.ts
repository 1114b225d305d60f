// What is saved while something is deleted, on connections that overlap: whoever saves has looked for what was deleted and has not yet written when the
// deletion begins. Afterwards nothing of what was deleted is there.
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAnswerRepository } from '../../../src/db/both/answers.ts';
import { createDocumentOpensRepository } from '../../../src/db/both/document-opens.ts';
import { createIdempotencyRepository } from '../../../src/db/both/idempotency.ts';
import { createTraceRepository, openTraceGroups } from '../../../src/db/both/traces.ts';
import { type Connection, createPostgresClient, type PostgresClient } from '../../../src/db/postgres/client/client.ts';
import { createStatements } from '../../../src/db/postgres/client/statements.ts';
import { deletionGuard as guard, saversOf } from '../../../src/db/postgres/erased.ts';
import { holdTenantSql } from '../../../src/db/postgres/tenant-lock.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';
import { at, createAnswer, createTurn } from '../../../testkit/record-suite/answer-fixture.ts';
import { answerOn, sweepAll } from '../../../testkit/record-suite/erasures.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();
const route = 'POST /v1/ask';

/** Before the first statement of the text `before` something else begins, once. */
function interrupted(client: PostgresClient, before: string, work: () => Promise<void>): PostgresClient {
  let isDone = false;
  const over = (connection: Connection): Connection => ({
    ...connection,
    async ask(sql, values) {
      if (!isDone && sql.includes(before)) {
        isDone = true;
        await work();
      }
      return connection.ask(sql, values);
    },
  });
  return { ...client, write: (work, options) => client.write((connection) => work(over(connection)), options) };
}

describe.skipIf(programs === undefined)(
  'what is saved while it is deleted (skipped where no server is installed)',
  () => {
    const place = postgresForEachTest(programs ?? '');

    /** Until it is done or waits for a lock. */
    async function begun(work: Promise<unknown>): Promise<void> {
      let isDone = false;
      void work.then(() => (isDone = true));
      while (!isDone && (await place.run('SELECT 1 FROM pg_locks WHERE NOT granted')).length === 0) await setTimeout(5);
    }

    const scope = scopeOf();
    const saves = {
      answer: (client: PostgresClient, answer: ReturnType<typeof createAnswer>) =>
        createAnswerRepository(scope, createStatements(client, 'answers default', saversOf('default')), guard).save(
          answer,
          at(1),
        ),
      trace: (client: PostgresClient, answer: ReturnType<typeof createAnswer>) => {
        const ports = { statements: createStatements(client, 'traces default', saversOf('default')), guard };
        const groups = openTraceGroups(
          () => ports,
          () => true,
        );
        const session = answer.sessionId === undefined ? {} : { sessionId: answer.sessionId };
        const trace = { id: 'trc', kind: 'ask' as const, ...session, startedAt: at(1), totalMs: 1, eventCount: 1 };
        return createTraceRepository(scope, { ...ports, groups }).save(trace, [
          { seq: 1, atMs: 0, event: { type: 'done', answer } },
        ]);
      },
      reply: (client: PostgresClient, answer: ReturnType<typeof createAnswer>) =>
        createIdempotencyRepository(
          scope,
          createStatements(client, 'idempotency default', saversOf('default')),
          guard,
        ).finish(route, 'key', { requestHash: 'hash', status: 200, body: JSON.stringify(answer) }),
    };
    const kept = async (): Promise<string> =>
      JSON.stringify([
        await place.tenant.answers.get('ans'),
        (await place.tenant.traces.get('trc'))?.events,
        await place.tenant.idempotency.read(route, 'key'),
      ]);

    it.each([
      ['answer', 'INSERT INTO answer '],
      ['trace', 'INSERT INTO trace'],
      ['reply', 'INSERT INTO idempotency'],
    ] as const)('goes with a document: %s', async (what, before) => {
      const write = createWrite('Otters swim at dawn.', { id: 'gone', uri: 'gone.md' });
      await place.tenant.commit([{ kind: 'put-document', write }]);
      await place.tenant.idempotency.begin(route, 'key', 'hash');
      const client = createPostgresClient(place.address);
      let deleted: Promise<unknown> | undefined;
      const saver = interrupted(client, before, async () => {
        deleted = place.tenant.commit([{ kind: 'delete-document', id: 'gone' }]).then(() => sweepAll(place.erasures));
        await begun(deleted);
      });
      await saves[what](saver, answerOn('ans', [write]));
      await deleted;
      expect(deleted).toBeDefined();
      expect(await kept()).not.toContain('Otters');
      await client.close();
    });

    it.each([
      ['answer', 'INSERT INTO answer '],
      ['trace', 'INSERT INTO trace'],
      ['reply', 'INSERT INTO idempotency'],
    ] as const)('goes with a session: %s', async (what, before) => {
      const answer = { ...createAnswer('ans', 'Otters swim.'), sessionId: 's' };
      await place.tenant.sessions.appendTurn({ ...createTurn('s', 1), answer });
      await place.tenant.idempotency.begin(route, 'key', 'hash');
      const client = createPostgresClient(place.address);
      let deleted: Promise<unknown> | undefined;
      const saver = interrupted(client, before, async () => {
        deleted = place.tenant.sessions.delete('s').then(() => sweepAll(place.erasures));
        await begun(deleted);
      });
      await saves[what](saver, answer);
      await deleted;
      expect(deleted).toBeDefined();
      expect(await kept()).not.toContain('Otters');
      await client.close();
    });

    it.each(['INSERT INTO document_opens', 'SELECT id FROM document'])(
      'leaves no count of how often a document was opened: %s',
      async (before) => {
        const write = createWrite('Otters swim at dawn.', { id: 'gone', uri: 'gone.md' });
        await place.tenant.commit([{ kind: 'put-document', write }]);
        const client = createPostgresClient(place.address);
        let deleted: Promise<unknown> | undefined;
        const opening = interrupted(client, before, async () => {
          deleted = place.tenant.commit([{ kind: 'delete-document', id: 'gone' }]);
          await begun(deleted);
        });
        // As the record makes it, over a client that something comes between.
        const opens = createDocumentOpensRepository('default', {
          statements: createStatements(opening, 'opens default'),
          hold: holdTenantSql,
          access: { sql: 'true', parameters: [] },
        });
        await opens.add([{ documentId: 'gone', opens: 2 }], at(1));
        await deleted;
        expect(deleted).toBeDefined();
        expect(await place.run('SELECT * FROM document_opens')).toEqual([]);
        await client.close();
      },
    );

    it('is not a reply that comes after its session is gone', async () => {
      const answer = { ...createAnswer('ans', 'Otters swim.'), sessionId: 's' };
      await place.tenant.sessions.appendTurn({ ...createTurn('s', 1), answer });
      await place.tenant.idempotency.begin(route, 'key', 'hash');
      await place.tenant.sessions.delete('s');
      await sweepAll(place.erasures);
      const body = JSON.stringify(answer);
      await place.tenant.idempotency.finish(route, 'key', { requestHash: 'hash', status: 200, body });
      expect(await place.tenant.idempotency.read(route, 'key')).toMatchObject({ status: 404 });
    });

    it('is kept of the first message to a session whose id was deleted before, and of no message that was under way', async () => {
      const { sessions, answers } = place.tenant;
      await sessions.appendTurn(createTurn('s', 1));
      const before = await sessions.deletionMark();
      await sessions.delete('s');
      const since = await sessions.deletionMark();
      for (const [n, mark, isKept] of [
        [2, before, false],
        [3, since, true],
        [4, before, false],
      ] as const) {
        const turn = createTurn('s', n);
        const answer = { ...turn.answer, sessionId: 's' };
        const appended = sessions.appendTurn({ ...turn, answer }, { since: mark });
        const [kept] = await Promise.allSettled([appended, answers.save(answer, at(n))]);
        expect([n, kept.status]).toEqual([n, isKept ? 'fulfilled' : 'rejected']);
        expect([n, await answers.get(answer.id)]).toEqual([n, isKept ? answer : undefined]);
      }
    });

    it('is looked at by the clock of the database, whatever a server had', async () => {
      const write = createWrite('Otters swim at dawn.', { id: 'gone', uri: 'gone.md' });
      await place.tenant.commit([{ kind: 'put-document', write }]);
      await place.tenant.commit([{ kind: 'delete-document', id: 'gone' }]);
      await place.run("UPDATE erasure SET noted_at = '2020-01-01T00:00:00.000Z'");
      await sweepAll(place.erasures);
      await place.tenant.answers.save(answerOn('ans', [write]), at(1));
      expect(await kept()).not.toContain('Otters');
    });
  },
);
