// Visits of pages: one request after another to each host, no sooner than it likes, with what was kept of the page before, so that a page that
// did not change is not sent again. Invariants: a page that could not be read is never taken for gone, which only 404 and 410 say; what a site
// said last is told in a FootnoteError that says what to do.
import { setTimeout as sleep } from 'node:timers/promises';
import { formatOfExtension, formatOfMime } from '@footnote/readers/media-types';
import { extensionOf } from '@footnote/readers/registry/sniff';
import { everythingAllowed, nothingAllowed, parseRobots, type Robots } from '@footnote/readers/web/robots';
import { type RobotsDirectives, readRobotsDirectives } from '@footnote/readers/web/robots-directives';
import { FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/ids.ts';
import type { Foreign, ForeignReply } from '../../../net/foreign.ts';
import { parseRetryAfter } from '../../../net/retry-after.ts';
import { nameAt } from './address.ts';

/** The name that robots.txt files know the program by. */
export const product = 'footnote';

/** What a page said of itself when it was read: sent back with the next request. */
export interface PageVersion {
  readonly etag?: string;
  readonly modified?: string;
  /** It was the same page as the one at this address. */
  readonly sameAs?: string;
}

export interface VisitedPage {
  readonly kind: 'page';
  /** Where it was found, after redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly mime?: string;
  /** Empty where the site says nothing by which a page is known again. */
  readonly version: PageVersion;
  readonly retrievedAt: string;
  /** As its header says; a tag in it may say more. */
  readonly robots: RobotsDirectives;
}

export type Visit =
  | VisitedPage
  | ({ readonly kind: 'unchanged' } & Pick<VisitedPage, 'robots'>)
  | { readonly kind: 'gone'; readonly error: FootnoteError };

export interface VisitOptions {
  readonly before?: PageVersion | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `unread`: why it could not be read; then nothing is allowed. */
export type SiteRobots = Robots & { readonly unread?: FootnoteError };

export interface Visitor {
  /** Throws `forbidden`, `upstream-unavailable`, `upstream-invalid`, `unsupported-media`, `invalid-media`, `rate-limited`, `deadline-exceeded`, `cancelled`. */
  visit(address: string, options?: VisitOptions): Promise<Visit>;
  /** What the site of an address allows; asked for once by each visitor. */
  robots(address: string, signal?: AbortSignal): Promise<SiteRobots>;
}

export interface VisitorPorts {
  readonly foreign: Foreign;
  readonly clock: Pick<Clock, 'now' | 'elapsedMs'>;
  /** Least time between two requests to a host. */
  readonly hostGapMs: number;
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** A site that asks for more is asked later: in the next run. */
const longestWaitMs = 30_000;
const longestDelayMs = 10_000;
const tries = 3;

const accepts = (mime: string): boolean =>
  mime === '' ||
  mime === 'application/octet-stream' ||
  mime.startsWith('text/') ||
  /^application\/(?:xhtml\+xml|xml|json|pdf|gzip|x-gzip|x-ndjson|[a-z0-9.-]+\+(?:xml|json))$/u.test(mime) ||
  formatOfMime(mime) !== undefined;

/** What servers say of files that they know nothing of. */
const vague: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'text/plain', 'binary/octet-stream']);

function pageOf({ url, headers, bytes }: ForeignReply): Omit<VisitedPage, 'retrievedAt' | 'robots'> {
  const [written = '', ...parameters] = (headers.get('content-type') ?? '').split(';');
  const said = written.trim().toLowerCase();
  const name = nameAt(url);
  const isVague = vague.has(said) && formatOfExtension(extensionOf(name)) !== undefined;
  const mime = isVague || said === '' || said.endsWith('octet-stream') ? undefined : said;
  const charset = /charset\s*=\s*"?([\w.:-]+)/iu.exec(parameters.join(';'))?.[1];
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  return {
    kind: 'page',
    url,
    bytes: inUtf8(bytes, said, charset),
    name,
    ...(mime !== undefined && { mime }),
    version: { ...(etag !== null && { etag }), ...(modified !== null && { modified }) },
  };
}

/** Text in an encoding that only the header names would be guessed at. */
function inUtf8(bytes: Uint8Array, mime: string, charset: string | undefined): Uint8Array {
  if (charset === undefined || /^utf-?8$/iu.test(charset) || !mime.startsWith('text/')) return bytes;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  if (/charset\s*=|encoding\s*=|^(?:\u00ff\u00fe|\u00fe\u00ff|\u00ef\u00bb\u00bf)/iu.test(head)) return bytes;
  try {
    return new TextEncoder().encode(new TextDecoder(charset).decode(bytes));
  } catch {
    return bytes;
  }
}

function refusal(address: string, status: number): FootnoteError {
  const details = { address, status };
  if (status === 401 || status === 403 || status === 407 || status === 451)
    return new FootnoteError(
      'forbidden',
      `${address} is not open to everybody (HTTP ${status}). What the site keeps to itself is not read.`,
      { details },
    );
  if (status >= 500 || status === 408 || status === 425)
    return new FootnoteError(
      'upstream-unavailable',
      `${address} could not be read: the site answered with HTTP ${status}. The next sync tries again.`,
      { details },
    );
  return new FootnoteError('upstream-invalid', `${address} answered with HTTP ${status}. Check the address.`, {
    details,
  });
}

interface HostTurns {
  /** The end of its last request. */
  last: Promise<unknown>;
  /** When the next one may begin. */
  fromMs: number;
  delayMs: number;
}

/** Visitors that share the patience of hosts; each asks for the robots.txt of a site anew. */
export function createVisitors(ports: VisitorPorts): () => Visitor {
  const hosts = new Map<string, HostTurns>();
  return () => openVisitor(ports, hosts);
}

function openVisitor(
  { foreign, clock, hostGapMs, pause = pauseFor }: VisitorPorts,
  hosts: Map<string, HostTurns>,
): Visitor {
  const sites = new Map<string, Promise<SiteRobots>>();
  const hostOf = (address: string) => {
    const { host } = new URL(address);
    const known = hosts.get(host) ?? { last: Promise.resolve(), fromMs: 0, delayMs: hostGapMs };
    hosts.set(host, known);
    return known;
  };

  /** One request at a time to a host. */
  function inTurn<T>(address: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const host = hostOf(address);
    const turn = host.last.then(async () => {
      const waitMs = host.fromMs - clock.elapsedMs();
      if (waitMs > 0) await pause(waitMs, signal);
      signal?.throwIfAborted();
      try {
        return await work();
      } finally {
        host.fromMs = clock.elapsedMs() + host.delayMs;
      }
    });
    host.last = turn.catch(() => undefined);
    return turn;
  }

  async function ask(address: string, before: PageVersion, signal?: AbortSignal): Promise<ForeignReply> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await inTurn(
        address,
        () =>
          foreign.fetch(address, {
            headers: {
              'user-agent': `${product}/1.0`,
              accept: 'text/html, application/xhtml+xml, text/*;q=0.9, */*;q=0.5',
              ...(before.etag !== undefined && { 'if-none-match': before.etag }),
              ...(before.modified !== undefined && { 'if-modified-since': before.modified }),
            },
            accepts,
            ...(signal && { signal }),
          }),
        signal,
      );
      if (reply.status !== 429 && reply.status !== 503) return reply;
      const waitMs = parseRetryAfter(reply.headers.get('retry-after')) ?? 1000 * 2 ** (attempt - 1);
      if (attempt === tries || waitMs > longestWaitMs)
        throw new FootnoteError(
          reply.status === 429 ? 'rate-limited' : 'upstream-unavailable',
          `${address} asks to be left alone for now (HTTP ${reply.status}). The next sync tries again.`,
          { details: { address, status: reply.status } },
        );
      hostOf(address).fromMs = clock.elapsedMs() + waitMs;
    }
  }

  async function readRobots(origin: string, signal?: AbortSignal): Promise<SiteRobots> {
    const address = `${origin}/robots.txt`;
    let reply: ForeignReply;
    try {
      reply = await ask(address, {}, signal);
    } catch (thrown) {
      if (signal?.aborted || (thrown as FootnoteError).code === 'forbidden') throw thrown;
      // RFC 9309 2.3.1.4: what cannot be reached forbids everything.
      return { ...nothingAllowed, unread: toFootnoteError(thrown) };
    }
    if (reply.status >= 500) return { ...nothingAllowed, unread: refusal(address, reply.status) };
    if (reply.status < 200 || reply.status >= 300) return everythingAllowed;
    const robots = parseRobots(new TextDecoder().decode(reply.bytes), product);
    const delayMs = Math.min((robots.delaySeconds ?? 0) * 1000, longestDelayMs);
    const host = hostOf(address);
    host.delayMs = Math.max(host.delayMs, delayMs);
    return robots;
  }

  return {
    async visit(address, { before = {}, signal } = {}) {
      const reply = await ask(address, before, signal);
      const { status } = reply;
      const hadVersion = before.etag !== undefined || before.modified !== undefined;
      const retrievedAt = clock.now();
      const robots = readRobotsDirectives(reply.headers.get('x-robots-tag') ?? '', product, Date.parse(retrievedAt));
      if (status === 304 && hadVersion) return { kind: 'unchanged', robots };
      if (status === 404 || status === 410) {
        const why = `${address} is gone: the site answered with HTTP ${status}. Correct or remove the address.`;
        return { kind: 'gone', error: new FootnoteError('not-found', why, { details: { address, status } }) };
      }
      if (status < 200 || status >= 300) throw refusal(address, status);
      const { headers } = reply;
      if (headers.has('cf-mitigated'))
        throw new FootnoteError(
          'forbidden',
          `${address} answered with a challenge for browsers in place of the page. Ask the site to let ${product} in.`,
          { details: { address, status } },
        );
      if (headers.has('retry-after')) throw refusal(address, 503);
      if (reply.bytes.length === 0)
        throw new FootnoteError('invalid-media', `${address} is empty (HTTP ${status}): there is nothing to read.`);
      return { ...pageOf(reply), retrievedAt, robots };
    },
    robots(address, signal) {
      const { origin } = new URL(address);
      const known = sites.get(origin) ?? readRobots(origin, signal);
      sites.set(origin, known);
      known.catch(() => sites.delete(origin));
      return known;
    },
  };
}

const pauseFor = (ms: number, signal?: AbortSignal): Promise<unknown> => sleep(ms, undefined, signal && { signal });

/** The version of a page as the record keeps it; undefined where the site said nothing. */
export const toVersion = (version: PageVersion): string | undefined =>
  Object.keys(version).length > 0 ? JSON.stringify(version) : undefined;

/** Total: what was kept in another form tells nothing. */
export function fromVersion(kept: string | undefined): PageVersion | undefined {
  if (kept === undefined) return undefined;
  try {
    const { etag, modified, sameAs } = JSON.parse(kept) as Record<string, unknown>;
    return {
      ...(typeof etag === 'string' && { etag }),
      ...(typeof modified === 'string' && { modified }),
      ...(typeof sameAs === 'string' && { sameAs }),
    };
  } catch {
    return undefined;
  }
}
