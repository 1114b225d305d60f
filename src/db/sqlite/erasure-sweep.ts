// Takes what was deleted out of saved answers, turns, traces, replies and reports, a row at a time, between which others have their
// turn. Invariant: every step may be repeated; a row is only written where something of it was erased, and only over what was read.
import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import type { Answer } from '../../core/answer.ts';
import { eraseFromAnswer } from '../../core/answers/erased-answer.ts';
import type { LoggedEvent } from '../../core/events.ts';
import { type PackedTrace, unpackTrace } from '../both/packed-traces.ts';
import { readingTables } from '../both/readings.ts';
import { createMentions, erasedReply, eraseReply, outlineOf } from '../erasure/erased-texts.ts';
import type { NotedErasures, NotedRow } from '../erasure/noted-erasures.ts';
import type { Pause } from '../erasure/page-gaps.ts';
import { packJson } from '../packed.ts';
import { unpackAnswer } from '../session-rows.ts';
import { prepared } from './file/connection.ts';
import { changeSealed } from './file/seals.ts';
import { runSteps } from './file/statements.ts';
import { deleteSession } from './requests/delete-session.ts';
import type { Writer } from './requests/sessions.ts';

export interface SweepPorts {
  read<T>(work: (database: DatabaseSync) => T): T;
  readonly write: Writer;
  readonly pause: Pause;
}

export async function sweepTenant(noted: NotedErasures, ports: SweepPorts): Promise<void> {
  for (const session of noted.sessions) await deleteSession(ports.write, session);
  if (noted.documents.size > 0 || noted.sessions.length > 0) await sweepPassages(noted, ports);
  if (noted.documents.size > 0) {
    await sweepAnswers(noted, ports);
    await sweepTurns(noted, ports);
    await sweepTraces(noted, ports);
  }
  if (noted.documents.size > 0 || noted.sessions.length > 0) await sweepReplies(noted, ports);
  if (noted.documents.size > 0 || noted.sources.size > 0) await sweepReports(noted, ports);
}

/** Nobody can tell of which document, or file of a message, a vector is: all go, and those that are asked for are made anew. */
async function sweepPassages({ tenant }: NotedErasures, { write, pause }: SweepPorts): Promise<void> {
  const some = `DELETE FROM encoded_passage WHERE rowid IN (SELECT rowid FROM encoded_passage WHERE tenant = ? LIMIT 500)`;
  while ((await write((database) => Number(prepared(database, some).run(tenant).changes))) > 0) await pause();
}

type RowTable = 'answer' | 'turn' | 'trace';

/** Rows of a tenant up to the last one there is now, in the order of their writing. */
async function eachRow(
  table: RowTable,
  { tenant }: NotedErasures,
  { ports, visit }: { readonly ports: SweepPorts; readonly visit: (row: number) => Promise<void> },
): Promise<void> {
  const last = ports.read((database) =>
    Number(prepared(database, `SELECT max(rowid) AS last FROM ${table}`).get()?.['last'] ?? 0),
  );
  for (let after = 0; ; ) {
    const rows = ports.read((database) =>
      prepared(
        database,
        `SELECT rowid AS row, tenant FROM ${table} WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT 200`,
      ).all(after, last),
    );
    for (const found of rows) {
      after = Number(found['row']);
      if (found['tenant'] === tenant) await visit(after);
      await ports.pause();
    }
    if (rows.length === 0) return;
  }
}

/** The JSON of a packed column; undefined where it is damaged: whatever it holds cannot be read any more. */
function unpacked(bytes: unknown): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes as Uint8Array);
  } catch {
    return undefined;
  }
}

interface PackedRow {
  readonly id: string;
  readonly packed: Uint8Array;
}
interface TurnRow extends PackedRow {
  readonly principal: string;
  readonly session: string;
  readonly ordinal: number;
}
interface TraceRow extends PackedTrace {
  readonly id: string;
  readonly started_at: string;
}

