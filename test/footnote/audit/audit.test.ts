// What is noted of calls: by every door in one place, changes before they are answered, and nothing of what was asked but its hash.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { sha256 } from '../../../src/core/ids.ts';
import { localScope, type Scope } from '../../../src/core/scope.ts';
import type { AuditEntry } from '../../../src/db/repositories/audit.ts';
import { openSqliteRecord } from '../../../src/db/sqlite/sqlite.ts';
import { createAuditWriter } from '../../../src/footnote/audit/audit-writer.ts';
import type { Footnote } from '../../../src/footnote/facade.ts';
import type { HttpApp } from '../../../src/http/wire/http-types.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';
import { appOf } from '../../../testkit/serve-opened.ts';

const question = 'How long is the pier?';

describe('the audit log of a Footnote', () => {
  let folder: string;
  let opened: OpenedFootnote;
  let footnote: Footnote;
  let app: HttpApp;
  let documentId: string;
  const configOf = (settings: Record<string, string> = {}) =>
    loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ...settings } });
  const newest = async (operation: string, by = footnote) => (await by.audit.list({ operation, limit: 1 })).data[0];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-audit-'));
    opened = await openFootnote(configOf(), { command: 'footnote serve' });
    footnote = opened.forScope(localScope());
    const [added] = await footnote.documents.add({
      text: 'The pier is 210 metres long.',
      uri: 'pier.md',
      source: 'notes',
    });
    documentId = added?.id ?? '';
    app = appOf(opened, {
      ownerToken: 'owner',
    });
  });
  afterAll(async () => {
    await app.close();
    await opened.close();
    await rm(folder, { recursive: true });
  });

  it('notes questions, reads and changes with what they were about', async () => {
    expect(await newest('documents.add')).toMatchObject({
      via: 'footnote serve',
      tenant: 'default',
      principal: 'local',
      targets: [documentId],
      outcome: 'done',
    });
    const answer = await footnote.ask({ question });
    expect(await newest('ask')).toMatchObject({ targets: [answer.id], query: sha256(question), outcome: 'done' });
    await footnote.documents.text(documentId);
    expect(await newest('documents.text')).toMatchObject({ targets: [documentId] });
    await expect(footnote.documents.delete('doc_none')).rejects.toMatchObject({ code: 'not-found' });
    expect(await newest('documents.delete')).toMatchObject({ targets: ['doc_none'], outcome: 'not-found' });
    await footnote.documents.list({});
    expect(await newest('documents.list')).toBeUndefined();
    expect(await footnote.audit.verify()).toMatchObject({ ok: true });
  });

  it('notes what comes through HTTP, MCP and the API of OpenAI, each with its route and request', async () => {
    const post = (url: string, payload: object, headers = {}) => app.inject({ method: 'POST', url, payload, headers });
    const asked = await post('/v1/ask', { question });
    expect(await newest('ask')).toMatchObject({
      via: 'POST /v1/ask',
      requestId: asked.headers['x-request-id'],
      ms: expect.any(Number) as number,
    });
    const messages = [{ role: 'user', content: question }];
    await post('/v1/chat/completions', { model: 'footnote', messages });
    expect(await newest('ask')).toMatchObject({ via: 'POST /v1/chat/completions', query: sha256(question) });
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'fetch', arguments: { id: documentId } },
    };
    await post('/mcp', call, { accept: 'application/json, text/event-stream' });
    const { data } = await footnote.audit.list({ target: documentId, operation: 'documents.', limit: 50 });
    expect(data.map(({ via }) => via)).toContain('POST /mcp');
    const listed = (await app.inject(`/admin/audit?limit=1&operation=ask&via=x`)).json<{ status: number }>();
    expect(listed.status).toBe(400);
    expect((await app.inject('/admin/audit?limit=2&operation=ask')).json<{ data: object[] }>().data).toHaveLength(2);
    expect((await app.inject('/admin/audit/check')).json()).toMatchObject({ ok: true });
  });

  it('notes keys and who made them, and shows an admin no other tenant', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/admin/keys',
      payload: { name: 'acme', role: 'admin', tenant: 'acme' },
    });
    const { key, secret } = reply.json<{ key: { id: string }; secret: string }>();
    expect(await newest('keys.create')).toMatchObject({
      targets: [key.id],
      principal: 'local',
      via: 'POST /admin/keys',
    });
    const scope = (await opened.keys.authenticate(secret)) as Scope;
    const theirs = opened.forScope(scope, { via: 'GET /admin/audit' });
    await theirs.search({ query: question });
    const { data } = await theirs.audit.list({ limit: 100 });
    expect(data.map(({ operation, tenant }) => [operation, tenant])).toEqual([['search', 'acme']]);
    expect(data[0]?.principal).toBe(`key:${key.id}`);
    await opened.keys.revoke(key.id);
    expect(await newest('keys.revoke')).toMatchObject({ targets: [key.id] });
    await opened.keys.open();
  });

  it('has the row of a change on the disk when its caller is answered', async () => {
    await footnote.search({ query: question });
    await footnote.memories.add({ text: 'I always moor at the old pier.' });
    // As a process that was killed leaves it: nothing more is written, another reads.
    const record = openSqliteRecord({ folder: join(folder, 'data') });
    try {
      const { data } = await record.audit.list({ limit: 2 });
      expect(data.map(({ operation }) => operation)).toEqual(['memories.add', 'search']);
    } finally {
      await record.close();
    }
  });

  it('notes which settings are in force when they are others', async () => {
    await app.close();
    await opened.close();
    for (const settings of [
      {},
      { RRF_K_CONSTANT: '7', LOG_QUERIES: 'true' },
      { RRF_K_CONSTANT: '7', LOG_QUERIES: 'true' },
    ]) {
      opened = await openFootnote(configOf(settings as Record<string, string>));
      footnote = opened.forScope(localScope());
      await footnote.search({ query: question });
      if (settings !== undefined) await opened.close();
    }
    opened = await openFootnote(configOf({ RRF_K_CONSTANT: '7', LOG_QUERIES: 'true' }));
    footnote = opened.forScope(localScope());
    const { data } = await footnote.audit.list({ operation: 'settings' });
    expect(data).toHaveLength(2);
    expect(data[0]?.targets).toContain('RRF_K_CONSTANT=7');
    expect(await newest('search')).toMatchObject({ query: question });
    expect(await footnote.audit.verify()).toMatchObject({ ok: true });
  });
});

describe('the writer of the audit log', () => {
  const entry = (operation: string): AuditEntry => ({
    at: '2026-11-29T12:00:00.000Z',
    tenant: 'default',
    principal: 'local',
    via: 'test',
    operation,
    targets: [],
    outcome: 'done',
    ms: 0,
  });

  it('writes in order what could not be written, and says how many rows it could not hold', async () => {
    const written: AuditEntry[] = [];
    let isFull = true;
    const writer = createAuditWriter({
      async append(entries) {
        if (isFull) throw new Error('no space');
        written.push(...entries);
      },
    });
    await expect(writer.write(entry('first'))).rejects.toThrow('no space');
    for (let count = 0; count < 10_004; count += 1) writer.note(entry('read'));
    await expect(writer.flush()).rejects.toThrow('no space');
    isFull = false;
    await writer.flush();
    expect(written).toHaveLength(10_001);
    expect([written[0]?.operation, written.at(-1)?.operation, written.at(-1)?.targets]).toEqual([
      'first',
      'audit.lost',
      ['5'],
    ]);
  });
});
