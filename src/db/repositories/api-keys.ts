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
  /** Whether a key was ever made: rows of revoked ones stay for ever, so that this never becomes false again. */
  hasAny(): Promise<boolean>;
  /** Keys that are not revoked. */
  countActive(): Promise<number>;
}
