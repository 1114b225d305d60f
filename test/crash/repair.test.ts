// `footnote doctor --repair`: what the record keeps twice, what it kept of a file and what a folder still has make damaged documents whole
// again, exactly; what nothing proves is not made up, and is said.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { RepairReport } from '../../src/footnote/record/repair.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place = '';
let sound = '';
let workplace: Workplace;
const pageOf = (name: string): string =>
  `<h1>${name}</h1><p>The ${name} was opened in 1887. ${'It stands by the sea. '.repeat(60)}</p>`;
const noteOf = (name: string): string =>
  `# ${name}\n\nThe ${name} was opened in 1887.\n\n${'It stands by the sea. '.repeat(60)}\n`;
const config = (data: string) => loadConfig({ folder: place, environment: { FOOTNOTE_DATA: data } });

beforeAll(async () => {
  workplace = await openWorkplace();
  place = mkdtempSync(join(tmpdir(), 'footnote-repair-'));
  sound = join(place, 'sound');
  mkdirSync(join(place, 'files'));
  writeFileSync(join(place, 'files', 'tower.md'), noteOf('tower'));
  const opened = await openFootnote(config(sound));
  const footnote = opened.forScope(localScope());
  await footnote.documents.add({
    text: noteOf('harbour'),
    mime: 'text/markdown',
    uri: 'harbour.md',
    title: 'The harbour of Cabo Frio',
    metadata: { colour: 'red' },
    access: ['staff'],
  });
  await footnote.documents.add({ bytes: Buffer.from(pageOf('lantern')), name: 'lantern.html' });
  await footnote.sources.put({
    name: 'folder',
    type: 'docs',
    connector: { kind: 'folder', path: join(place, 'files') },
  });
  await footnote.sources.sync('folder');
  await footnote.sessions.send('chat', { content: 'When was the tower opened?' });
  await opened.close();
});
afterAll(async () => {
  await workplace.remove();
  rmSync(place, { recursive: true, force: true });
});

let images = 0;
/** A copy of the folder, damaged by these statements. */
function damage(...statements: readonly string[]): string {
  images += 1;
  const data = join(place, `image-${images}`);
  cpSync(sound, data, { recursive: true });
  const database = new DatabaseSync(join(data, 'record.sqlite'), { enableForeignKeyConstraints: false });
  for (const statement of statements) expect(database.prepare(statement).run().changes).toBeGreaterThan(0);
  database.close();
  return data;
}

interface Seen {
  readonly uri: string;
  readonly title: string;
  readonly metadata: unknown;
  readonly access?: readonly string[];
  readonly warnings: readonly string[];
  readonly text: string;
  readonly chunks: readonly string[];
  readonly structure: unknown;
}

async function look(data: string): Promise<readonly Seen[]> {
  const opened = await openFootnote(config(data));
  try {
    const footnote = opened.forScope(localScope());
    expect(await opened.check()).toEqual([]);
    const { data: documents, damaged } = await footnote.documents.list({});
    expect(damaged).toBeUndefined();
    const turns = await footnote.sessions.turns('chat');
    expect(turns[0]?.answer.claims[0]?.text).toContain('1887');
    return await Promise.all(
      documents.map(async ({ id, uri, title, metadata, access, warnings }) => ({
        uri,
        title,
        metadata,
        ...(access && { access }),
        warnings,
        text: (await footnote.documents.text(id)).text,
        chunks: (await footnote.documents.chunks(id)).map(({ text }) => text),
        structure: await footnote.documents.structure(id),
      })),
    );
  } finally {
    await opened.close();
  }
}

async function repair(data: string): Promise<RepairReport> {
  const opened = await openFootnote(config(data));
  try {
    return await opened.repair();
  } finally {
    await opened.close();
  }
}

const doctor = (data: string, ...words: readonly string[]) => workplace.run(['doctor', ...words, '--data', data]);
const where = (uri: string): string => `(SELECT id FROM document WHERE uri = '${uri}')`;
const uris = ['tower.md', 'harbour.md', 'lantern.html'];

/** Each makes something unreadable that can be made again exactly. */
const mendable: readonly [name: string, statements: readonly string[]][] = [
  ...uris.flatMap((uri): [string, string[]][] => [
    [
      `the text of ${uri}`,
      [`UPDATE document_body SET text = replace(text, 'sea', 'see') WHERE document_id = ${where(uri)}`],
    ],
    [`a chunk of ${uri}`, [`UPDATE chunk SET text = 'x' || text WHERE document_id = ${where(uri)} AND ordinal = 0`]],
    [`offsets of ${uri}`, [`UPDATE chunk SET start_offset = 1 WHERE document_id = ${where(uri)} AND ordinal = 0`]],
    [`chunks that are gone of ${uri}`, [`DELETE FROM chunk WHERE document_id = ${where(uri)}`]],
    [`the structure of ${uri}`, [`UPDATE document_body SET structure = x'00ff' WHERE document_id = ${where(uri)}`]],
  ]),
  [
    'the entry of a file of a folder',
    ["UPDATE document SET metadata = '{', access = '[', title = 'x' WHERE uri = 'tower.md'"],
  ],
  [
    'the file and the text of a file of a folder',
    [`UPDATE document_body SET text = 'x', file = x'00', file_hash = 'x' WHERE document_id = ${where('tower.md')}`],
  ],
  ['an answer of a session', ["UPDATE turn SET answer = x'00'"]],
  ['a saved answer', ["UPDATE answer SET answer = x'00'"]],
  ['a fingerprint', ['UPDATE fingerprint SET runs = runs + 1']],
  [
    'all of it',
    [
      "UPDATE document_body SET structure = x'00'",
      "UPDATE chunk SET heading_path = '['",
      "UPDATE turn SET answer = x''",
    ],
  ],
];

