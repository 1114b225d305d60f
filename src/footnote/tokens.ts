// Tokens of the OpenID provider that the settings name, beside the keys of the record: whoever asks for whom a secret stands need not tell them apart.
import { createTokens, looksLikeToken, type Tokens } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import { openEgress } from '../net/egress.ts';
import type { AuditedKeys } from './audit/audit.ts';

/** Keys of an issuer are some kB. */
const mostBytes = 1 << 20;

interface OpenedTokens extends Tokens {
  close(): void;
}

/** Undefined where no issuer is named. */
export function openTokens({ oidc }: Pick<Config, 'oidc'>): OpenedTokens | undefined {
  if (!oidc) return undefined;
  const addresses = [oidc.issuer, ...(oidc.keysUrl === undefined ? [] : [oidc.keysUrl])];
  const egress = openEgress({ addresses, maxResponseBytes: mostBytes });
  return { ...createTokens(oidc, { reach: egress.fetch }), close: egress.close };
}

/** Where tokens are taken every caller is checked, before the first key is made as well. */
export const withTokens = (keys: AuditedKeys, tokens: Tokens | undefined): AuditedKeys =>
  tokens
    ? {
        ...keys,
        // A key that somebody chose may have the form of a token.
        authenticate: async (secret) =>
          (await keys.authenticate(secret)) ?? (looksLikeToken(secret) ? tokens.authenticate(secret) : undefined),
        required: async () => true,
      }
    : keys;