/** A row whose text mentions something that was deleted. */
function mentioning<Row extends PackedRow>(
  ports: SweepPorts,
  sql: string,
  { row, mentions }: { readonly row: number; readonly mentions: (json: Buffer) => boolean },
): (Row & { readonly json: Buffer | undefined }) | undefined {
  const found = ports.read((database) => prepared(database, sql).get(row)) as Row | undefined;
  if (found === undefined) return undefined;
  const json = unpacked(found.packed);
  // What is damaged is served to nobody and would stay for ever: it goes.
  return json === undefined || mentions(json) ? { ...found, json } : undefined;
}

/** The same of documents that had not come back by then. */
const mentionsErasedAt = (noted: NotedErasures, ms: number) => {
  const at = new Date(ms).toISOString();
  return createMentions([...noted.documents.keys().filter((id) => noted.isErasedAt(id, at))]);
};

const mentionsOf = ({ documents }: NotedErasures) => createMentions([...documents.keys()]);

async function sweepAnswers(noted: NotedErasures, ports: SweepPorts): Promise<void> {
  const mentions = mentionsOf(noted);
  const at = new Date().toISOString();
  await eachRow('answer', noted, {
    ports,
    async visit(row) {
      const found = mentioning(ports, 'SELECT id, answer AS packed FROM answer WHERE rowid = ?', { row, mentions });
      if (!found) return;
      await ports.write((database) => {
        const erased = erasedAnswer(found, noted.isErased(database), at);
        if (erased === 'damaged') prepared(database, 'DELETE FROM answer WHERE rowid = ?').run(row);
        else if (erased)
          prepared(database, 'UPDATE answer SET answer = ? WHERE rowid = ? AND id = ?').run(
            packJson(erased),
            row,
            found.id,
          );
      });
    },
  });
}

function erasedAnswer(
  { packed, id }: PackedRow,
  isErased: ReturnType<NotedErasures['isErased']>,
  at: string,
): Answer | 'damaged' | undefined {
  try {
    return eraseFromAnswer(unpackAnswer(packed, id), isErased, at);
  } catch {
    return 'damaged';
  }
}

