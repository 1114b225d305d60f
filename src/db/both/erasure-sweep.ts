// Takes what was deleted out of saved answers, turns, traces, replies and reports, a row at a time, between which others have their
// turn. Invariant: every step may be repeated; a row is only written where something of it was erased, and only over what was read.
import { zstdDecompressSync } from 'node:zlib';
import type { Answer } from '../../core/answer.ts';
import { eraseFromAnswer } from '../../core/answers/erased-answer.ts';
import type { LoggedEvent } from '../../core/events.ts';
import { packJson } from '../packed.ts';
import { isSound, sealColumns, sealOfRow } from '../sealed-rows.ts';
import { unpackAnswer } from '../session-rows.ts';
import { first, rows, run, type Statements, type Steps } from '../statements.ts';
import { createMentions, erasedReply, eraseReply, outlineOf } from './erased-texts.ts';
import type { NotedErasures, NotedRow, Pause } from './noted-erasures.ts';
import { type PackedTrace, unpackTrace } from './packed-traces.ts';
import { readingTables } from './readings.ts';

export interface SweepPorts {
  readonly statements: Statements;
  readonly pause: Pause;
  /** Ends what was begun of it. */
  deleteSession(session: NotedRow): Promise<unknown>;
  /** Nobody can tell of which document, or file of a message, a vector is: all go, and those that are asked for are made anew. */
  forgetPassages(tenant: string, pause: Pause): Promise<void>;
}

export async function sweepTenant(noted: NotedErasures, ports: SweepPorts): Promise<void> {
  for (const session of noted.sessions) await ports.deleteSession(session);
  if (noted.documents.size > 0 || noted.sessions.length > 0) await ports.forgetPassages(noted.tenant, ports.pause);
  if (noted.documents.size > 0) {
    await sweepAnswers(noted, ports);
    await sweepTurns(noted, ports);
    await sweepTraces(noted, ports);
  }
  if (noted.documents.size > 0 || noted.sessions.length > 0) await sweepReplies(noted, ports);
  if (noted.documents.size > 0 || noted.sources.size > 0) await sweepReports(noted, ports);
}

type RowTable = 'answer' | 'turn' | 'trace';

/** Rows of a tenant in the order of their ids. One that is written meanwhile was looked at as it was written. */
async function eachRow(
  table: RowTable,
  { tenant }: NotedErasures,
  { ports, visit }: { readonly ports: SweepPorts; readonly visit: (id: string) => Promise<void> },
): Promise<void> {
  const sql = `SELECT id FROM ${table} WHERE tenant = ? AND id > ? ORDER BY id LIMIT 200`;
  for (let after = ''; ; ) {
    const found = await ports.statements.rows<{ readonly id: string }>(sql, tenant, after);
    for (const { id } of found) {
      after = id;
      await visit(id);
      await ports.pause();
    }
    if (found.length === 0) return;
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
interface TraceRow extends PackedTrace {
  readonly started_at: string;
}

/** A row whose text mentions something that was deleted. */
async function mentioning<Row extends PackedRow>(
  { statements }: SweepPorts,
  sql: string,
  {
    key,
    mentions,
  }: { readonly key: readonly [tenant: string, id: string]; readonly mentions: (json: Buffer) => boolean },
): Promise<(Row & { readonly json: Buffer | undefined }) | undefined> {
  const [found] = await statements.rows<Row>(sql, ...key);
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
    async visit(id) {
      const key = [noted.tenant, id] as const;
      const sql = 'SELECT id, answer AS packed FROM answer WHERE tenant = ? AND id = ?';
      const found = await mentioning(ports, sql, { key, mentions });
      if (!found) return;
      await ports.statements.write(function* () {
        const erased = yield* erasedAnswer(found, noted, at);
        if (erased === 'damaged') yield* run('DELETE FROM answer WHERE tenant = ? AND id = ?', ...key);
        else if (erased)
          yield* run('UPDATE answer SET answer = ? WHERE tenant = ? AND id = ?', packJson(erased), ...key);
      });
    },
  });
}

