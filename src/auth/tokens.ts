// Tokens of an OpenID provider: whom one stands for. Invariants: only a token that this issuer signed for us, with a key pair, and that is valid now stands for
// anybody; it reads and comes by the door of MCP alone, whatever it says of itself; and whoever sends many asks the issuer no more often for that.
import type { createRemoteJWKSet, JWTPayload } from 'jose';
import { z } from 'zod';
import { FootnoteError, isFootnoteError } from '../core/errors.ts';
import { defaultTenant, type Scope } from '../core/scope.ts';
import { isLimited, principalOfToken } from './credentials.ts';

export interface TokenSettings {
  /** As tokens name it, letter for letter. */
  readonly issuer: string;
  /** What a token must be for. */
  readonly audience: string;
  /** Where the keys are; absent: where the metadata of the issuer say, which must be at its own origin. */
  readonly keysUrl?: string | undefined;
  readonly groupsClaim: string;
  /** Sources by the group that may read them; absent: all, as far as access lists let. */
  readonly sourcesOf?: ReadonlyMap<string, readonly string[]> | undefined;
}

export interface TokenPorts {
  /** Reaches the issuer alone; bounded. */
  readonly reach: (url: string, init: RequestInit) => Promise<Response>;
  /** Between two looks for a key that is not known yet. Default: 30 seconds. */
  readonly cooldownMs?: number;
}

export interface Tokens {
  /** Throws `unauthenticated` with what is wrong, and `upstream-unavailable` where the issuer does not say which keys it has. */
  authenticate(token: string): Promise<Scope>;
}

/** Whether a secret has the form of a token. */
export const looksLikeToken = (secret: string): boolean => secret.split('.').length === 3;

/** Signed by a key pair: with a shared secret, whoever can check a token could make one. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const issuerTimeoutMs = 5_000;
const failureRestMs = 5_000;
const keysMaxAgeMs = 600_000;
const clockToleranceSeconds = 30;
const mostGroups = 500;
const longestName = 256;

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/u }) });

/** Names that stand for callers of ours in access lists: no issuer may give them to anybody. */
const isOurs = (name: string): boolean => name === 'local' || isLimited({ id: name });

const refused = (what: string, cause?: unknown): FootnoteError =>
  new FootnoteError('unauthenticated', `The token ${what}. Get a new one from the issuer, or send an API key.`, {
    cause,
  });

/** By the code of `jose`, and for claims by their name. */
const faults: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'has expired',
  ERR_JOSE_ALG_NOT_ALLOWED: 'is not signed with a key pair',
  ERR_JWKS_NO_MATCHING_KEY: 'is signed with no key of the issuer',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'is not signed by the issuer',
  iss: 'is of another issuer',
  aud: 'is for another audience',
  nbf: 'is not valid yet',
  exp: 'has no end',
  sub: 'names nobody, or in more than 256 characters',
};

const ofIssuer: ReadonlySet<string> = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

type Jose = typeof import('jose');

/** Nothing is asked of the issuer for what has not even the form of one of its tokens. */
function headerOf(jose: Jose, token: string): ReturnType<Jose['decodeProtectedHeader']> {
  try {
    return jose.decodeProtectedHeader(token);
  } catch (error) {
    throw refused('is not valid', error);
  }
}

const types: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);
function assertForm({ alg = '', typ }: ReturnType<typeof headerOf>): void {
  if (!algorithms.includes(alg)) throw refused(faults['ERR_JOSE_ALG_NOT_ALLOWED'] as string);
  if (typ !== undefined && !types.has(typ.toLowerCase())) throw refused('is no token of access');
}

/** Tokens that say who logged in or out may be for the same audience, and lie in browsers and logs. */
const isOfLogin = (payload: JWTPayload): boolean =>
  ['nonce', 'at_hash', 'c_hash', 'events'].some((claim) => claim in payload) ||
  ['ID', 'Refresh', 'Logout'].includes(String(payload['typ']));

