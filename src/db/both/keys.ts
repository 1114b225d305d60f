// API keys as the record keeps them: the SHA-256 of each secret, never the secret. Keys belong to the operator of the data
// folder, so this repository is the only one without a scope; a key names the tenant it opens. Invariant: no row is ever deleted, so that
// whether there was a key is known for ever; of a key that the owner lifted the hash is marked, so that nothing matches it.
import { z } from 'zod';
import { doors, roles } from '../../core/scope.ts';
import { keyLimitsSchema } from '../../core/spending.ts';
import { defined } from '../../core/values/defined.ts';
import type { ApiKey, KeyGrants, KeyRepository } from '../repositories/api-keys.ts';
import { first, run, type Statements } from '../statements.ts';
import { upsert } from './conditions.ts';
import { effectNote } from './effects.ts';

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly role: string;
  readonly groups: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly grants: string | null;
  readonly previous_until: string | null;
}

const grantsSchema = z.object({
  sources: z.array(z.string()).exactOptional(),
  doors: z.array(z.enum(doors)).exactOptional(),
  limits: keyLimitsSchema.exactOptional(),
});

/** Limits that are damaged leave nothing. */
function toGrants(text: string | null): KeyGrants {
  if (text === null) return {};
  try {
    return grantsSchema.parse(JSON.parse(text));
  } catch {
    return { sources: [], doors: [] };
  }
}

/** A damaged list opens nothing: then the key is in no group. */
function toGroups(text: string): readonly string[] {
  try {
    const groups: unknown = JSON.parse(text);
    return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [];
  } catch {
    return [];
  }
}

const toKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  tenant: row.tenant,
  // A damaged role is the least there is.
  role: roles.find((role) => role === row.role) ?? 'reader',
  groups: toGroups(row.groups),
  createdAt: row.created_at,
  ...toGrants(row.grants),
  ...defined({
    revokedAt: row.revoked_at ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    previousUntil: row.previous_until ?? undefined,
  }),
});

/** Before the hash of a key that was lifted; no hash begins so. */
const lifted = 'lifted:';

const columns =
  'id, name, tenant, role, groups, created_at, revoked_at, expires_at, last_used_at, grants, previous_until';
const isActive = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';
const takeSql = upsert('key_use', ['principal', 'what'], ['since', 'amount']);

export function createKeyRepository(statements: Statements): KeyRepository {
  const write = (sql: string, ...values: readonly (string | number | null)[]): Promise<number> =>
    statements.write(function* () {
      return yield* run(sql, ...values);
    });
  /** The same of what gives a key a secret. */
  const issue = (id: string, sql: string, ...values: readonly (string | null)[]): Promise<number> => {
    const note = effectNote();
    return statements.write(function* () {
      const changes = yield* run(sql, ...values);
      if (changes > 0) yield* note('key', id);
      return changes;
    });
  };
  return {
    async create(key, secretHash) {
      const { sources, doors: ways, limits } = key;
      const grants = defined({ sources, doors: ways, limits });
      await issue(
        key.id,
        `INSERT INTO api_key (id, name, tenant, role, groups, created_at, revoked_at, secret_hash, expires_at, grants)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        key.id,
        key.name,
        key.tenant,
        key.role,
        JSON.stringify(key.groups),
        key.createdAt,
        key.revokedAt ?? null,
        secretHash,
        key.expiresAt ?? null,
        Object.keys(grants).length === 0 ? null : JSON.stringify(grants),
      );
    },
    async findByHash(secretHash, at) {
      const sql = `SELECT ${columns} FROM api_key WHERE secret_hash = ? OR (previous_hash = ? AND previous_until > ?)`;
      const [row] = await statements.rows<KeyRow>(sql, secretHash, secretHash, at);
      return row && toKey(row);
    },
    async list() {
      return (await statements.rows<KeyRow>(`SELECT ${columns} FROM api_key ORDER BY created_at, id`)).map(toKey);
    },
    async rotate(id, secretHash, { previousUntil, at }) {
      const sql = `UPDATE api_key SET previous_hash = secret_hash, previous_until = ?, secret_hash = ? WHERE id = ? AND ${isActive}`;
      return (await issue(id, sql, previousUntil, secretHash, id, at)) === 1;
    },
    used: async (id, at) => void (await write('UPDATE api_key SET last_used_at = ? WHERE id = ?', at, id)),
    async taken(principal, what, since) {
      const sql = 'SELECT amount FROM key_use WHERE principal = ? AND what = ? AND since = ?';
      const [row] = await statements.rows<{ readonly amount: number }>(sql, principal, what, since);
      return row?.amount ?? 0;
    },
    take: (principal, what, { since, amount, most }) =>
      statements.write(function* () {
        const sql = 'SELECT since, amount FROM key_use WHERE principal = ? AND what = ?';
        const row = yield* first<{ readonly since: string; readonly amount: number }>(sql, principal, what);
        // A server whose clock goes behind counts in the window of the others.
        const isKnown = row !== undefined && row.since >= since;
        const used = isKnown ? row.amount : 0;
        const may = Math.max(-used, Math.min(amount, Math.max(0, most - used)));
        // What was taken of a window that is over is in no later one.
        const granted = amount < 0 && row?.since !== since ? 0 : may;
        if (granted !== 0) yield* run(takeSql, principal, what, isKnown ? row.since : since, used + granted);
        return { granted, left: Math.max(0, most - used - granted) };
      }),
    async revoke(id, at) {
      return (await write('UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id)) === 1;
    },
    async hasAny() {
      const sql = `SELECT 1 FROM api_key WHERE secret_hash NOT LIKE '${lifted}%' LIMIT 1`;
      return (await statements.rows(sql)).length > 0;
    },
    liftAll: (at) =>
      write(
        `UPDATE api_key SET revoked_at = coalesce(revoked_at, ?), secret_hash = '${lifted}' || secret_hash, previous_hash = NULL WHERE secret_hash NOT LIKE '${lifted}%'`,
        at,
      ),
    async countActive(at) {
      const sql = `SELECT count(*) AS active FROM api_key WHERE ${isActive}`;
      const [row] = await statements.rows<{ readonly active: number }>(sql, at);
      return row?.active ?? 0;
    },
  };
}
