// How long somebody else's server asks to wait before the next request. Total: what cannot be read asks for nothing.

const longestWaitMs = 3_600_000;

/** The value of a `Retry-After` header (RFC 9110 10.2.3: seconds or a date), in milliseconds; at most an hour. */
export function parseRetryAfter(told: string | null | undefined): number | undefined {
  if (told === undefined || told === null || told.trim() === '') return undefined;
  const seconds = Number(told);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(told) - Date.now();
  return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), longestWaitMs) : undefined;
}

/** Milliseconds, as some vendors tell them beside the header of the standard: exacter, and believed first. */
const exactHeaders = ['retry-after-ms', 'x-ms-retry-after-ms'];

/** The same of a whole reply. */
export function readRetryAfter(header: (name: string) => string | null | undefined): number | undefined {
  for (const name of exactHeaders) {
    const exact = header(name);
    const waitMs = Number(exact);
    if (exact !== undefined && exact !== null && exact.trim() !== '' && Number.isFinite(waitMs) && waitMs >= 0)
      return Math.min(waitMs, longestWaitMs);
  }
  return parseRetryAfter(header('retry-after'));
}
