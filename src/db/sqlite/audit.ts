// The audit log in SQLite. Each hash is made of the row and of the hash before it; `audit_head` tells where the chain ends, so that rows which are
// taken from its end are missed, too.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { sha256 } from '../../core/ids.ts';
import type { AuditCheck, AuditCheckQuery, AuditRow } from '../../core/traces/audit.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type { AuditEntry, AuditLog } from '../repositories/audit.ts';
import { prepared, type Reader } from './file/connection.ts';
import { rowReader } from './file/row-reader.ts';
import type { Writer } from './requests/sessions.ts';

type Row = Readonly<Record<string, string | number | null>>;
interface End {
  readonly seq: number;
  readonly hash: string;
}

const columns = 'seq, at, request_id, tenant, principal, via, operation, targets, outcome, ms, query';
const startOfChain: End = { seq: 0, hash: '' };
const together = 1000;
const mostFaults = 100;

const hashOf = (before: string, values: readonly unknown[]): string => sha256(JSON.stringify([before, ...values]));
const valuesOf = (row: Row): SQLInputValue[] => columns.split(', ').map((column) => row[column] ?? null);
const endOf = (row: Row | undefined): End | undefined => row && { seq: Number(row['seq']), hash: String(row['hash']) };

function toTargets(text: unknown): readonly string[] {
  try {
    const targets: unknown = JSON.parse(String(text));
    return Array.isArray(targets) ? targets.map(String) : [];
  } catch {
    return [];
  }
}

const factsOf = rowReader<Omit<AuditRow, 'targets'>>(
  'seq',
  'at',
  'requestId',
  'tenant',
  'principal',
  'via',
  'operation',
  'outcome',
  'ms',
  'query',
  'hash',
);
const toRow = (row: Row): AuditRow => ({ ...factsOf(row), targets: toTargets(row['targets']) });

/** A chain whose end is gone goes on behind a gap: it is not made whole by going on. */
function readEnd(database: DatabaseSync): End {
  const head = endOf(prepared(database, 'SELECT seq, hash FROM audit_head').get() as Row | undefined);
  if (head) return head;
  const last = endOf(
    prepared(database, 'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1').get() as Row | undefined,
  );
  return last ? { ...last, seq: last.seq + 1 } : startOfChain;
}

