// The same documents in SQLite and in PostgreSQL: every search finds the same, in the same order and with the same scores to the last bit, by words, by
// meaning and by both; and it asks the database a few times only.
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { SearchRequest } from '../../src/core/search.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openPostgresProxy, type PostgresProxy } from '../../testkit/postgres/proxy.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';

const programs = postgresPrograms();
const repository = join(import.meta.dirname, '../..');
const questions = [
  'Where does my data go?',
  'How are citations checked?',
  'Which file formats can be read in?',
  'delete a conversation',
  'costs of models and budgets',
  'reindex the store after a crash',
  'encrypted documents',
  '"access list"',
  'pages that were scanned',
  'how long are traces kept',
];

describe.skipIf(programs === undefined)('PostgreSQL and SQLite (skipped where no server is installed)', () => {
  let server: PostgresServer;
  let proxy: PostgresProxy;
  let folder: string;
  const opened: OpenedFootnote[] = [];
  const footnotes: Footnote[] = [];

  async function open(data: string, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const environment = { FOOTNOTE_DATA: join(folder, data), ...settings };
    const one = await openFootnote(loadConfig({ folder, environment }));
    opened.push(one);
    const footnote = one.forScope(localScope());
    footnotes.push(footnote);
    const connector = { kind: 'folder', path: join(folder, 'notes') } as const;
    await footnote.sources.put({ name: 'notes', type: 'docs', connector });
    expect((await footnote.sources.sync('notes')).error).toBeUndefined();
    await one.settle('default', { exact: true });
  }

  beforeAll(async () => {
    server = await openPostgresServer(programs ?? '');
    proxy = await openPostgresProxy(await server.createDatabase());
    folder = await mkdtemp(join(tmpdir(), 'footnote-same-'));
    await mkdir(join(folder, 'notes'));
    for (const from of ['corpus', 'docs'])
      for (const name of await readdir(join(repository, from)))
        if (name.endsWith('.md') && name < 'e') await cp(join(repository, from, name), join(folder, 'notes', name));
    await open('sqlite');
    await open('postgres', { FOOTNOTE_DATABASE_URL: proxy.address });
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
    await proxy?.close();
    server?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const found = async (footnote: Footnote | undefined, request: SearchRequest) => {
    const { results, degraded } = (await footnote?.search(request)) ?? { results: [], degraded: [] };
    return { results: results.map(({ chunkId, uri, score, scores }) => ({ chunkId, uri, score, scores })), degraded };
  };

  it('find the same by words, by meaning and by both', async () => {
    const [sqlite, postgres] = footnotes;
    let hits = 0;
    for (const mode of ['embedded', 'vector', 'hybrid'] as const)
      for (const query of questions) {
        const expected = await found(sqlite, { query, mode, topK: 20 });
        expect(await found(postgres, { query, mode, topK: 20 }), `${mode}: ${query}`).toEqual(expected);
        expect(expected.degraded).toEqual([]);
        hits += expected.results.length;
      }
    expect(hits).toBeGreaterThan(questions.length * 10);
  });

  it('find the same under a filter, and after changes', async () => {
    const filter = { op: 'ne', field: 'uri', value: 'citations.md' } as const;
    const same = async (): Promise<void> => {
      for (const query of questions.slice(0, 3)) {
        const [expected, given] = await Promise.all(footnotes.map((one) => found(one, { query, filter, topK: 10 })));
        expect(given).toEqual(expected);
        expect(expected?.results.length).toBeGreaterThan(0);
      }
    };
    await same();
    const text = 'Where data goes when nobody looks: the harbour master keeps it in a granary.';
    for (const one of footnotes) await one.documents.add({ text, mime: 'text/plain', source: 'added', uri: 'new.txt' });
    for (const one of opened) await one.settle('default', { exact: true });
    await same();
  });

  it('ask the database a few times: six for a search, and twenty-five for an answer', async () => {
    const [, postgres] = footnotes;
    /** Of what nothing was written behind. */
    const fewest = async (ask: (query: string) => Promise<unknown> | undefined): Promise<number> => {
      const counts: number[] = [];
      for (const query of questions) {
        const before = proxy.asked();
        await ask(query);
        counts.push(proxy.asked() - before);
      }
      return Math.min(...counts);
    };
    for (const mode of ['embedded', 'hybrid'] as const) {
      const count = await fewest((query) => postgres?.search({ query, mode, topK: 10 }));
      expect(count).toBeGreaterThan(1);
      expect(count).toBeLessThanOrEqual(6);
    }
    expect(await fewest((question) => postgres?.ask({ question }))).toBeLessThanOrEqual(25);
  });
});
