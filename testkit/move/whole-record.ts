// A record in a data folder with something in each of its tables: made by the product as far as that goes, and by hand what takes a provider or weeks.
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { localScope } from '../../src/core/scope.ts';
import type { SearchRequest } from '../../src/core/search.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { openFootnote } from '../open-footnote.ts';

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
export const searches: readonly SearchRequest[] = (['embedded', 'vector', 'hybrid'] as const).flatMap((mode) =>
  questions.map((query) => ({ query, mode, topK: 20 })),
);

/** Everything that a search found, with its scores. */
export const foundBy = async (footnote: Footnote): Promise<readonly unknown[]> => {
  const found: unknown[] = [];
  for (const request of searches) {
    const { results, degraded } = await footnote.search(request);
    found.push([results.map(({ chunkId, uri, score, scores }) => ({ chunkId, uri, score, scores })), degraded]);
  }
  return found;
};

export interface WholeRecord {
  readonly answers: readonly Answer[];
  /** What `foundBy` gave. */
  readonly found: readonly unknown[];
  /** Of a key that opens. */
  readonly secret: string;
}

/** U+0000 and U+0001 are what PostgreSQL cannot hold as they are. */
const oddText = 'A \u0000 nothing, a \u0001 one, \u0001\u0001 two, “quotes” and 🦀.';

function addByHand(path: string): void {
  const database = new DatabaseSync(path);
  const add = (table: string, ...values: readonly (string | number | null | Uint8Array)[]): void => {
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
  };
  const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
  add('encoded_passage', 'default', 'key', '2026-01-01', bytes);
  add('embedding_memo', 'default', 'space \u0000', bytes.slice(0, 16), bytes.slice(0, 32), bytes);
  add(
    'idempotency',
    'default',
    'local',
    'POST /v1/ask',
    'one',
    'hash',
    1e12 + 0.125,
    200,
    JSON.stringify({ oddText }),
    null,
  );
  add('idempotency', 'default', 'local', 'POST /v1/ask', 'cut off', 'hash', 1e12, null, null, '["answer","ans_1"]\n');
  add(
    'reading_failure',
    'default',
    'notes',
    `b${'/long'.repeat(600)}`,
    'h',
    'pdf',
    'r',
    2,
    'code',
    oddText,
    '2026-01-01',
    '["board"]',
  );
  add('reading_failure', 'default', 'notes', 'a\u0001b', 'h', 'pdf', 'r', 1, 'code', oddText, '2026-01-01', null);
  add('container', 'default', 'notes', 'a.zip', 'h', 'r', 1);
  add('source_item', 'default', 'notes', 'a\u0000b', 'v1', 'h');
  add('key_use', 'key:1', 'requests', '2026-01-01', 0.1 + 0.2);
  add('model_spending', 'default', '2026-01-01', 'local', '', 'answer', 'm', 1, Number.MAX_SAFE_INTEGER, 3, 1e-7, 0, 0);
  add('model_spending_day', 'default', '2026-01-01', '', 1, Number.MAX_SAFE_INTEGER, 3, 1e-7, 0, 0);
  add('erasure', 'default', 'pages', '', '', 'one', 'a/b \u0000', '2026-01-01');
  const one = (sql: string): string | number => Object.values(database.prepare(sql).get() ?? {})[0] as string | number;
  add('archive_vector', one('SELECT max(row) FROM archive_turn'), 'default', 'another encoder', 'hash', bytes);
  add('document_opens', 'default', one("SELECT id FROM document WHERE tenant = 'default'"), 3, '2026-01-01');
  database.prepare('UPDATE session SET title = ?').run(oddText);
  for (const sql of [
    'UPDATE source SET authority = 0.7, ttl_seconds = 86400.5',
    `UPDATE document SET stores = '["embedded","an “other” \\u0001"]', published_ms = -1.25 WHERE source = 'two'`,
    "UPDATE ingestion SET error = '{}'",
    // Of a process that was killed: whoever opens the record closes it, and a move does not.
    `INSERT INTO ingestion SELECT tenant, 'cut off', source, 'running', started_at, NULL, counts, NULL FROM ingestion WHERE tenant = 'default' LIMIT 1`,
    `INSERT INTO attached_file SELECT tenant, source, 'cut off', file_id, run_id, created_at, 'pending', NULL, facts FROM attached_file LIMIT 1`,
    'UPDATE evaluation SET critic_coverage = 0.1, critic_groundedness = 1e-300, plan_confidence = -0.0',
    "UPDATE memory SET last_accessed_at = '2026-01-01T00:00:00.000Z', usage_count = 9007199254740991",
    `INSERT INTO api_key SELECT 'key_old', name, tenant, role, groups, created_at, created_at, 'other', created_at, created_at, '{}', 'x', created_at FROM api_key`,
    "UPDATE delivery SET last_error = 'late' WHERE document_id IN (SELECT id FROM document WHERE source = 'two')",
  ])
    database.exec(sql);
  // Of a row that went: no other may get its number.
  database.exec("UPDATE sqlite_sequence SET seq = seq + 40 WHERE name = 'archive_conversation'");
  database.close();
}

