// Port of the keys that open the server: who may, for which tenant. A secret is never kept, only its hash.
import type { DoorName, Role } from '../../core/scope.ts';
import type { KeyLimits } from '../../core/spending.ts';

/** What a key is limited to; absent: nothing. */
export interface KeyGrants {
  readonly sources?: readonly string[];
  readonly doors?: readonly DoorName[];
  readonly limits?: KeyLimits;
}

export interface ApiKey extends KeyGrants {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly role: Role;
  readonly groups: readonly string[];
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** From then on it opens nothing. */
  readonly expiresAt?: string;
  /** To the minute. */
  readonly lastUsedAt?: string;
  /** Until then the secret from before its rotation opens, too. */
  readonly previousUntil?: string;
}

/** API keys: only SHA-256 hashes of the secrets are kept. */
export interface KeyRepository {
  create(key: ApiKey, secretHash: string): Promise<void>;
  /** By its secret, or by the one before it as long as that lasts at `at`. */
  findByHash(secretHash: string, at: string): Promise<ApiKey | undefined>;
  /** Gives an active key another secret; that before it lasts on until `previousUntil`, and none before that. False: no such key. */
  rotate(
    id: string,
    secretHash: string,
    times: { readonly previousUntil: string; readonly at: string },
  ): Promise<boolean>;
  used(id: string, at: string): Promise<void>;
  list(): Promise<readonly ApiKey[]>;
  /** What a principal took in the window that opened then. */
  taken(principal: string, what: string, since: string): Promise<number>;
  /**
   * Takes so much more of `most` in that window, or what is left of it; gives back where the amount is negative. Durable when the promise resolves,
   * and counted with what every other server took.
   */
  take(
    principal: string,
    what: string,
    wanted: { readonly since: string; readonly amount: number; readonly most: number },
  ): Promise<{ readonly granted: number; readonly left: number }>;
  revoke(id: string, at: string): Promise<boolean>;
  /** Whether a key was made that was not lifted: rows of revoked ones stay for ever, so that revoking makes this false never. */
  hasAny(): Promise<boolean>;
  /** Revokes every key and lifts it: it stays on record and counts for `hasAny` no more. Gives how many. */
  liftAll(at: string): Promise<number>;
  /** Keys that are neither revoked nor over. */
  countActive(at: string): Promise<number>;
}