function* erasedAnswer(
  { packed, id, json }: PackedRow & { readonly json: Buffer | undefined },
  noted: NotedErasures,
  at: string,
): Steps<Answer | 'damaged' | undefined> {
  const isErased = yield* noted.isErasedIn(json?.toString() ?? '');
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
    async visit(id) {
      const key = [noted.tenant, id] as const;
      const sql = 'SELECT id, answer AS packed FROM turn WHERE tenant = ? AND id = ?';
      const found = await mentioning<PackedRow>(ports, sql, { key, mentions });
      // A turn whose answer is damaged stays: what the asker said stands beside it.
      if (!found?.json) return;
      await ports.statements.write(function* () {
        const erased = yield* erasedAnswer(found, noted, at);
        if (erased === undefined || erased === 'damaged') return;
        yield* run('UPDATE turn SET answer = ? WHERE tenant = ? AND id = ?', packJson(erased), ...key);
      });
    },
  });
}

async function sweepTraces(noted: NotedErasures, ports: SweepPorts): Promise<void> {
  const { statements } = ports;
  const mentions = mentionsOf(noted);
  const at = new Date().toISOString();
  const written = 'SELECT started_at, events AS packed, chunks FROM trace WHERE tenant = ? AND id = ?';
  const sealed = `SELECT ${sealColumns('trace')} FROM trace WHERE tenant = ? AND id = ?`;
  await eachRow('trace', noted, {
    ports,
    async visit(id) {
      const key = [noted.tenant, id] as const;
      const found = await statements.read(function* () {
        const trace = yield* first<TraceRow>(written, ...key);
        return trace && { started_at: trace.started_at, json: yield* unpackTrace(trace) };
      });
      // What leans on a document that is gone cannot be read any more, as what is damaged: only that it was stays.
      if (!found) return;
      const { json, started_at } = found;
      const isGone = mentionsErasedAt(noted, Date.parse(started_at));
      if (json && !(mentions(json) && isGone(json))) return;
      const events = json ? (JSON.parse(json.toString('utf8')) as readonly LoggedEvent[]) : [];
      const outline = outlineOf(events, at);
      await statements.write(function* () {
        const row = yield* first<{ readonly seal: string | null }>(sealed, ...key);
        if (!row) return;
        const facts = { ...row, event_count: outline.length, sources: null, question: null };
        // A damaged row stays known as one.
        const seal = isSound('trace', row) ? sealOfRow('trace', facts) : row.seal;
        const update =
          'UPDATE trace SET events = ?, event_count = ?, chunks = NULL, sources = NULL, question = NULL, seal = ? WHERE tenant = ? AND id = ?';
        yield* run(update, packJson(outline), outline.length, seal, ...key);
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

const nextReply = `SELECT principal, route, key, body, created_ms FROM idempotency WHERE tenant = ? AND (principal, route, key) > (?, ?, ?)
  ORDER BY principal, route, key LIMIT 1`;

async function sweepReplies(noted: NotedErasures, { statements, pause }: SweepPorts): Promise<void> {
  const { tenant, sessions } = noted;
  const mentionsDocument = mentionsOf(noted);
  const at = new Date().toISOString();
  const mentionsSession = Map.groupBy(sessions, ({ principal }) => principal);
  const byPrincipal = new Map(
    [...mentionsSession].map(([principal, rows]) => [principal, createMentions(rows.map((row: NotedRow) => row.id))]),
  );
  let after: readonly [string, string, string] = ['', '', ''];
  for (;;) {
    const [row] = await statements.rows<ReplyRow>(nextReply, tenant, ...after);
    if (row === undefined) return;
    after = [row.principal, row.route, row.key];
    const json = Buffer.from(row.body ?? '');
    const ofSession = byPrincipal.get(row.principal)?.(json) === true;
    if (ofSession || (mentionsDocument(json) && mentionsErasedAt(noted, row.created_ms)(json)))
      await statements.write(function* () {
        const text = row.body ?? '';
        const { status, body } = ofSession ? erasedReply() : eraseReply(text, yield* noted.isErasedIn(text), at);
        const sql =
          'UPDATE idempotency SET status = ?, body = ? WHERE tenant = ? AND principal = ? AND route = ? AND key = ? AND body IS NOT NULL';
        yield* run(sql, status, body, tenant, row.principal, row.route, row.key);
      });
    await pause();
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

const nextFiles = `SELECT f.ingestion_id, f.uri, f.document_id, f.error, f.warnings, i.source, i.started_at FROM ingestion_file AS f
  JOIN ingestion AS i ON i.tenant = f.tenant AND i.id = f.ingestion_id
  WHERE f.tenant = ? AND (f.ingestion_id, f.uri) > (?, ?) ORDER BY f.ingestion_id, f.uri LIMIT ?`;
const oneFile = 'tenant = ? AND ingestion_id = ? AND uri = ?';

/** Names of deleted files in reports of runs, and what was said of them. */
async function sweepReports(noted: NotedErasures, { statements, pause }: SweepPorts): Promise<void> {
  const { tenant, documents, sources } = noted;
  const byPlace = new Map([...documents.values()].map((row) => [`${row.source}\u0000${row.uri}`, row]));
  const isNamedIn = namedIn([...documents.values()]);
  let after: readonly [string, string] = ['', ''];
  for (;;) {
    const some = await statements.rows<FileRow>(nextFiles, tenant, ...after, filesTogether);
    const last = some.at(-1);
    if (last === undefined) break;
    after = [last.ingestion_id, last.uri];
    const gone = some.filter(({ source, started_at }) => started_at <= (sources.get(source)?.noted_at ?? ''));
    const named = some.flatMap((row) => {
      const document = documents.get(row.document_id ?? '') ?? byPlace.get(`${row.source}\u0000${row.uri}`);
      return !gone.includes(row) && document && noted.isErasedAt(document.id, row.started_at)
        ? [{ row, document }]
        : [];
    });
    const known = new Set([...gone, ...named.map(({ row }) => row)]);
    const told = some.filter((row) => !known.has(row) && isNamedIn(row));
    if (gone.length + named.length + told.length > 0)
      await statements.write(function* () {
        for (const row of gone)
          yield* run(`DELETE FROM ingestion_file WHERE ${oneFile}`, tenant, row.ingestion_id, row.uri);
        for (const { row, document } of named) {
          const uri = `erased:${document.id}`;
          if (uri !== row.uri) yield* run(`DELETE FROM ingestion_file WHERE ${oneFile}`, tenant, row.ingestion_id, uri);
          const sql = `UPDATE ingestion_file SET uri = ?, error = NULL, warnings = NULL WHERE ${oneFile}`;
          yield* run(sql, uri, tenant, row.ingestion_id, row.uri);
        }
        for (const row of told)
          yield* run(
            `UPDATE ingestion_file SET error = NULL, warnings = NULL WHERE ${oneFile}`,
            tenant,
            row.ingestion_id,
            row.uri,
          );
      });
    await pause();
  }
  const bySource = Map.groupBy(documents.values(), ({ source }) => source);
  for (const [source, gone] of bySource) {
    const uris = source === null ? [] : gone.flatMap(({ uri }) => uri ?? []);
    for (let at = 0; at < uris.length; at += filesTogether) {
      await statements.write(function* () {
        for (const table of readingTables)
          yield* run(
            `DELETE FROM ${table} WHERE tenant = ?1 AND source = ?2 AND uri = ANY(?3) AND NOT EXISTS
               (SELECT 1 FROM document AS d WHERE d.tenant = ?1 AND d.source = ?2 AND d.uri = ${table}.uri)`,
            tenant,
            source,
            uris.slice(at, at + filesTogether),
          );
      });
      await pause();
    }
  }
  await statements.write(function* () {
    for (const { id, noted_at } of sources.values()) {
      const sql =
        'SELECT id, error FROM ingestion WHERE tenant = ? AND source = ? AND started_at <= ? AND error IS NOT NULL';
      for (const failed of yield* rows<{ readonly id: string; readonly error: string }>(sql, tenant, id, noted_at))
        yield* run(
          'UPDATE ingestion SET error = ? WHERE tenant = ? AND id = ?',
          removedSource(failed.error),
          tenant,
          failed.id,
        );
    }
  });
}

/** An error says no more than its kind once its source is gone. */
function removedSource(error: string): string {
  try {
    return JSON.stringify({ ...(JSON.parse(error) as object), message: 'The source was removed.' });
  } catch {
    return JSON.stringify({ code: 'internal', message: 'The source was removed.' });
  }
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