describe('repairing', () => {
  it.each(mendable)('%s makes everything what it was', async (_, statements) => {
    const data = damage(...statements);
    const { repaired, left } = await repair(data);
    expect(left).toEqual([]);
    expect(repaired.length).toBeGreaterThan(0);
    expect(await look(data)).toEqual(await look(sound));
  });

  it('writes a document for the stores that it was meant for, and for no others', async () => {
    const data = damage(
      `UPDATE document SET stores = '["embedded"]' WHERE uri = 'lantern.html'`,
      `UPDATE document_body SET structure = x'00ff' WHERE document_id = ${where('lantern.html')}`,
    );
    expect((await repair(data)).left).toEqual([]);
    const database = new DatabaseSync(join(data, 'record.sqlite'), { readOnly: true });
    const rows = database.prepare('SELECT uri, stores, revision FROM document ORDER BY uri').all();
    database.close();
    expect(rows).toEqual([
      { uri: 'harbour.md', stores: null, revision: 1 },
      { uri: 'lantern.html', stores: '["embedded"]', revision: 2 },
      { uri: 'tower.md', stores: null, revision: 1 },
    ]);
  });

  it('does nothing where nothing is damaged', async () => {
    const data = damage();
    expect(await repair(data)).toEqual({ repaired: [], left: [] });
    expect(await look(data)).toEqual(await look(sound));
  });

  it('opens no document to others whose access list is lost, and says so', async () => {
    const data = damage("UPDATE document SET metadata = '{' WHERE uri = 'harbour.md'");
    const { code, out } = await doctor(data, '--repair');
    expect(code).toBe(0);
    expect(out).toMatch(/harbour\.md\): its entry was made anew.*only admins read it/);
    const found = (await look(data)).find(({ uri }) => uri === 'harbour.md');
    expect(found).toMatchObject({
      access: [],
      text: noteOf('harbour'),
      warnings: [expect.stringMatching(/access list/)],
    });
  });

  it('says what nothing can repair, and leaves the others whole', async () => {
    const data = damage(
      `UPDATE document_body SET text = 'lost' WHERE document_id = ${where('harbour.md')}`,
      `DELETE FROM chunk WHERE document_id = ${where('harbour.md')}`,
      `UPDATE chunk SET text = 'x' WHERE document_id = ${where('tower.md')}`,
    );
    const { left } = await repair(data);
    expect(left.join()).toMatch(/harbour\.md\) could not be repaired.*Ingest it again, or remove it with/);
    const opened = await openFootnote(config(data));
    const footnote = opened.forScope(localScope());
    expect((await footnote.search({ query: 'tower' })).results[0]?.uri).toBe('tower.md');
    await footnote.documents.add({ text: noteOf('harbour'), mime: 'text/markdown', uri: 'harbour.md' });
    expect(await opened.check()).toEqual([]);
    await opened.close();
  });

  it('is refused while a server uses the folder, and lists show what is damaged meanwhile', async () => {
    const data = damage("UPDATE document SET metadata = '{' WHERE uri = 'harbour.md'");
    const server = await workplace.serve(['--data', data]);
    try {
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      const page = (await (await fetch(`${server.url}/v1/documents`)).json()) as {
        data: { uri: string }[];
        damaged: { uri: string; detail: string }[];
      };
      expect(page.data.map(({ uri }) => uri).sort()).toEqual(['lantern.html', 'tower.md']);
      expect(page.damaged).toEqual([
        expect.objectContaining({ uri: 'harbour.md', detail: expect.stringMatching(/doctor --repair/) }),
      ]);
      const listed = await workplace.run(['documents', 'list', '--data', data]);
      expect([listed.code, listed.out]).toEqual([0, expect.stringMatching(/damaged\s+\S+\s+uploads: harbour\.md/)]);
      const refused = await doctor(data, '--repair');
      expect([refused.code, refused.out]).toEqual([
        1,
        expect.stringMatching(/Stop it, then run "footnote doctor --repair"/),
      ]);
      const removed = await fetch(`${server.url}/v1/documents/${(page.damaged[0] as unknown as { id: string }).id}`, {
        method: 'DELETE',
      });
      expect(removed.status).toBe(204);
    } finally {
      await server.stop();
    }
  });
});
