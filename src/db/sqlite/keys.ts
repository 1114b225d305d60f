// API keys as the record keeps them: the SHA-256 of each secret, never the secret. Keys belong to the operator of the data
// folder, so this repository is the only one without a scope; a key names the tenant it opens. Invariant: no row is ever deleted, so that
// whether there was a key is known for ever; of a key that the owner lifted the hash is marked, so that nothing matches it.
import { z } from 'zod';
import { doors, roles } from '../../core/scope.ts';
import { keyLimitsSchema } from '../../core/spending.ts';
import { defined } from '../../core/values/defined.ts';
import type { ApiKey, KeyGrants, KeyRepository } from '../repositories/api-keys.ts';
import { prepared, type Reader } from './file/connection.ts';
import type { Writer } from './requests/sessions.ts';

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
const isActive = 'revoked_at IS NULL AND coalesce(expires_at > ?, 1)';

export function createKeyRepository(read: Reader, write: Writer): KeyRepository {
  return {
    create: (key, secretHash) =>
      write((database) => {
        const { sources, doors: ways, limits } = key;
        const grants = defined({ sources, doors: ways, limits });
        prepared(database, 'INSERT INTO api_key VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, NULL, NULL)').run(
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
      }),
    findByHash: (secretHash, at) =>
      read((database) => {
        const sql = `SELECT ${columns} FROM api_key WHERE secret_hash = ? OR (previous_hash = ? AND previous_until > ?)`;
        const row = prepared(database, sql).get(secretHash, secretHash, at);
        return row && toKey(row as unknown as KeyRow);
      }),
    list: () =>
      read((database) => {
        const rows = prepared(database, `SELECT ${columns} FROM api_key ORDER BY created_at, id`).all();
        return (rows as unknown as KeyRow[]).map(toKey);
      }),
    rotate: (id, secretHash, { previousUntil, at }) =>
      write((database) => {
        const sql = `UPDATE api_key SET previous_hash = secret_hash, previous_until = ?, secret_hash = ? WHERE id = ? AND ${isActive}`;
        return prepared(database, sql).run(previousUntil, secretHash, id, at).changes === 1;
      }),
    used: (id, at) =>
      write((database) => {
        prepared(database, 'UPDATE api_key SET last_used_at = ? WHERE id = ?').run(at, id);
      }),
    taken: (principal, what, since) =>
      read((database) => {
        const sql = 'SELECT amount FROM key_use WHERE principal = ? AND what = ? AND since = ?';
        return Number(prepared(database, sql).get(principal, what, since)?.['amount'] ?? 0);
      }),
    take: (principal, what, { since, amount }) =>
      write((database) => {
        prepared(database, 'INSERT OR REPLACE INTO key_use VALUES (?, ?, ?, ?)').run(principal, what, since, amount);
      }),
    revoke: (id, at) =>
      write(
        (database) =>
          prepared(database, 'UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL').run(at, id)
            .changes === 1,
      ),
    hasAny: () =>
      read(
        (database) =>
          prepared(database, `SELECT 1 FROM api_key WHERE secret_hash NOT LIKE '${lifted}%' LIMIT 1`).get() !==
          undefined,
      ),
    liftAll: (at) =>
      write((database) =>
        Number(
          prepared(
            database,
            `UPDATE api_key SET revoked_at = coalesce(revoked_at, ?), secret_hash = '${lifted}' || secret_hash, previous_hash = NULL WHERE secret_hash NOT LIKE '${lifted}%'`,
          ).run(at).changes,
        ),
      ),
    countActive: (at) =>
      read((database) => {
        const row = prepared(database, `SELECT count(*) AS active FROM api_key WHERE ${isActive}`).get(at);
        return Number(row?.['active'] ?? 0);
      }),
  };
}