export function createTokens(settings: TokenSettings, { reach, cooldownMs = 30_000 }: TokenPorts): Tokens {
  const { issuer, audience, groupsClaim, sourcesOf } = settings;
  /** Whoever sent a token is not told where the keys are, nor why they were not had. */
  const unreachable = (cause: unknown): FootnoteError =>
    new FootnoteError(
      'upstream-unavailable',
      'The issuer of tokens does not tell its keys, so they cannot be checked. Send an API key, or try again when it is back.',
      { cause },
    );

  let failure: { readonly error: FootnoteError; readonly until: number } | undefined;
  /** After a failure the issuer is asked nothing for a while, however many tokens come. */
  function rest(cause: unknown): FootnoteError {
    if (isFootnoteError(cause) && cause === failure?.error) return cause;
    const error = unreachable(cause);
    failure = { error, until: performance.now() + Math.min(cooldownMs, failureRestMs) };
    return error;
  }
  async function ask(url: string, init: RequestInit): Promise<Response> {
    if (failure && performance.now() < failure.until) throw failure.error;
    try {
      const reply = await reach(url, init);
      if (!reply.ok) throw new Error(`${url} answers with HTTP status ${reply.status}`);
      return reply;
    } catch (cause) {
      throw rest(cause);
    }
  }

  async function findKeysUrl(): Promise<string> {
    if (settings.keysUrl !== undefined) return settings.keysUrl;
    const url = `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`;
    const reply = await ask(url, { signal: AbortSignal.timeout(issuerTimeoutMs) });
    const found = metadataSchema.safeParse(await reply.json());
    if (!found.success) throw new Error(`${url} holds no metadata of an issuer`);
    if (found.data.issuer !== issuer)
      throw new Error(`${url} is of another issuer, ${found.data.issuer.slice(0, 200)}`);
    if (new URL(found.data.jwks_uri).origin !== new URL(issuer).origin)
      throw new Error(`its keys are at another address: set FOOTNOTE_OIDC_KEYS_URL to ${found.data.jwks_uri}`);
    return found.data.jwks_uri;
  }

  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;
  /** Looked for once; once more by whoever comes after a failure. */
  async function open(): Promise<ReturnType<typeof createRemoteJWKSet>> {
    const jose = await import('jose');
    return jose.createRemoteJWKSet(new URL(await findKeysUrl()), {
      timeoutDuration: issuerTimeoutMs,
      cacheMaxAge: keysMaxAgeMs,
      cooldownDuration: cooldownMs,
      [jose.customFetch]: (url, { headers, method, signal }) => ask(url, { headers, method, signal }),
    });
  }
  async function keysOf(): Promise<ReturnType<typeof createRemoteJWKSet>> {
    keys ??= open();
    try {
      return await keys;
    } catch (error) {
      keys = undefined;
      throw rest(error);
    }
  }

  function toScope({ sub, [groupsClaim]: claimed }: JWTPayload): Scope {
    if (typeof sub !== 'string' || sub === '' || sub.length > longestName) throw refused(faults['sub'] as string);
    const named = [claimed]
      .flat()
      .filter((name): name is string => typeof name === 'string' && name !== '' && name.length <= longestName)
      .filter((name) => !isOurs(name));
    // In whatever order they are named, it is the same caller.
    const groups = [...new Set(named)].slice(0, mostGroups).toSorted();
    const sources = sourcesOf && [...new Set(groups.flatMap((name) => sourcesOf.get(name) ?? []))];
    const principal = {
      id: principalOfToken(issuer, sub),
      role: 'reader',
      groups,
      doors: ['mcp'],
      ...(sources && { sources }),
    } as const;
    return { tenant: defaultTenant, principal };
  }

  return {
    async authenticate(token) {
      const jose = await import('jose');
      assertForm(headerOf(jose, token));
      const known = await keysOf();
      const wanted = { issuer, audience, algorithms, clockTolerance: clockToleranceSeconds };
      try {
        const { payload } = await jose.jwtVerify(token, known, { ...wanted, requiredClaims: ['sub', 'exp'] });
        if (isOfLogin(payload)) throw refused('is one of a login, not of access');
        return toScope(payload);
      } catch (error) {
        if (isFootnoteError(error)) throw error;
        const { code = '', claim = '' } = error as { readonly code?: string; readonly claim?: string };
        if (ofIssuer.has(code)) throw rest(error);
        throw refused(faults[code] ?? faults[claim] ?? 'is not valid', error);
      }
    },
  };
}
