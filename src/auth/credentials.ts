// API keys: who a secret stands for. Secrets are 32 random bytes shown once; the record keeps their SHA-256 and looks up by
// the whole of it (RELIABILITY: LiteLLM matched on a prefix). Unknown and revoked secrets cannot be told apart.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { FootnoteError } from '../core/errors.ts';
import { type Clock, type Ids, randomIds, sha256, systemClock } from '../core/ids.ts';
import { defaultTenant, type Role, type Scope } from '../core/scope.ts';
import type { ApiKey, KeyRepository } from '../db/repositories/api-keys.ts';

export interface NewKey {
  readonly name: string;
  readonly role: Role;
  readonly tenant?: string;
  readonly groups?: readonly string[];
}

export interface Credentials {
  /** The secret (`fn_…`) is returned here and never again. Throws `invalid-request` for an empty name or tenant. */
  create(key: NewKey): Promise<{ key: ApiKey; secret: string }>;
  /** Whom the secret stands for now; undefined for an unknown, malformed or revoked one. */
  authenticate(secret: string): Promise<Scope | undefined>;
  list(): Promise<readonly ApiKey[]>;
  /** Takes effect with the next request. False: no such active key. */
  revoke(id: string): Promise<boolean>;
  /**
   * Whether every caller needs a key: from the first key on, so that revoking the last one locks the server instead of opening it. Only
   * `open` ends that. Until then it listens on the loopback address only.
   */
  required(): Promise<boolean>;
  /** Revokes every key, and asks no caller for one until the next is made: for the owner of the folder alone. Gives how many there were. */
  open(): Promise<number>;
  /** Whether keys are required and none is active: then commands on this machine alone get in, and make a new one. */
  locked(): Promise<boolean>;
}

/** Whom a key stands for, by its id. */
export const principalOf = (id: string): string => `key:${id}`;

const secretPattern = /^fn_[A-Za-z0-9_-]{43}$/;

export function createCredentials(
  keys: KeyRepository,
  { ids = randomIds, clock = systemClock }: { readonly ids?: Ids; readonly clock?: Clock } = {},
): Credentials {
  return {
    async create({ name, role, tenant = defaultTenant, groups = [] }) {
      if (name.trim() === '')
        throw new FootnoteError('invalid-request', 'A key needs a name: say who or what will use it.');
      if (tenant.trim() === '') throw new FootnoteError('invalid-request', 'The tenant of a key may not be empty.');
      const secret = `fn_${randomBytes(32).toString('base64url')}`;
      const key: ApiKey = { id: ids.next('key'), name, tenant, role, groups, createdAt: clock.now() };
      await keys.create(key, sha256(secret));
      return { key, secret };
    },

    async authenticate(secret) {
      if (!secretPattern.test(secret)) return undefined;
      const hash = sha256(secret);
      const key = await keys.findByHash(hash);
      if (key === undefined || key.revokedAt !== undefined) return undefined;
      return { tenant: key.tenant, principal: { id: principalOf(key.id), role: key.role, groups: key.groups } };
    },

    list: () => keys.list(),
    revoke: (id) => keys.revoke(id, clock.now()),
    required: () => keys.hasAny(),
    open: () => keys.liftAll(clock.now()),
    locked: async () => (await keys.hasAny()) && (await keys.countActive()) === 0,
  };
}

/** Compares in a time that depends on neither text: for secrets that are not looked up by hash. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(left)), Buffer.from(sha256(right)));
}