function add(database: DatabaseSync, entries: readonly AuditEntry[]): void {
  let { seq, hash } = readEnd(database);
  const insert = prepared(database, `INSERT INTO audit (${columns}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const {
    at,
    requestId = null,
    tenant,
    principal,
    via,
    operation,
    targets,
    outcome,
    ms,
    query = null,
  } of entries) {
    seq += 1;
    const values = [seq, at, requestId, tenant, principal, via, operation, JSON.stringify(targets), outcome, ms, query];
    hash = hashOf(hash, values);
    insert.run(...values, hash);
  }
  prepared(database, 'INSERT OR REPLACE INTO audit_head VALUES (1, ?, ?)').run(seq, hash);
}

/** Where what is left of the chain begins: behind the last cut, as its row says. */
function readStart(database: DatabaseSync): End {
  const sql = "SELECT targets FROM audit WHERE operation = 'audit.cut' ORDER BY seq DESC LIMIT 1";
  const [place = ''] = toTargets(prepared(database, sql).get()?.['targets'] ?? '[]');
  const [seq, hash = ''] = place.split(':');
  return place === '' ? startOfChain : { seq: Number(seq), hash };
}

export function createAuditLog(read: Reader, write: Writer): AuditLog {
  async function verify({ head: wanted }: AuditCheckQuery = {}): Promise<AuditCheck> {
    let isHeld = wanted === undefined;
    const faults: string[] = [];
    let before = await read(readStart);
    let first: number | undefined;
    let head: End | undefined;
    let rows = 0;
    const miss = (from: number, to: number): void =>
      void faults.push(from === to ? `Row ${from} is missing.` : `Rows ${from} to ${to} are missing.`);
    for (let isLast = false; !isLast; ) {
      const after = rows === 0 ? Number.MIN_SAFE_INTEGER : before.seq;
      const page = await read((database) => {
        head = endOf(prepared(database, 'SELECT seq, hash FROM audit_head').get() as Row | undefined);
        const sql = `SELECT ${columns}, hash FROM audit WHERE seq > ? ORDER BY seq LIMIT ${together}`;
        return prepared(database, sql).all(after) as unknown as Row[];
      });
      isLast = page.length < together;
      for (const row of page) {
        const [seq, hash] = [Number(row['seq']), String(row['hash'])];
        if (seq > before.seq + 1) miss(before.seq + 1, seq - 1);
        else if (seq <= before.seq) faults.push(`Row ${seq} stands before where the log begins.`);
        else if (hashOf(before.hash, valuesOf(row)) !== hash)
          faults.push(`Row ${seq} is not what was written, or not behind the row that it was written behind.`);
        isHeld ||= wanted === `${seq}:${hash}`;
        first ??= seq;
        before = { seq, hash };
        rows += 1;
      }
      await nextTurn();
    }
    if (head === undefined && rows > 0)
      faults.push('Where the log ends is missing: rows may be missing behind the last.');
    if (head && head.seq > before.seq) miss(before.seq + 1, head.seq);
    else if (head && head.seq < before.seq) faults.push(`Rows behind ${head.seq} were not written by Footnote.`);
    else if (head && head.hash !== before.hash) faults.push(`Row ${head.seq} is not the one with which the log ended.`);
    if (!isHeld) faults.push(`The log does not hold ${wanted}: it was written anew, or cut behind that row.`);
    const told = { ...(first !== undefined && { first }), ...(head && { head: `${head.seq}:${head.hash}` }) };
    return { ok: faults.length === 0, rows, ...told, faults: faults.slice(0, mostFaults) };
  }

  return {
    append: (entries) => write((database) => add(database, entries)),
    list(query) {
      const limit = toLimit(query);
      const [below] = parseCursor(query, ['number']) ?? [];
      const conditions: readonly (readonly [condition: string, value: SQLInputValue | undefined])[] = [
        ['seq < ?', below],
        ['tenant = ?', query.tenant],
        ['at >= ?', query.from && new Date(query.from).toISOString()],
        ['at < ?', query.to && new Date(query.to).toISOString()],
        ['principal = ?', query.principal],
        [query.operation?.endsWith('.') ? 'instr(operation, ?) = 1' : 'operation = ?', query.operation],
        ['outcome = ?', query.outcome],
        ['json_valid(targets) AND EXISTS (SELECT 1 FROM json_each(targets) WHERE value = ?)', query.target],
        ['request_id = ?', query.requestId],
      ];
      const given = conditions.filter(([, value]) => value !== undefined);
      const where = given.length === 0 ? '' : `WHERE ${given.map(([condition]) => condition).join(' AND ')}`;
      return read((database) => {
        const sql = `SELECT ${columns}, hash FROM audit ${where} ORDER BY seq DESC LIMIT ?`;
        const rows = prepared(database, sql).all(...given.map(([, value]) => value as SQLInputValue), limit + 1);
        return toPage(rows as unknown as Row[], limit, { value: toRow, key: (row) => [Number(row['seq'])] });
      });
    },
    verify,
    cut: (entry, before, most) =>
      write((database) => {
        const oldest = prepared(database, 'SELECT seq, at FROM audit ORDER BY seq LIMIT 1').get() as Row | undefined;
        if (!oldest || String(oldest['at']) >= before) return 0;
        const kept = prepared(database, 'SELECT seq FROM audit WHERE at >= ? ORDER BY seq LIMIT 1').get(before);
        const end = Math.min(Number(kept?.['seq'] ?? readEnd(database).seq + 1) - 1, Number(oldest['seq']) + most - 1);
        const sql = 'SELECT seq, hash FROM audit WHERE seq <= ? ORDER BY seq DESC LIMIT 1';
        const last = endOf(prepared(database, sql).get(end) as Row | undefined);
        if (!last) return 0;
        add(database, [{ ...entry, operation: 'audit.cut', targets: [`${last.seq}:${last.hash}`] }]);
        return Number(prepared(database, 'DELETE FROM audit WHERE seq <= ?').run(last.seq).changes);
      }),
    noteSettings: (entry) =>
      write((database) => {
        const sql = "SELECT targets FROM audit WHERE operation = 'settings' ORDER BY seq DESC LIMIT 1";
        const known = prepared(database, sql).get()?.['targets'];
        if (known !== JSON.stringify(entry.targets)) add(database, [entry]);
      }),
  };
}
