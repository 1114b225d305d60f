// What was made under an Idempotency-Key whose reply was lost is made once, on every route that makes something: the next request under the key is told of that.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';
import { multipart, parseFrames } from './fake-app.ts';

let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
let secret: string;
let isAway = false;
const rowsOf = (sql: string): readonly object[] => {
  const database = new DatabaseSync(join(folder, 'data', 'record.sqlite'));
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-once-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  await opened.forScope(localScope()).documents.add({ text: 'The ship Otter lies at berth 7.', uri: 'otter.md' });
  ({ secret } = await opened.keys.create({ name: 'admin', role: 'admin' }));
  app = appOf(opened, {
    idempotency(scope) {
      const port = opened.idempotency(scope);
      const finish: typeof port.finish = async (...given) => {
        if (isAway) throw new FootnoteError('storage-busy', 'The record is away.');
        await port.finish(...given);
      };
      return { ...port, finish };
    },
  });
});
afterAll(async () => {
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true });
});

const send = (method: 'GET' | 'POST', url: string, payload?: object, headers: Readonly<Record<string, string>> = {}) =>
  app.inject({
    method,
    url,
    ...(payload && { payload }),
    headers: { authorization: `Bearer ${secret}`, ...headers },
  });
const idOf = async (...given: Parameters<typeof send>): Promise<string> =>
  (await send(...given)).json<{ id: string }>().id;
const file = (name: string) => {
  const { payload, headers } = multipart([
    { field: 'purpose', value: 'assistants' },
    { file: `${name}.txt`, bytes: `The ship ${name} lies at berth 9.` },
  ]);
  return [payload, headers] as const;
};

type Given = readonly [url: string, body: object, headers?: Readonly<Record<string, string>>];
const stream = { accept: 'text/event-stream' };
const content = 'Where does the ship Otter lie?';
const routes: Readonly<Record<string, { readonly there: string; ask(): Given | Promise<Given> }>> = {
  message: {
    there: 'SELECT id FROM turn',
    ask: () => ['/v1/rag/sessions/talk/messages', { content }],
  },
  'message that streams': {
    there: 'SELECT id FROM turn',
    ask: () => ['/v1/rag/sessions/talk/messages', { content }, stream],
  },
  question: { there: 'SELECT id FROM answer', ask: () => ['/v1/ask', { question: content }] },
  analysis: {
    there: 'SELECT id FROM answer',
    ask: () => ['/v1/analyses', { subject: 'the ship Otter', kind: 'market' }],
  },
  session: { there: 'SELECT id FROM session', ask: () => ['/v1/rag/sessions', { title: 'Ships' }] },
  memory: { there: 'SELECT memory FROM memory_origin', ask: () => ['/v1/memories', { text: 'My ship is green.' }] },
  ingestion: { there: 'SELECT id FROM ingestion', ask: () => ['/v1/ingestions', { text: 'A.', uri: 'a.md' }] },
  document: { there: 'SELECT id FROM document', ask: () => ['/v1/documents', { text: 'B.', uri: 'b.md' }] },
  file: { there: 'SELECT id FROM upload', ask: () => ['/v1/files', ...file('Heron')] },
  store: {
    there:
      'SELECT source FROM collection UNION ALL SELECT file_id FROM attached_file UNION ALL SELECT id FROM ingestion',
    ask: async () => [
      '/v1/vector_stores',
      { name: 'ships', file_ids: [await idOf('POST', '/v1/files', ...file('Egret'))] },
    ],
  },
  'file of a store': {
    there: 'SELECT id FROM ingestion',
    async ask() {
      const store = await idOf('POST', '/v1/vector_stores', { name: 'more ships' });
      return [`/v1/vector_stores/${store}/files`, { file_id: await idOf('POST', '/v1/files', ...file('Stork')) }];
    },
  },
  'batch of a store': {
    there: 'SELECT id FROM ingestion',
    async ask() {
      const store = await idOf('POST', '/v1/vector_stores', { name: 'all ships' });
      const files = [await idOf('POST', '/v1/files', ...file('Ibis'))];
      return [`/v1/vector_stores/${store}/file_batches`, { file_ids: files }];
    },
  },
  key: { there: 'SELECT id FROM api_key', ask: () => ['/admin/keys', { name: 'other', role: 'reader' }] },
  'secret of a key': {
    there: 'SELECT DISTINCT previous_hash FROM api_key',
    async ask() {
      const { key } = await opened.keys.create({ name: 'third', role: 'reader' });
      return [`/admin/keys/${key.id}/rotate`, {}];
    },
  },
};
it.each(Object.entries(routes))('%s', async (name, { there, ask }) => {
  const [url, body, headers] = await ask();
  const made = async () => {
    const before = rowsOf(there).length;
    const reply = await send('POST', url, body, { ...headers, 'idempotency-key': `k-${name.replaceAll(' ', '-')}` });
    const told = headers === stream ? parseFrames(reply.body).at(-1)?.data : reply.json<Record<string, unknown>>();
    return { status: reply.statusCode, type: told?.type, told, count: rowsOf(there).length - before };
  };
  isAway = true;
  const first = await made();
  isAway = false;
  expect(first.count).toBeGreaterThan(0);
  expect(first.status >= 500 || first.type === 'error', JSON.stringify(first)).toBe(true);
  // As the start of a server leaves it that finds what another one had under way.
  rowsOf("UPDATE idempotency SET status = 0, body = '' WHERE status IS NULL AND effect IS NOT NULL");
  rowsOf('DELETE FROM idempotency WHERE status IS NULL');
  const second = await made();
  expect(second, JSON.stringify(second)).toMatchObject({ count: 0 });
  expect(second.status, JSON.stringify(second)).toBeLessThan(300);
  expect(second.type).not.toBe('error');
  // What one that makes nothing else is told of is what was made.
  const third = await made();
  expect(third.count).toBe(0);
  expect(third.told).toEqual(second.told);
});