async function fill(footnote: Footnote, notes: string): Promise<readonly Answer[]> {
  const connector = { kind: 'folder', path: notes } as const;
  await footnote.sources.put({ name: 'notes', type: 'docs', connector, schedule: { everyMinutes: 60 } });
  const run = await footnote.sources.sync('notes');
  if (run.error) throw new Error(run.error.message);
  const mime = 'text/plain';
  const harbour =
    'The harbour of Arkvik has forty berths, one crane and a granary of oak, and the pier stays dry in spring.';
  await footnote.documents.add({ text: harbour, mime, source: 'one', uri: 'harbour.txt', access: ['keepers'] });
  await footnote.documents.add({
    text: `${harbour} So it was.`,
    mime,
    source: 'two',
    uri: 'odd \u0000.txt',
    title: oddText,
  });
  const [gone] = await footnote.documents.add({
    text: 'The lighthouse is to be forgotten.',
    mime,
    source: 'two',
    uri: 'gone.txt',
  });
  await footnote.documents.delete(gone?.id ?? '');
  const { uploads } = footnote;
  const file = await uploads?.add({ name: 'a.txt', mime, purpose: 'assistants' }, new TextEncoder().encode(oddText));
  await footnote.sources.put({ name: 'shelf', type: 'docs' });
  await uploads?.describe('shelf', { name: 'Shelf' }, true);
  const runId = (await uploads?.attach('shelf', [{ fileId: file?.id ?? '' }])) ?? '';
  while (await uploads?.isRunning(runId)) await new Promise((later) => setTimeout(later, 20));

  const answers = [await footnote.ask({ question: 'How are citations checked?' })];
  answers.push(await footnote.sessions.send('talk', { content: 'How long are traces kept?' }));
  await footnote.feedback.give(answers[0]?.id ?? '', { rating: 'up', comment: oddText });
  await footnote.feedback.opened(answers[0]?.id ?? '', { citation: 1 });
  await footnote.traces.pin(answers[0]?.traceId ?? '', true);
  await footnote.documents.get(answers[0]?.citations[0]?.documentId ?? '');
  await footnote.memories.add({ text: 'My boat is called Halcyon.' });
  await footnote.conversations.addTurns('old', {
    messages: [{ role: 'user', text: `The lantern is brass. ${oddText}`, turn_id: 't' }],
  });
  await footnote.conversations.peek({ query: 'lantern' });
  await footnote.conversations.chat({
    conversation_id: 'chat',
    messages: [{ role: 'user', content: 'What is the lantern made of?' }],
  });
  return answers;
}

/** Makes the record in `folder/data`; what is read into it lies in `folder/notes`. */
export async function makeWholeRecord(folder: string): Promise<WholeRecord> {
  const notes = join(folder, 'notes');
  await mkdir(notes);
  for (const from of ['corpus', 'docs'])
    for (const name of await readdir(join(repository, from)))
      if (name.endsWith('.md') && name < 'e') await copyFile(join(repository, from, name), join(notes, name));
  await writeFile(join(notes, 'table.csv'), 'berth,length\n1,40\n2,38\n');
  await writeFile(join(notes, 'page.html'), '<h1>Tides</h1><p>The spring tide rises by three metres.</p>');
  const data = join(folder, 'data');
  const environment = {
    FOOTNOTE_DATA: data,
    ENABLE_ONLINE_EVALS: 'true',
    EVAL_SAMPLE_RATE: '1',
    ENABLE_SEMANTIC_MEMORY: 'true',
  };
  const opened = await openFootnote(loadConfig({ folder, environment }));
  const footnote = opened.forScope(localScope());
  const answers = await fill(footnote, notes);
  const other = opened.forScope({ ...localScope(), tenant: 'other' });
  await other.documents.add({
    text: 'Another harbour has nine berths.',
    mime: 'text/plain',
    source: 'one',
    uri: 'a.txt',
  });
  await other.memories.add({ text: 'My boat is called Kingfisher.' });
  const { secret } = await opened.keys.create({ name: 'ann', role: 'reader' });
  for (const tenant of ['default', 'other']) await opened.settle(tenant, { exact: true });
  await opened.settleEvals();
  await opened.settleErasures();
  const found = await foundBy(footnote);
  await opened.close();
  addByHand(join(data, 'record.sqlite'));
  // As the upkeep does it after a day: traces lean on the chunks that the record holds.
  const record = openSqliteRecord({ folder: data });
  await record.traceUpkeep.compact('9999', 1000);
  await record.close();
  return { answers, found, secret };
}
