// Port of the keys that open the server: who may, for which tenant. A secret is never kept, only its hash.
import type { Role } from '../../core/scope.ts';

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly role: Role;
  readonly groups: readonly string[];
  readonly createdAt: string;
  readonly revokedAt?: string;
}

/** API keys: only SHA-256 hashes of the secrets are kept. */
export interface KeyRepository {
  create(key: ApiKey, secretHash: string): Promise<void>;
  findByHash(secretHash: string): Promise<ApiKey | undefined>;
  list(): Promise<readonly ApiKey[]>;
  revoke(id: string, at: string): Promise<boolean>;
  /** Whether a key was made that was not lifted: rows of revoked ones stay for ever, so that revoking makes this false never. */
  hasAny(): Promise<boolean>;
  /** Revokes every key and lifts it: it stays on record and counts for `hasAny` no more. Gives how many. */
  liftAll(at: string): Promise<number>;
  /** Keys that are not revoked. */
  countActive(): Promise<number>;
}
