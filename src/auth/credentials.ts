// API keys: who a secret stands for. Secrets are 32 random bytes shown once, or given by the owner; the record keeps their SHA-256 and looks up by
// the whole of it (RELIABILITY: LiteLLM matched on a prefix). Unknown and revoked secrets cannot be told apart.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { FootnoteError } from '../core/errors.ts';
import { type Clock, type Ids, randomIds, sha256, systemClock } from '../core/ids.ts';
import { defaultTenant, type Principal, type Role, type Scope } from '../core/scope.ts';
import { defined } from '../core/values/defined.ts';
import type { ApiKey, KeyGrants, KeyRepository } from '../db/repositories/api-keys.ts';

export interface NewKey extends KeyGrants {
  readonly name: string;
  readonly role: Role;
  readonly tenant?: string;
  readonly groups?: readonly string[];
  /** An instant, as RFC 3339 writes it. */
  readonly expiresAt?: string;
  /** A strong one of the owner's own; absent: it is made. */
  readonly secret?: string;
}

interface MadeKey {
  readonly key: ApiKey;
  /** `fn_…`; given here and never again. */
  readonly secret: string;
}

export interface Credentials {
  /** Throws `invalid-request` for an empty name or tenant, an end that has passed, and limits that a key cannot have. */
  create(key: NewKey): Promise<MadeKey>;
  /** Another secret for the same key; the one that it has opens for so long beside it. Undefined: no such active key. */
  rotate(id: string, overlapSeconds?: number): Promise<MadeKey | undefined>;
  /** Whom the secret stands for now; undefined for an unknown, malformed, revoked or expired one. */
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

/** How long two secrets of a key are valid at once, unless somebody says otherwise. */
const overlapSeconds = 24 * 60 * 60;
/** A write for each request would cost more than many of them. */
const usedEveryMs = 60_000;

const makeSecret = (): string => `fn_${randomBytes(32).toString('base64url')}`;

const tokenPrefix = 'oidc:';
/** Whom a token stands for, by its subject: of another issuer the same subject is somebody else. */
export const principalOfToken = (issuer: string, subject: string): string =>
  `${tokenPrefix}${sha256(issuer).slice(0, 16)}:${subject}`;
export const isOfToken = ({ id }: Pick<Principal, 'id'>): boolean => id.startsWith(tokenPrefix);
/** Whether it is somebody who is limited: by a key, or by a token of an issuer. */
export const isLimited = (principal: Pick<Principal, 'id'>): boolean =>
  principal.id.startsWith('key:') || isOfToken(principal);

const secretPattern = /^[!-~]{32,512}$/;

/** Whether an owner's own secret can be one: in one piece, long, and not a few characters over and over, which would be short when compressed. */
export const isStrongSecret = (secret: string): boolean =>
  secretPattern.test(secret) && deflateRawSync(secret).length >= 28;

export function createCredentials(
  keys: KeyRepository,
  { ids = randomIds, clock = systemClock }: { readonly ids?: Ids; readonly clock?: Clock } = {},
): Credentials {
  const notedAt = new Map<string, number>();
  const noteUse = ({ id, lastUsedAt = '' }: ApiKey, at: string): void => {
    const last = notedAt.get(id) ?? Date.parse(lastUsedAt);
    if (Date.parse(at) - last < usedEveryMs) return;
    notedAt.set(id, Date.parse(at));
    // Who asks is served also where nothing can be written.
    void keys.used(id, at).catch(() => undefined);
  };

  return {
    async create({ name, role, tenant = defaultTenant, groups = [], expiresAt, secret = makeSecret(), ...grants }) {
      if (name.trim() === '')
        throw new FootnoteError('invalid-request', 'A key needs a name: say who or what will use it.');
      if (tenant.trim() === '') throw new FootnoteError('invalid-request', 'The tenant of a key may not be empty.');
      if (grants.sources !== undefined && role === 'admin')
        throw new FootnoteError(
          'invalid-request',
          'An admin sees all of its tenant, so no key of this role is for some sources alone. Make one with the role reader or writer.',
        );
      for (const [what, list] of Object.entries(grants))
        if (Array.isArray(list) && list.length === 0)
          throw new FootnoteError(
            'invalid-request',
            `A key for no ${what} opens nothing. Name some, or leave it out for all.`,
          );
      const [createdAt, ends] = [clock.now(), Date.parse(expiresAt ?? '9999-12-31')];
      if (!(ends > Date.parse(createdAt)))
        throw new FootnoteError(
          'invalid-request',
          `A key that ends at ${expiresAt} opens nothing. Give a time to come.`,
        );
      const end = expiresAt !== undefined && { expiresAt: new Date(ends).toISOString() };
      const key: ApiKey = { id: ids.next('key'), name, tenant, role, groups, createdAt, ...end, ...defined(grants) };
      await keys.create(key, sha256(secret));
      return { key, secret };
    },

    async authenticate(secret) {
      if (!secretPattern.test(secret)) return undefined;
      const at = clock.now();
      const key = await keys.findByHash(sha256(secret), at);
      if (key === undefined || key.revokedAt !== undefined || (key.expiresAt ?? '~') <= at) return undefined;
      noteUse(key, at);
      const { id, role, groups, sources, doors, limits } = key;
      const grants = defined({ sources, doors, limits });
      return { tenant: key.tenant, principal: { id: principalOf(id), role, groups, ...grants } };
    },

    async rotate(id, seconds = overlapSeconds) {
      const [secret, at] = [makeSecret(), clock.now()];
      const previousUntil = new Date(Date.parse(at) + seconds * 1000).toISOString();
      if (!(await keys.rotate(id, sha256(secret), { previousUntil, at }))) return undefined;
      const key = (await keys.list()).find((one) => one.id === id);
      return key && { key, secret };
    },

    list: () => keys.list(),
    revoke: (id) => keys.revoke(id, clock.now()),
    required: () => keys.hasAny(),
    open: () => keys.liftAll(clock.now()),
    locked: async () => (await keys.hasAny()) && (await keys.countActive(clock.now())) === 0,
  };
}

/** Compares in a time that depends on neither text: for secrets that are not looked up by hash. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(left)), Buffer.from(sha256(right)));
}
