import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import { randomIds, systemClock } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite/sqlite.ts';
import { createSessions, recentTurns } from '../../src/memory/sessions.ts';

const answer: Answer = {
  id: 'ans_1',
  traceId: 'trc_1',
  mode: 'embedded',
  intent: 'faq',
  answer: 'I cannot answer that.',
  claims: [],
  citations: [],
  conflicts: [],
  sources: [],
  abstained: true,
  abstainReason: 'Nothing was found.',
  ragEnabled: true,
  confidence: 0,
  coverage: 0,
  routing: { sources: [], reason: 'all' },
  degraded: [],
  usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 0, costUsd: 0 },
  timings: { totalMs: 1 },
};

describe('createSessions', () => {
  let folder: string;
  let database: SqliteRecordDatabase;
  const open = (tenant?: string) => createSessions(database.forScope(localScope(tenant)), systemClock, randomIds);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-sessions-'));
    database = openSqliteRecord({ folder });
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('creates a session with its first turn and keeps the order', async () => {
    const sessions = open();
    for (let n = 1; n <= recentTurns + 2; n += 1)
      await sessions.append({ id: `t${n}`, sessionId: 'chat', content: `q${n}`, resolvedQuestion: `q${n}`, answer });
    expect((await sessions.get('chat')).turnCount).toBe(recentTurns + 2);
    const recent = await sessions.recent('chat');
    expect(recent).toHaveLength(recentTurns);
    expect(recent.map((turn) => turn.content)).toEqual(['q3', 'q4', 'q5', 'q6', 'q7', 'q8']);
  });

  it('says which session is not there, and does not show those of other tenants', async () => {
    await expect(open().get('nobody')).rejects.toMatchObject({ code: 'not-found' });
    await expect(open('other').get('chat')).rejects.toMatchObject({ code: 'not-found' });
    await expect(open().delete('nobody')).rejects.toMatchObject({ code: 'not-found' });
    expect(await open('other').recent('chat')).toEqual([]);
  });

  it.each(['', 'a b', 'x'.repeat(129), '../x'])('refuses the id %j', async (id) => {
    await expect(open().recent(id)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('forgets a deleted session', async () => {
    const sessions = open();
    const { id } = await sessions.create({ title: 'T' });
    await sessions.delete(id);
    await expect(sessions.turns(id, 5)).rejects.toMatchObject({ code: 'not-found' });
  });
});
