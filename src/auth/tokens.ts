// Tokens of an OpenID provider: whom one stands for. Invariants: only a token that this issuer signed for us, with a key pair, and that is valid now stands for
// anybody; it reads and comes by the door of MCP alone, whatever it says of itself; and whoever sends many asks the issuer no more often for that.
import type { createRemoteJWKSet, JWTPayload } from 'jose';
import { z } from 'zod';
import { FootnoteError, isFootnoteError } from '../core/errors.ts';
import { defaultTenant, type Scope } from '../core/scope.ts';

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

/** Whether a secret has the form of a token: no key of ours has a dot. */
export const looksLikeToken = (secret: string): boolean => secret.split('.').length === 3;

/** Signed by a key pair: with a shared secret, whoever can check a token could make one. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const issuerTimeoutMs = 5_000;
const keysMaxAgeMs = 600_000;
const clockToleranceSeconds = 30;
const mostGroups = 500;
const longestName = 256;

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/u }) });

/** Names that stand for callers of ours in access lists: no issuer may give them to anybody. */
const isOurs = (name: string): boolean => name === 'local' || name.startsWith('key:') || name.startsWith('oidc:');

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

export function createTokens(settings: TokenSettings, { reach, cooldownMs = 30_000 }: TokenPorts): Tokens {
  const { issuer, audience, groupsClaim, sourcesOf } = settings;
  const unreachable = (cause: unknown): FootnoteError =>
    new FootnoteError(
      'upstream-unavailable',
      `${issuer} does not tell its keys, so tokens cannot be checked (${cause instanceof Error ? cause.message : String(cause)}). Send an API key, or try again when it is back.`,
      { cause },
    );

  async function findKeysUrl(): Promise<string> {
    if (settings.keysUrl !== undefined) return settings.keysUrl;
    const url = `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`;
    const reply = await reach(url, { signal: AbortSignal.timeout(issuerTimeoutMs) });
    if (!reply.ok) throw new Error(`${url} answers with HTTP status ${reply.status}`);
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
      [jose.customFetch]: (url, { headers, method, signal }) => reach(url, { headers, method, signal }),
    });
  }
  async function keysOf(): Promise<ReturnType<typeof createRemoteJWKSet>> {
    keys ??= open();
    try {
      return await keys;
    } catch (error) {
      keys = undefined;
      throw unreachable(error);
    }
  }

  function toScope({ sub, [groupsClaim]: claimed }: JWTPayload): Scope {
    if (typeof sub !== 'string' || sub === '' || sub.length > longestName) throw refused(faults['sub'] as string);
    const groups = [claimed]
      .flat()
      .filter((name): name is string => typeof name === 'string' && name !== '' && name.length <= longestName)
      .filter((name) => !isOurs(name))
      .slice(0, mostGroups);
    const sources = sourcesOf && [...new Set(groups.flatMap((name) => sourcesOf.get(name) ?? []))];
    const principal = {
      id: `oidc:${sub}`,
      role: 'reader',
      groups,
      doors: ['mcp'],
      ...(sources && { sources }),
    } as const;
    return { tenant: defaultTenant, principal };
  }

  return {
    async authenticate(token) {
      const [jose, known] = await Promise.all([import('jose'), keysOf()]);
      const wanted = { issuer, audience, algorithms, clockTolerance: clockToleranceSeconds };
      try {
        const { payload } = await jose.jwtVerify(token, known, { ...wanted, requiredClaims: ['sub', 'exp'] });
        return toScope(payload);
      } catch (error) {
        if (isFootnoteError(error)) throw error.code === 'unauthenticated' ? error : unreachable(error);
        const { code = '', claim = '' } = error as { readonly code?: string; readonly claim?: string };
        if (ofIssuer.has(code)) throw unreachable(error);
        throw refused(faults[code] ?? faults[claim] ?? 'is not valid', error);
      }
    },
  };
}
