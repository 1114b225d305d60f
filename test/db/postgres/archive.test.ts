// The archive of conversations in PostgreSQL: what testkit/record-suite/archive-imports.ts asks of every database, and what goes with a conversation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createArchiveChatRepository } from '../../../src/db/both/archive/chats.ts';
import { archiveOver } from '../../../testkit/archive-fixture.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { scopeOf, temporaryFolder } from '../../../testkit/record-fixture.ts';
import { archiveImportSuite } from '../../../testkit/record-suite/archive-imports.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('the archive in PostgreSQL (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  let files: ReturnType<typeof temporaryFolder>;
  beforeAll(() => {
    files = temporaryFolder();
  });
  afterAll(() => files.remove());
  const record = {
    get folder() {
      return files.folder;
    },
    ports: (tenant: string) => place.record.archivePortsOf(tenant),
  };
  archiveImportSuite(record);

  it('loses a conversation with what was answered out of it, notes it, and finds the rest after a restart', async () => {
    const archive = archiveOver(record);
    const said = (text: string, turn_id: string) => [{ role: 'user', text, turn_id }];
    await archive.of().addTurns({ id: 'c' }, said('The granary of Arkvik is empty', 't1'));
    await archive.of().addTurns({ id: 'd' }, said('The granary of Brenn is full', 't2'));
    const chats = createArchiveChatRepository(scopeOf(), place.record.archivePortsOf('default'));
    const at = '2026-11-23T12:00:00.000Z';
    const answer = { text: 'Empty.' } as unknown as Parameters<typeof chats.add>[0]['answer'];
    await chats.add({ id: 'x', question: 'Arkvik?', answer, conversations: ['c'], at });
    await chats.add({ id: 'y', question: 'Brenn?', answer, conversations: ['d'], at });
    await chats.add({ id: 'z', question: 'Nowhere?', answer, conversations: ['gone'], at });
    await archive.of().delete('c');
    expect([await chats.lastQuestion('x'), await chats.lastQuestion('y'), await chats.lastQuestion('z')]).toEqual([
      undefined,
      'Brenn?',
      undefined,
    ]);
    expect((await place.erasures.noted('default'))?.rows).toMatchObject([{ kind: 'memory', id: 'conversation:c' }]);
    expect(await chats.delete('y')).toBe(true);
    const noted = await place.erasures.noted('default');
    expect(noted?.rows.map(({ kind }) => kind).sort()).toEqual(['memory', 'session']);
    await place.reopen();
    const again = archiveOver(record);
    expect((await again.of().peek({ query: 'granary' })).total.hits).toBe(1);
    expect((await again.of().list({})).data.map((one) => one.conversation_id)).toEqual(['d']);
  });
});
