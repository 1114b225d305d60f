// A Footnote whose record is in PostgreSQL: reads a folder, answers with citations, keeps sessions and traces, replays them, and says by name what it
// cannot do yet. Another process with a folder of its own goes on where this one ended.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Filter } from '../../src/core/search.ts';
import { openPostgresRecord } from '../../src/db/postgres/postgres-record.ts';
import type { DocumentPage } from '../../src/db/repositories/documents.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { createShadowUpkeep } from '../../src/stores/embedded/shadow/shadow-upkeep.ts';
import { shadowOf } from '../../src/stores/embedded/shadow/shadows.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';

const programs = postgresPrograms();
const question = 'How many berths does the harbour of Arkvik have?';
const files: Readonly<Record<string, string>> = {
  'harbour.md':
    '# The harbour of Arkvik\n\nThe harbour of Arkvik has forty berths and one crane.\n\nThe crane lifts nine tonnes.\n',
  'tides.md': '# Tides\n\nAt Arkvik the spring tide rises by three metres. The pier stays dry.\n',
};

describe.skipIf(programs === undefined)('a Footnote on PostgreSQL (skipped where no server is installed)', () => {
  let server: PostgresServer;
  let address: string;
  let folder: string;
  let opened: OpenedFootnote;
  let footnote: Footnote;

  async function open(data: string, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const environment = { FOOTNOTE_DATA: join(folder, data), FOOTNOTE_DATABASE_URL: address, ...settings };
    opened = await openFootnote(loadConfig({ folder, environment }));
    footnote = opened.forScope(localScope());
  }

  async function ingest(): Promise<void> {
    await mkdir(join(folder, 'notes'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'notes', name), text);
    const connector = { kind: 'folder', path: join(folder, 'notes') } as const;
    await footnote.sources.put({ name: 'notes', type: 'docs', connector });
    const run = await footnote.sources.sync('notes');
    expect(run.error).toBeUndefined();
    expect(run).toMatchObject({ state: 'done', counts: { done: 2, failed: 0 } });
  }

  beforeAll(async () => {
    server = await openPostgresServer(programs ?? '');
  });
  afterAll(() => server?.remove());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-on-postgres-'));
    address = await server.createDatabase();
    await open('data');
  });
  afterEach(async () => {
    await opened.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('reads a folder, answers from it with citations, and replays what it said', async () => {
    await ingest();
    const answer = await footnote.ask({ question });
    const [first] = answer.citations;
    expect([first?.uri, first?.quote]).toEqual(['harbour.md', expect.stringContaining('forty berths')]);
    expect(await footnote.traces.replay(answer.traceId)).toMatchObject({ same: true, sameCalls: true });
    expect(await footnote.answers.get(answer.id)).toEqual(answer);
    expect((await footnote.stores.list())[0]).toMatchObject({ name: 'embedded', status: 'ok' });
    expect(await opened.health()).toMatchObject({ record: { synchronous: 'on' } });
    expect(JSON.stringify(await opened.health())).not.toContain(server.password);
  });

  it('goes on elsewhere with all that was kept', async () => {
    await ingest();
    const first = await footnote.sessions.send('talk', { content: question });
    await opened.close();
    await open('other-data');
    const second = await footnote.sessions.send('talk', { content: 'What does its crane lift?' });
    expect(second.citations.map(({ uri }) => uri)).toContain('harbour.md');
    const turns = await footnote.sessions.turns('talk', 5);
    expect(turns.map(({ answer }) => answer.id)).toEqual([first.id, second.id]);
    expect(await footnote.traces.replay(first.traceId)).toMatchObject({ same: true });
    const run = await footnote.sources.sync('notes');
    expect(run).toMatchObject({ state: 'done', counts: { unchanged: 2 } });
  });

  it('takes what was deleted out of all that was kept', async () => {
    await ingest();
    const answer = await footnote.sessions.send('talk', { content: question });
    await rm(join(folder, 'notes', 'harbour.md'));
    expect(await footnote.sources.sync('notes')).toMatchObject({ state: 'done', counts: { deleted: 1 } });
    await opened.settleErasures();
    expect(JSON.stringify(await footnote.answers.get(answer.id))).not.toContain('forty berths');
    expect(JSON.stringify(await footnote.sessions.turns('talk'))).not.toContain('forty berths');
    expect(JSON.stringify(await footnote.traces.export(answer.traceId))).not.toContain('forty berths');
    expect((await footnote.search({ query: 'forty berths' })).results.map(({ uri }) => uri)).not.toContain(
      'harbour.md',
    );
    await footnote.sessions.delete('talk');
    await expect(footnote.answers.get(answer.id)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('finds what the filter and the rights leave, at once after a change', async () => {
    await ingest();
    const add = (uri: string, text: string, access?: readonly string[]) =>
      footnote.documents.add({ text, mime: 'text/plain', source: 'stores', uri, ...(access && { access }) });
    await add('a.txt', 'The granary holds barley.', ['keepers']);
    await add('b.txt', 'The granary holds oats.');
    const uris = async (of: Footnote, request: object = {}): Promise<readonly string[]> =>
      (await of.search({ query: 'granary', ...request })).results.map(({ uri }) => uri).sort();
    const reader = (groups: readonly string[]): Footnote =>
      opened.forScope({ tenant: 'default', principal: { id: 'ann', role: 'reader', groups } });
    expect(await uris(footnote)).toEqual(['a.txt', 'b.txt']);
    expect(await uris(reader([]))).toEqual(['b.txt']);
    expect(await uris(reader(['keepers']))).toEqual(['a.txt', 'b.txt']);
    expect(await uris(footnote, { filter: { op: 'eq', field: 'uri', value: 'a.txt' } })).toEqual(['a.txt']);
    await add('a.txt', 'The granary holds barley and rye.', ['others']);
    expect(await uris(reader(['keepers']))).toEqual(['b.txt']);
    await add('b.txt', 'The granary is empty.', ['others']);
    expect(await uris(reader(['keepers']))).toEqual([]);
    expect(await uris(opened.forScope({ ...localScope(), tenant: 'other' }))).toEqual([]);
  });

  it('lists what was read last first, also where a filter leaves some', async () => {
    for (const n of [1, 2, 3])
      await footnote.documents.add({ source: n === 2 ? 'two' : 'odd', uri: `${n}.md`, text: `Berth ${n} is deep.` });
    const listed = async (filter?: Filter): Promise<string[]> => {
      const uris: string[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const request = { sort: 'newest', limit: 1, ...(cursor && { cursor }), ...(filter && { filter }) } as const;
        const page: DocumentPage = await footnote.documents.list(request);
        uris.push(...page.data.map(({ uri }) => uri));
        cursor = page.nextCursor;
      }
      return uris;
    };
    expect(await listed()).toEqual(['3.md', '2.md', '1.md']);
    expect(await listed({ op: 'eq', field: 'source', value: 'odd' })).toEqual(['3.md', '1.md']);
    expect(await listed({ op: 'glob', field: 'path', value: '*.md' })).toEqual(['3.md', '2.md', '1.md']);
  });

  it('gives the database back where a later part cannot be opened', async () => {
    await opened.close();
    await server.run(address, 'ALTER TABLE audit RENAME TO away');
    await expect(open('data')).rejects.toMatchObject({ code: 'internal' });
    expect(await server.run(address, 'SELECT 1 FROM server')).toEqual([]);
    await server.run(address, 'ALTER TABLE away RENAME TO audit');
    await open('data');
  });

  it('remembers what it was told, also elsewhere, and forgets it with all that recalled it', async () => {
    const { memory } = await footnote.memories.add({ text: 'My boat is called Halcyon.' });
    await opened.close();
    await open('other-data', { ENABLE_SEMANTIC_MEMORY: 'true' });
    const answer = await footnote.ask({ question: 'What is my boat called?' });
    expect(JSON.stringify(answer.claims)).toContain('Halcyon');
    await footnote.memories.delete(memory.id);
    await opened.settleErasures();
    expect(JSON.stringify(await footnote.answers.get(answer.id))).not.toContain('Halcyon');
    expect(JSON.stringify(await footnote.traces.export(answer.traceId))).not.toContain('Halcyon');
    expect(await footnote.memories.stats()).toMatchObject({ total: 0 });
  });

  it('reads files that were uploaded into a collection, archives conversations, and links copies', async () => {
    const { uploads } = footnote;
    if (!uploads) throw new Error('Nothing can be uploaded.');
    const bytes = new TextEncoder().encode('The harbour of Arkvik has forty berths, one crane and a granary of oak.');
    const file = await uploads.add({ name: 'harbour.txt', mime: 'text/plain', purpose: 'assistants' }, bytes);
    await footnote.sources.put({ name: 'shelf', type: 'docs' });
    await uploads.describe('shelf', { name: 'Shelf' }, true);
    const runId = await uploads.attach('shelf', [{ fileId: file.id }]);
    await expect.poll(() => uploads.isRunning(runId), { timeout: 60_000 }).toBe(false);
    expect(await uploads.attached({ fileId: file.id })).toMatchObject([{ source: 'shelf', state: 'done' }]);
    expect(await uploads.counts({ source: 'shelf' })).toMatchObject({ pending: 0, done: 1, failed: 0 });
    const { results } = await footnote.search({ query: 'granary of oak', sources: ['shelf'] });
    expect(results.map(({ source }) => source)).toEqual(['shelf']);
    const text = new TextDecoder().decode(bytes);
    const copies = await footnote.documents.add({ text, mime: 'text/plain', source: 'copies', uri: 'copy.txt' });
    expect(copies.flatMap(({ duplicates = [] }) => duplicates.map(({ documentId }) => documentId))).toEqual([
      results[0]?.documentId,
    ]);
    await footnote.conversations.addTurns('talk', {
      messages: [{ role: 'user', text: 'The lantern is brass.', turn_id: 't' }],
    });
    expect((await footnote.conversations.peek({ query: 'lantern' })).total.hits).toBe(1);
  });

  it('works beside another on the same record', async () => {
    await ingest();
    const one = footnote;
    const first = opened;
    await open('other-data');
    const answer = await footnote.ask({ question });
    expect(answer.citations.map(({ uri }) => uri)).toContain('harbour.md');
    expect(await one.answers.get(answer.id)).toEqual(answer);
    const text = 'The lighthouse of Arkvik is painted red.';
    await one.documents.add({ text, mime: 'text/plain', source: 'added', uri: 'light.txt' });
    expect((await footnote.search({ query: 'lighthouse' })).results.map(({ uri }) => uri)).toContain('light.txt');
    await first.close();
    expect((await footnote.ask({ question: 'What colour is the lighthouse?' })).citations[0]?.uri).toBe('light.txt');
  });

  it('is put right: its index out of chunks, its links out of texts; a text that is damaged is told', async () => {
    await ingest();
    const copy = `${files['harbour.md']} So it was, and so it will be in the years to come at Arkvik.`;
    for (const uri of ['a.txt', 'b.txt'])
      await footnote.documents.add({ text: copy, mime: 'text/plain', source: 'copies', uri });
    const found = async () =>
      (await footnote.search({ query: 'berths of Arkvik', topK: 10 })).results.map(({ uri, score }) => [uri, score]);
    const before = await found();
    expect(before.length).toBe(3);
    const idOf = `(SELECT id FROM document WHERE uri = 'harbour.md')`;
    const expectMended = async (sql: string): Promise<void> => {
      await opened.close();
      await server.run(address, sql);
      await open('data');
      expect((await opened.repair()).repaired, sql).toEqual([
        expect.stringContaining('index of tenant default') as string,
      ]);
      expect(await found(), sql).toEqual(before);
      expect(await opened.repair(), sql).toEqual({ repaired: [], left: [] });
    };
    const damages = [
      'DELETE FROM ix_log WHERE row = 1',
      "UPDATE ix_log SET terms = '' WHERE row = 2",
      'DELETE FROM ix_document',
      "INSERT INTO ix_document (tenant, document_id, first_row, last_row, language, revision) VALUES ('default', 'none', 900, 901, 'en', 1)",
      `INSERT INTO ix_log (tenant, row, document_id, chunk_id, terms, seal) VALUES ('default', 900, 'none', 'none', '', '')`,
      'UPDATE tenant_state SET index_version = 1',
    ];
    for (const sql of damages) await expectMended(sql);
    // The same of what segments hold, whose rows are not in the log any more.
    const record = await openPostgresRecord(address);
    await record.join({ version: 'test' });
    const { engine, follow } = shadowOf(record, 'default');
    const [log, { leases }] = [record.indexLogOf('default'), record];
    const look = async () => (await follow()).view;
    const upkeep = createShadowUpkeep({ engine, look, log, leases, timing: { sealFrom: 1 } });
    const damagesOfSealed = [
      'UPDATE ix_part SET bytes = set_byte(bytes, 100, 255 - get_byte(bytes, 100))',
      'DELETE FROM ix_part',
      'UPDATE ix_document SET first_row = first_row + 1, last_row = last_row + 1',
      'UPDATE ix_document SET first_row = last_row + 1 - first_row, last_row = last_row + 1 - first_row',
      `DELETE FROM ix_document WHERE document_id = ${idOf}`,
      `INSERT INTO ix_removed SELECT 'default', 1, first_row, last_row, 'none' FROM ix_document WHERE document_id = ${idOf}`,
    ];
    for (const sql of damagesOfSealed) {
      await upkeep.settle();
      expect(
        await server.run(
          address,
          'SELECT (SELECT count(*) FROM ix_log)::int AS rows, count(*)::int AS segments FROM ix_segment',
        ),
      ).toEqual([{ rows: 0, segments: 1 }]);
      expect(await opened.repair(), sql).toEqual({ repaired: [], left: [] });
      await expectMended(sql);
    }
    await record.close();
    await server.run(address, "UPDATE fingerprint SET words_hash = 'another' WHERE row = 1");
    expect((await opened.repair()).repaired).toEqual([
      expect.stringContaining('compared with their duplicates') as string,
    ]);
    expect(await opened.check()).toEqual([]);
    await server.run(address, `UPDATE document_body SET text = 'gone' WHERE document_id = ${idOf}`);
    expect(await opened.repair()).toEqual({
      repaired: [],
      left: [expect.stringContaining('ingest the document again') as string],
    });
  });
});
