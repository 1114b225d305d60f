// Idempotency keys with their replies: kept for 24 hours per principal and route, and claimed before the work they guard begins.
import type { Scope } from '../../core/scope.ts';
import type { Begun, IdempotencyRepository, StoredResponse } from '../repositories/idempotency.ts';
import { first, run, type Statements, type Steps } from '../statements.ts';
import { insertion, upsert } from './conditions.ts';
import { type DeletionGuard, documentIdsIn, idsIn } from './deletions.ts';
import { closeClaims, cutOff, toMade } from './effects.ts';
import { erasedReply, eraseReply } from './erased-texts.ts';

const keptMs = 24 * 60 * 60 * 1000;

interface Row {
  readonly request_hash: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly effect: string | null;
  readonly created_ms: number;
}

const keys = ['tenant', 'principal', 'route', 'key'] as const;
const putSql = upsert('idempotency', keys, ['request_hash', 'created_ms', 'status', 'body']);
const isOne = keys.map((key) => `${key} = ?`).join(' AND ');

function* dropOld(): Steps<number> {
  const now = Date.now();
  yield* run('DELETE FROM idempotency WHERE created_ms < ?', now - keptMs);
  return now;
}

/** Whether an answer is there, in its own place or with its turn. */
function* isSaved(tenant: string, id: string): Steps<boolean> {
  if (yield* first('SELECT 1 FROM answer WHERE tenant = ? AND id = ?', tenant, id)) return true;
  return (yield* first('SELECT 1 FROM turn WHERE tenant = ? AND answer_id = ?', tenant, id)) !== undefined;
}

export function createIdempotencyRepository(
  scope: Scope,
  statements: Statements,
  guard: DeletionGuard,
): IdempotencyRepository {
  const { tenant, principal } = scope;
  const owner = [tenant, principal.id] as const;

  /** The reply as it may be kept: without what was deleted while it was made. */
  function* withoutErased(route: string, key: string, response: StoredResponse): Steps<StoredResponse> {
    const sql = `SELECT created_ms AS began, effect FROM idempotency WHERE ${isOne}`;
    for (const id of idsIn(response.body, 'sessionId'))
      if (yield* guard.isGone(scope, id)) return { ...response, ...erasedReply() };
    const claim = yield* first<{ readonly began: number; readonly effect: string | null }>(sql, ...owner, route, key);
    const { answer } = toMade(claim?.effect ?? '');
    if (answer !== undefined && !(yield* isSaved(tenant, answer))) return { ...response, ...erasedReply() };
    if (!(yield* guard.deletedSince(tenant, claim?.began ?? 0))) return response;
    const missing = yield* guard.missing(tenant, documentIdsIn(response.body));
    if (missing.size === 0) return response;
    const at = new Date().toISOString();
    return { ...response, ...eraseReply(response.body, ({ documentId }) => missing.has(documentId), at) };
  }

  return {
    begin: (route, key, requestHash) =>
      statements.write(function* (): Steps<Begun> {
        const now = yield* dropOld();
        const sql = `SELECT request_hash, status, body, effect, created_ms FROM idempotency WHERE ${isOne}`;
        const row = yield* first<Row>(sql, ...owner, route, key);
        if (row === undefined) {
          yield* run(putSql, ...owner, route, key, requestHash, now, null, null);
          return 'new';
        }
        if (row.status === null || row.body === null) return 'running';
        if (row.status === cutOff && row.request_hash === requestHash) {
          // Made anew, it is held by whoever has it now.
          yield* run(`DELETE FROM idempotency WHERE ${isOne}`, ...owner, route, key);
          const again = insertion('idempotency', `${keys.join(' ')} request_hash created_ms effect`);
          yield* run(again, ...owner, route, key, requestHash, row.created_ms, row.effect);
          return { made: toMade(row.effect ?? '') };
        }
        return { requestHash: row.request_hash, status: row.status, body: row.body };
      }),
    finish: (route, key, given) =>
      statements.write(function* () {
        const { requestHash, status, body } = yield* withoutErased(route, key, given);
        yield* run(putSql, ...owner, route, key, requestHash, yield* dropOld(), status, body);
      }),
    replace: (route, key, given) =>
      statements.write(function* () {
        const { status, body } = yield* withoutErased(route, key, given);
        const sql = `UPDATE idempotency SET status = ?, body = ? WHERE ${isOne} AND status = 200`;
        yield* run(sql, status, body, ...owner, route, key);
      }),
    release: (route, key) =>
      statements.write(function* () {
        yield* closeClaims({ sql: isOne, parameters: [...owner, route, key] });
      }),
    async read(route, key) {
      const sql = `SELECT request_hash AS "requestHash", status, body FROM idempotency
        WHERE ${isOne} AND status IS NOT NULL AND created_ms >= ?`;
      const [row] = await statements.rows<StoredResponse>(sql, ...owner, route, key, Date.now() - keptMs);
      return row;
    },
    forget: (route, key, replies) =>
      statements.free(function* () {
        const sql = 'DELETE FROM idempotency WHERE tenant = ? AND principal = ? AND route = ? AND';
        yield* run(`${sql} key = ?`, ...owner, route, key);
        yield* run(`${sql} instr(body, ?) > 0`, ...owner, replies.route, replies.holding);
        yield* guard.notePages(tenant);
      }),
  };
}
