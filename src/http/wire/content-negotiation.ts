// What a caller wants back, read from Accept (RFC 9110, section 12.5.1) and from the body.
import type { FastifyRequest } from 'fastify';
import { eventsAt } from '../policy/policy.ts';

/** Whether the caller asked for server-sent events, by Accept or by `stream: true`. */
export function wantsEventStream(request: FastifyRequest): boolean {
  const body = request.body as { stream?: unknown } | null | undefined;
  return (
    body?.stream === true ||
    preferredMime(request.headers.accept, ['application/json', 'text/event-stream']) === 'text/event-stream'
  );
}

/** The first of `offered` with the highest quality in `accept`; the first one when nothing fits or nothing was said. */
export function preferredMime(accept: string | undefined, offered: readonly string[]): string {
  const ranges = (accept ?? '').split(',').map((part) => {
    const [mime = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { mime, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  });
  const qualityOf = (mime: string): number => {
    const quality = (range: string, discount: number): number | undefined => {
      const found = ranges.find((candidate) => candidate.mime === range);
      return found && (found.quality === 0 ? 0 : found.quality - discount);
    };
    // What is named weighs more than what a wildcard lets through.
    return quality(mime, 0) ?? quality(`${mime.split('/')[0]}/*`, 0.0001) ?? quality('*/*', 0.0002) ?? 0;
  };
  let best = offered[0] ?? '*/*';
  for (const mime of offered) if (qualityOf(mime) > qualityOf(best)) best = mime;
  return best;
}

/**
 * Whether a person opens the address in a tab of a browser. Over plain HTTP browsers tell no Fetch metadata (they are for HTTPS and for this machine
 * alone), but that they would rather have HTTPS: a program says neither.
 */
export function isOpenedByPerson({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const { accept, 'sec-fetch-mode': mode, 'sec-fetch-dest': place, 'upgrade-insecure-requests': upgrade } = headers;
  const isNavigation = mode === undefined ? upgrade === '1' : mode === 'navigate' && place === 'document';
  return method === 'GET' && isNavigation && preferredMime(accept, ['application/json', 'text/html']) === 'text/html';
}

/** Whether the reply is to be events that can be followed again. */
export function asksForEvents(request: FastifyRequest): boolean {
  const events = eventsAt(request.method, request.routeOptions.url);
  return events === 'always' || (events === 'wanted' && wantsEventStream(request));
}

/** Whoever follows a stream again asks for no work. */
export const isResumed = (request: FastifyRequest): boolean =>
  (request.headers['last-event-id'] ?? '') !== '' && asksForEvents(request);
