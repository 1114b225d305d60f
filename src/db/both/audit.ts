// The audit log. Each hash is made of the row and of the hash before it; `audit_head` tells where the chain ends, so that rows which are
// taken from its end are missed, too.
import { sha256 } from '../../core/ids.ts';
import type { AuditCheck, AuditCheckQuery, AuditRow } from '../../core/traces/audit.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type { AuditEntry, AuditLog } from '../repositories/audit.ts';
import { rowReader } from '../row-reader.ts';
import { first, rows, run, runEach, type Statements, type StatementValue, type Steps } from '../statements.ts';
import { upsert } from './conditions.ts';

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
const valuesOf = (row: Row): StatementValue[] => columns.split(', ').map((column) => row[column] ?? null);
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

const headSql = 'SELECT seq, hash FROM audit_head';
const setHeadSql = upsert('audit_head', ['one'], ['seq', 'hash']);
const placesOf = (text: string): string =>
  text
    .split(', ')
    .map(() => '?')
    .join(', ');
const insertSql = `INSERT INTO audit (${columns}, hash) VALUES (${placesOf(columns)}, ?)`;

/** A chain whose end is gone, or is told to be before its last row, goes on behind a gap: it is not made whole by going on. */
function* readEnd(): Steps<End> {
  const head = endOf(yield* first<Row>(`${headSql} WHERE seq >= (SELECT coalesce(max(seq), 0) FROM audit)`));
  if (head) return head;
  const last = endOf(yield* first<Row>('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1'));
  return last ? { ...last, seq: last.seq + 1 } : startOfChain;
}

function* add(entries: readonly AuditEntry[]): Steps<void> {
  let { seq, hash } = yield* readEnd();
  const written: StatementValue[][] = [];
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
    written.push([...values, hash]);
  }
  yield* runEach(insertSql, written);
  yield* run(setHeadSql, 1, seq, hash);
}

/** Where what is left of the chain begins: behind the last cut, as its row says. */
function* readStart(): Steps<End> {
  const sql = "SELECT targets FROM audit WHERE operation = 'audit.cut' ORDER BY seq DESC LIMIT 1";
  const [place = ''] = toTargets((yield* first<Row>(sql))?.['targets'] ?? '[]');
  const [seq, hash = ''] = place.split(':');
  return place === '' ? startOfChain : { seq: Number(seq), hash };
}

export function createAuditLog(statements: Statements): AuditLog {
  async function verify({ head: wanted }: AuditCheckQuery = {}): Promise<AuditCheck> {
    let isHeld = wanted === undefined;
    const faults: string[] = [];
    let before = await statements.read(readStart);
    let begin: number | undefined;
    let head: End | undefined;
    let count = 0;
    const miss = (from: number, to: number): void =>
      void faults.push(from === to ? `Row ${from} is missing.` : `Rows ${from} to ${to} are missing.`);
    for (let isLast = false; !isLast; ) {
      const after = count === 0 ? Number.MIN_SAFE_INTEGER : before.seq;
      const page = await statements.read(function* () {
        head = endOf(yield* first<Row>(headSql));
        return yield* rows<Row>(
          `SELECT ${columns}, hash FROM audit WHERE seq > ? ORDER BY seq LIMIT ${together}`,
          after,
        );
      });
      isLast = page.length < together;
      for (const row of page) {
        const [seq, hash] = [Number(row['seq']), String(row['hash'])];
        if (seq > before.seq + 1) miss(before.seq + 1, seq - 1);
        else if (seq <= before.seq) faults.push(`Row ${seq} stands before where the log begins.`);
        else if (hashOf(before.hash, valuesOf(row)) !== hash)
          faults.push(`Row ${seq} is not what was written, or not behind the row that it was written behind.`);
        isHeld ||= wanted === `${seq}:${hash}`;
        begin ??= seq;
        before = { seq, hash };
        count += 1;
      }
      await nextTurn();
    }
    if (head === undefined && count > 0)
      faults.push('Where the log ends is missing: rows may be missing behind the last.');
    if (head && head.seq > before.seq) miss(before.seq + 1, head.seq);
    else if (head && head.seq < before.seq) faults.push(`Rows behind ${head.seq} were not written by Footnote.`);
    else if (head && head.hash !== before.hash) faults.push(`Row ${head.seq} is not the one with which the log ended.`);
    if (!isHeld) faults.push(`The log does not hold ${wanted}: it was written anew, or cut behind that row.`);
    const told = { ...(begin !== undefined && { first: begin }), ...(head && { head: `${head.seq}:${head.hash}` }) };
    return { ok: faults.length === 0, rows: count, ...told, faults: faults.slice(0, mostFaults) };
  }

  return {
    append: (entries) => statements.write(() => add(entries)),
    async list(query) {
      const limit = toLimit(query);
      const [below] = parseCursor(query, ['number']) ?? [];
      const conditions: readonly (readonly [condition: string, value: StatementValue | undefined])[] = [
        ['seq < ?', below],
        ['tenant = ?', query.tenant],
        ['at >= ?', query.from && new Date(query.from).toISOString()],
        ['at < ?', query.to && new Date(query.to).toISOString()],
        ['principal = ?', query.principal],
        [query.operation?.endsWith('.') ? 'instr(operation, ?) = 1' : 'operation = ?', query.operation],
        ['outcome = ?', query.outcome],
        // As it stands in the JSON of a list of names.
        ['instr(targets, ?) > 0', query.target === undefined ? undefined : JSON.stringify(query.target)],
        ['request_id = ?', query.requestId],
      ];
      const given = conditions.filter(([, value]) => value !== undefined);
      const where = given.length === 0 ? '' : `WHERE ${given.map(([condition]) => condition).join(' AND ')}`;
      const bound = given.map(([, value]) => value as StatementValue);
      const sql = `SELECT ${columns}, hash FROM audit ${where} ORDER BY seq DESC LIMIT ?`;
      const found = await statements.rows<Row>(sql, ...bound, limit + 1);
      return toPage(found, limit, { value: toRow, key: (row) => [Number(row['seq'])] });
    },
    verify,
    cut: (entry, before, most) =>
      statements.write(function* () {
        const oldest = yield* first<Row>('SELECT seq, at FROM audit ORDER BY seq LIMIT 1');
        if (!oldest || String(oldest['at']) >= before) return 0;
        const kept = yield* first<Row>('SELECT seq FROM audit WHERE at >= ? ORDER BY seq LIMIT 1', before);
        const behind = Number(kept?.['seq'] ?? (yield* readEnd()).seq + 1);
        const end = Math.min(behind - 1, Number(oldest['seq']) + most - 1);
        const sql = 'SELECT seq, hash FROM audit WHERE seq <= ? ORDER BY seq DESC LIMIT 1';
        const last = endOf(yield* first<Row>(sql, end));
        if (!last) return 0;
        yield* add([{ ...entry, operation: 'audit.cut', targets: [`${last.seq}:${last.hash}`] }]);
        return yield* run('DELETE FROM audit WHERE seq <= ?', last.seq);
      }),
    noteSettings: (entry) =>
      statements.write(function* () {
        const sql = "SELECT targets FROM audit WHERE operation = 'settings' ORDER BY seq DESC LIMIT 1";
        const noted = (yield* first<Row>(sql))?.['targets'];
        if (noted !== JSON.stringify(entry.targets)) yield* add([entry]);
      }),
  };
}
