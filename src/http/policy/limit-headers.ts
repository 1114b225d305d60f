// How the limits of a key stand, as clients read them: RateLimit fields (draft-ietf-httpapi-ratelimit-headers-10), on routes that mirror OpenAI's API its own headers.
import type { LimitStanding } from '../../auth/meter.ts';
import type { FootnoteError } from '../../core/errors.ts';

export function limitHeaders(limits: readonly LimitStanding[], isMirrored: boolean): Record<string, string> {
  const [first, ...others] = limits;
  if (!first) return {};
  const tightest = others.reduce((least, one) => (one.left < least.left ? one : least), first);
  const of = (print: (limit: LimitStanding) => string) => limits.map(print).join(', ');
  return {
    'ratelimit-policy': of(({ what, most, seconds }) => `"${what}";q=${most};w=${seconds}`),
    ratelimit: of(({ what, left, resetsInSeconds }) => `"${what}";r=${left};t=${resetsInSeconds}`),
    ...(isMirrored && {
      'x-ratelimit-limit-requests': String(tightest.most),
      'x-ratelimit-remaining-requests': String(tightest.left),
      'x-ratelimit-reset-requests': `${tightest.resetsInSeconds}s`,
    }),
  };
}

/** Seconds until what was refused may be asked again, where it says so or its limit says when it begins anew. */
export function waitOf(error: unknown): number | undefined {
  const { opensAt, retryAfterSeconds } = ((error as Partial<FootnoteError> | undefined)?.details ?? {}) as {
    readonly opensAt?: unknown;
    readonly retryAfterSeconds?: unknown;
  };
  if (typeof retryAfterSeconds === 'number') return retryAfterSeconds;
  const atMs = typeof opensAt === 'string' ? Date.parse(opensAt) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(1, Math.ceil((atMs - Date.now()) / 1000));
}
