// API keys as the record keeps them: the SHA-256 of each secret, never the secret. Keys belong to the operator of the data
// folder, so this repository is the only one without a scope; a key names the tenant it opens. Invariant: no row is ever deleted, so that
// whether there was a key is known for ever; of a key that the owner lifted the hash is marked, so that nothing matches it.
import { roles } from '../../core/scope.ts';
import type { ApiKey, KeyRepository } from '../repositories/api-keys.ts';
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
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
});

/** Before the hash of a key that was lifted; no hash begins so. */
const lifted = 'lifted:';

const columns = 'id, name, tenant, role, groups, created_at, revoked_at';

export function createKeyRepository(read: Reader, write: Writer): KeyRepository {
  return {
    create: (key, secretHash) =>
      write((database) => {
        prepared(database, 'INSERT INTO api_key VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
          key.id,
          key.name,
          key.tenant,
          key.role,
          JSON.stringify(key.groups),
          key.createdAt,
          key.revokedAt ?? null,
          secretHash,
        );
      }),
    findByHash: (secretHash) =>
      read((database) => {
        const row = prepared(database, `SELECT ${columns} FROM api_key WHERE secret_hash = ?`).get(secretHash);
        return row && toKey(row as unknown as KeyRow);
      }),
    list: () =>
      read((database) => {
        const rows = prepared(database, `SELECT ${columns} FROM api_key ORDER BY created_at, id`).all();
        return (rows as unknown as KeyRow[]).map(toKey);
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
            `UPDATE api_key SET revoked_at = coalesce(revoked_at, ?), secret_hash = '${lifted}' || secret_hash WHERE secret_hash NOT LIKE '${lifted}%'`,
          ).run(at).changes,
        ),
      ),
    countActive: () =>
      read((database) => {
        const row = prepared(database, 'SELECT count(*) AS active FROM api_key WHERE revoked_at IS NULL').get();
        return Number(row?.['active'] ?? 0);
      }),
  };
}