async function sweepTurns(noted: NotedErasures, ports: SweepPorts): Promise<void> {
  const mentions = mentionsOf(noted);
  const at = new Date().toISOString();
  await eachRow('turn', noted, {
    ports,
    async visit(row) {
      const sql = 'SELECT id, answer AS packed, principal, session_id AS session, ordinal FROM turn WHERE rowid = ?';
      const found = mentioning<TurnRow>(ports, sql, { row, mentions });
      // A turn whose answer is damaged stays: what the asker said stands beside it.
      if (!found?.json) return;
      await ports.write((database) => {
        const erased = erasedAnswer(found, noted.isErased(database), at);
        if (erased === undefined || erased === 'damaged') return;
        prepared(database, 'UPDATE turn SET answer = ? WHERE rowid = ? AND id = ?').run(
          packJson(erased),
          row,
          found.id,
        );
        forgetNames(database, noted.tenant, {
          ...found,
          names: lostWords(unpackAnswer(found.packed, found.id), erased),
        });
      });
    },
  });
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Words of an answer that its erased form does not have. */
function lostWords(before: Answer, after: Answer): ReadonlySet<string> {
  const said = (answer: Answer): readonly string[] => answer.claims.flatMap(({ text }) => wordsOf(text));
  return new Set(said(before)).difference(new Set(said(after)));
}

/** Turns that a follow-up may take its names from (src/memory/sessions.ts). */
const reach = 6;

/** Later questions were resolved with names that erased answers gave: there the asker's own words stay alone. */
function forgetNames(
  database: DatabaseSync,
  tenant: string,
  turn: {
    readonly principal: string;
    readonly session: string;
    readonly ordinal: number;
    readonly names: ReadonlySet<string>;
  },
): void {
  const next = prepared(
    database,
    'SELECT rowid AS row, ordinal, content, resolved_question AS resolved FROM turn WHERE tenant = ? AND principal = ? AND session_id = ? AND ordinal > ? ORDER BY ordinal LIMIT 1',
  );
  let last = turn.ordinal;
  for (let ordinal = turn.ordinal; ordinal - last < reach; ) {
    const found = next.get(tenant, turn.principal, turn.session, ordinal);
    if (found === undefined) return;
    ordinal = Number(found['ordinal']);
    const own = new Set(wordsOf(String(found['content'])));
    if (!wordsOf(String(found['resolved'])).some((word) => turn.names.has(word) && !own.has(word))) continue;
    last = ordinal;
    prepared(database, 'UPDATE turn SET resolved_question = content WHERE rowid = ?').run(found['row'] as number);
  }
}

async function sweepTraces(noted: NotedErasures, ports: SweepPorts): Promise<void> {
  const mentions = mentionsOf(noted);
  const at = new Date().toISOString();
  await eachRow('trace', noted, {
    ports,
    async visit(row) {
      const found = ports.read((database) => {
        const sql = 'SELECT id, events AS packed, chunks, started_at FROM trace WHERE rowid = ?';
        const trace = prepared(database, sql).get(row) as TraceRow | undefined;
        return trace && { ...trace, json: runSteps(database, unpackTrace(trace)) };
      });
      // What leans on a document that is gone cannot be read any more, as what is damaged: only that it was stays.
      if (!found) return;
      const { id, json, started_at } = found;
      const isGone = mentionsErasedAt(noted, Date.parse(started_at));
      if (json && !(mentions(json) && isGone(json))) return;
      const events = json ? (JSON.parse(json.toString('utf8')) as readonly LoggedEvent[]) : [];
      const outline = outlineOf(events, at);
      await ports.write((database) => {
        const sql =
          'UPDATE trace SET events = ?, event_count = ?, chunks = NULL, sources = NULL, question = NULL WHERE rowid = ? AND id = ?';
        changeSealed(database, { table: 'trace', rowid: row }, () =>
          prepared(database, sql).run(packJson(outline), outline.length, row, id),
        );
      });
    },
  });
}

interface ReplyRow {
  readonly principal: string;
  readonly route: string;
  readonly key: string;
  readonly body: string | null;
  readonly created_ms: number;
}

async function sweepReplies(noted: NotedErasures, ports: SweepPorts): Promise<void> {
  const { tenant, sessions } = noted;
  const mentionsDocument = mentionsOf(noted);
  const at = new Date().toISOString();
  const mentionsSession = Map.groupBy(sessions, ({ principal }) => principal);
  const byPrincipal = new Map(
    [...mentionsSession].map(([principal, rows]) => [principal, createMentions(rows.map((row: NotedRow) => row.id))]),
  );
  let after: readonly [string, string, string] = ['', '', ''];
  for (;;) {
    const row = ports.read((database) =>
      prepared(
        database,
        'SELECT principal, route, key, body, created_ms FROM idempotency WHERE tenant = ? AND (principal, route, key) > (?, ?, ?) ORDER BY principal, route, key LIMIT 1',
      ).get(tenant, ...after),
    ) as ReplyRow | undefined;
    if (row === undefined) return;
    after = [row.principal, row.route, row.key];
    const json = Buffer.from(row.body ?? '');
    const ofSession = byPrincipal.get(row.principal)?.(json) === true;
    if (ofSession || (mentionsDocument(json) && mentionsErasedAt(noted, row.created_ms)(json)))
      await ports.write((database) => {
        const { status, body } = ofSession ? erasedReply() : eraseReply(row.body ?? '', noted.isErased(database), at);
        prepared(
          database,
          'UPDATE idempotency SET status = ?, body = ? WHERE tenant = ? AND principal = ? AND route = ? AND key = ? AND body IS NOT NULL',
        ).run(status, body, tenant, ...after);
      });
    await ports.pause();
  }
}

interface FileRow {
  readonly ingestion_id: string;
  readonly uri: string;
  readonly document_id: string | null;
  readonly error: string | null;
  readonly warnings: string | null;
  readonly source: string;
  readonly started_at: string;
}

const filesTogether = 200;

/** Names of deleted files in reports of runs, and what was said of them. */
async function sweepReports(noted: NotedErasures, ports: SweepPorts): Promise<void> {
  const { tenant, documents, sources } = noted;
  const byPlace = new Map([...documents.values()].map((row) => [`${row.source}\u0000${row.uri}`, row]));
  const isNamedIn = namedIn([...documents.values()]);
  let after: readonly [string, string] = ['', ''];
  for (;;) {
    const rows = ports.read((database) =>
      prepared(
        database,
        `SELECT f.ingestion_id, f.uri, f.document_id, f.error, f.warnings, i.source, i.started_at FROM ingestion_file AS f
         JOIN ingestion AS i ON i.tenant = f.tenant AND i.id = f.ingestion_id
         WHERE f.tenant = ? AND (f.ingestion_id, f.uri) > (?, ?) ORDER BY f.ingestion_id, f.uri LIMIT ?`,
      ).all(tenant, ...after, filesTogether),
    ) as unknown as readonly FileRow[];
    const last = rows.at(-1);
    if (last === undefined) break;
    after = [last.ingestion_id, last.uri];
    const gone = rows.filter(({ source, started_at }) => started_at <= (sources.get(source)?.noted_at ?? ''));
    const named = rows.flatMap((row) => {
      const document = documents.get(row.document_id ?? '') ?? byPlace.get(`${row.source}\u0000${row.uri}`);
      return !gone.includes(row) && document && noted.isErasedAt(document.id, row.started_at)
        ? [{ row, document }]
        : [];
    });
    const known = new Set([...gone, ...named.map(({ row }) => row)]);
    const told = rows.filter((row) => !known.has(row) && isNamedIn(row));
    if (gone.length + named.length + told.length > 0)
      await ports.write((database) => {
        const remove = prepared(
          database,
          'DELETE FROM ingestion_file WHERE tenant = ? AND ingestion_id = ? AND uri = ?',
        );
        for (const row of gone) remove.run(tenant, row.ingestion_id, row.uri);
        for (const { row, document } of named)
          prepared(
            database,
            'UPDATE OR REPLACE ingestion_file SET uri = ?, error = NULL, warnings = NULL WHERE tenant = ? AND ingestion_id = ? AND uri = ?',
          ).run(`erased:${document.id}`, tenant, row.ingestion_id, row.uri);
        for (const row of told)
          prepared(
            database,
            'UPDATE ingestion_file SET error = NULL, warnings = NULL WHERE tenant = ? AND ingestion_id = ? AND uri = ?',
          ).run(tenant, row.ingestion_id, row.uri);
      });
    await ports.pause();
  }
  const gone = [...documents.values()];
  for (let at = 0; at < gone.length; at += filesTogether) {
    await ports.write((database) => {
      for (const { source, uri } of gone.slice(at, at + filesTogether))
        for (const table of readingTables)
          prepared(
            database,
            `DELETE FROM ${table} WHERE tenant = ?1 AND source = ?2 AND uri = ?3
             AND NOT EXISTS (SELECT 1 FROM document WHERE tenant = ?1 AND source = ?2 AND uri = ?3)`,
          ).run(tenant, source, uri);
    });
    await ports.pause();
  }
  await ports.write((database) => {
    for (const { id, noted_at } of sources.values())
      prepared(
        database,
        "UPDATE ingestion SET error = json_set(error, '$.message', 'The source was removed.') WHERE tenant = ? AND source = ? AND started_at <= ? AND error IS NOT NULL",
      ).run(tenant, id, noted_at);
  });
}

/** Names that are looked for in what was said of other files. */
const mostNames = 64;

/** Whether what was said of one file (an archive, a collection) names another that was deleted. */
function namedIn(documents: readonly NotedRow[]): (row: FileRow) => boolean {
  const names = documents
    .slice(0, mostNames)
    .map(({ source, uri }) => [source, JSON.stringify(uri).slice(1, -1)] as const);
  return ({ source, error, warnings }) => {
    const said = `${error ?? ''}${warnings ?? ''}`;
    return said !== '' && names.some(([of, name]) => of === source && said.includes(name));
  };
}
