// Requests to hosts that nobody configured: pages of the web (docs/adr/0029). Invariants: no connection is made to an address that was not
// looked at, for the name is looked up once for each connection and the connection goes to what that look-up said; only public addresses are
// asked, unless the operator allowed the host by its name; every redirect is looked at like the first address; bytes, time, hops and kinds of
// answers are bounded; no key or cookie goes to another origin than it was given for; and only FootnoteError is thrown.

import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { addressWithoutSecrets } from '../core/addresses.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { isLoopbackHost } from '../core/hosts/loopback.ts';
import { joinedAbort } from '../core/signals/joined-abort.ts';
import { kindOfAddress } from './public-address.ts';
import { type Guard, openWire, type Proxies, type WireReply } from './wire.ts';

export interface ForeignOptions {
  /** Hosts of the operator's own network that may be asked: `wiki.example`, `wiki.example:8080`. Without a port: 80 and 443. */
  readonly allowedHosts?: readonly string[];
  readonly connectTimeoutMs?: number;
  /** For one fetch with all its redirects. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
  readonly maxRedirects?: number;
  /** Whether http is for hosts of this machine alone. */
  readonly secure?: boolean;
  /** What is asked through one of them is looked up there; the guard then knows only what the address itself tells. */
  readonly proxies?: Proxies | undefined;
  /** Where names lead. Default: what the system says. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface ForeignRequest {
  /** Sent to the origin of the first address; to others only what holds no secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether an answer of this media type is read. Default: texts and documents. */
  readonly accepts?: (mime: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface ForeignReply {
  /** Where it was found, after redirects; without secrets that these may have brought. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Empty unless the status says success. */
  readonly bytes: Uint8Array;
}

/** A reply whose body is read as it comes. */
export type ForeignStream = Omit<ForeignReply, 'bytes'> & Pick<WireReply, 'body' | 'discard'>;

export interface Foreign {
  /**
   * Asks for one page (GET). Throws `forbidden` for what the guard refuses, `upstream-unavailable`, `upstream-invalid`, `unsupported-media`,
   * `deadline-exceeded`, `cancelled`.
   */
  fetch(address: string, request?: ForeignRequest): Promise<ForeignReply>;
  /** The same for what is too large to be held, of any media type: `timeoutMs` ends with the head of the answer. */
  open(address: string, request?: Omit<ForeignRequest, 'accepts'>): Promise<ForeignStream>;
  /**
   * The address that a host of the web has now, for a program of its own that connects to it and to no other. Throws `forbidden`,
   * `upstream-unavailable`.
   */
  locate(address: string): Promise<{ readonly host: string; readonly port: number; readonly address: string }>;
  close(): void;
}

const webPorts: ReadonlySet<number> = new Set([80, 443]);
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Of the request's headers, those that another origin may see. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent', 'range']);

const isDocument = (mime: string): boolean =>
  mime.startsWith('text/') || /^application\/(xhtml\+xml|xml|json|pdf|x-ndjson|[a-z0-9.-]+\+(xml|json))$/u.test(mime);

const refused = (origin: string, why: string): FootnoteError =>
  new FootnoteError('forbidden', `${origin} is not asked: ${why}.`, { details: { address: origin } });

/** The name as it is compared: without the brackets of IPv6 and the dot of a whole name. */
const hostOf = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/gu, '')
    .replace(/\.$/u, '')
    .toLowerCase();

const portOf = ({ port, protocol }: { readonly port: string; readonly protocol: string }): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** `host port` of each. Throws `config-invalid`. */
function namedHosts(allowedHosts: readonly string[]): ReadonlySet<string> {
  return new Set(
    allowedHosts.flatMap((entry) => {
      const url = URL.parse(`http://${isIP(entry) === 6 ? `[${entry}]` : entry}`);
      if (!url || `${url.pathname}${url.search}${url.hash}${url.username}${url.password}` !== '/')
        throw new FootnoteError(
          'config-invalid',
          `"${entry}" is no host. Name one as wiki.example or wiki.example:8080.`,
        );
      const host = hostOf(url.hostname);
      return url.port === '' ? [`${host} 80`, `${host} 443`] : [`${host} ${url.port}`];
    }),
  );
}

export function openForeign(options: ForeignOptions = {}): Foreign {
  const { connectTimeoutMs = 2000, timeoutMs = 20_000, maxResponseBytes = 10 << 20, maxRedirects = 5 } = options;
  const { secure = false, proxies } = options;
  const resolve = options.resolve ?? ((host: string) => lookUp(host, { all: true, order: 'verbatim' }));
  const named = namedHosts(options.allowedHosts ?? []);
  const isNamed = (host: string, port: number): boolean => named.has(`${host} ${port}`);
  const mayAsk = (address: string, isOpen: boolean): boolean => {
    const kind = kindOfAddress(address);
    return kind === 'public' || (kind === 'private' && isOpen);
  };

  /** Why nothing is sent there, as far as the address itself tells. */
  function refusalOf(url: Pick<URL, 'hostname' | 'port' | 'protocol'>): string | undefined {
    const [host, port] = [hostOf(url.hostname), portOf(url)];
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https addresses are';
    if (secure && url.protocol === 'http:' && !isLoopbackHost(host)) return 'only https addresses are';
    if (!webPorts.has(port) && !isNamed(host, port))
      return `port ${port} is not one of the web (80, 443). Whoever runs the server may allow ${host}:${port} in WEB_ALLOW_HOSTS`;
    if (isIP(host) !== 0 && !mayAsk(host, isNamed(host, port))) return notPublic;
    return undefined;
  }

  const lookupWith =
    (isOpen: boolean): LookupFunction =>
    (hostname, { all }, done) => {
      resolve(hostname).then(
        (found) => {
          const [first] = found;
          const isRefused = found.some(({ address }) => !mayAsk(address, isOpen));
          if (isRefused) done(refused(hostname, notPublic), []);
          else if (first === undefined) done(Object.assign(new Error(), { code: 'ENOTFOUND' }), []);
          else if (all) done(null, [...found]);
          else done(null, first.address, first.family);
        },
        (thrown: NodeJS.ErrnoException) => done(thrown, []),
      );
    };

  const guard: Guard = (connectWith) => {
    const toPublic = connectWith({ lookup: lookupWith(false) });
    const toNamed = connectWith({ lookup: lookupWith(true) });
    return (target, callback) => {
      const why = refusalOf({ hostname: target.hostname, port: target.port, protocol: target.protocol });
      if (why !== undefined) return callback(refused(target.hostname, why), null);
      const connect = isNamed(hostOf(target.hostname), portOf(target)) ? toNamed : toPublic;
      return connect(target, callback);
    };
  };
  const wire = openWire({ connectTimeoutMs, maxResponseBytes, guard, proxies });

  function urlOf(address: string, from?: URL): URL {
    const url = URL.parse(address, from?.href);
    const shown = from ? `${from.origin} leads to` : '';
    if (!url)
      throw new FootnoteError(
        'invalid-request',
        `${shown} "${address.slice(address.lastIndexOf('@') + 1, 200).split('?', 1)[0]}", which is no address.`.trim(),
      );
    if (url.username !== '' || url.password !== '') throw refused(url.origin, 'its address holds a name or password');
    const why = refusalOf(url);
    if (why !== undefined) throw refused(url.origin, why);
    return url;
  }

  async function read(reply: WireReply, url: URL, accepts: (mime: string) => boolean): Promise<Uint8Array> {
    const { headers, status } = reply;
    const mime = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const isSuccess = status >= 200 && status < 300 && status !== 204 && status !== 205;
    const encoding = headers.get('content-encoding') ?? 'identity';
    const length = Number(headers.get('content-length') ?? 0);
    const fault = !isSuccess
      ? undefined
      : !accepts(mime)
        ? new FootnoteError('unsupported-media', `${url.origin} sent ${mime || 'an unnamed type'}, which is not read.`)
        : encoding.toLowerCase() !== 'identity'
          ? new FootnoteError('upstream-invalid', `${url.origin} sent ${encoding}, which was not asked for.`)
          : length > maxResponseBytes
            ? new FootnoteError(
                'upstream-invalid',
                `${url.origin} wants to send ${length} bytes; at most ${maxResponseBytes} are read.`,
              )
            : undefined;
    if (!isSuccess || fault) reply.discard();
    if (fault) throw fault;
    return isSuccess ? new Uint8Array(await new Response(reply.body()).arrayBuffer()) : new Uint8Array();
  }

  async function follow(address: string, { headers = {} }: ForeignRequest, signal: AbortSignal) {
    const first = urlOf(address);
    for (let [url, hop] = [first, 0]; ; hop += 1) {
      const sent = Object.entries(headers).filter(
        ([name]) => name.toLowerCase() !== 'host' && (url.origin === first.origin || harmless.has(name.toLowerCase())),
      );
      const reply = await wire.send(url, { headers: new Headers(sent), signal });
      const location = reply.headers.get('location');
      if (!redirects.has(reply.status) || location === null) return { url, reply };
      reply.discard();
      if (hop === maxRedirects)
        throw new FootnoteError('upstream-invalid', `${first.origin} redirects more than ${maxRedirects} times.`);
      url = urlOf(location, url);
    }
  }

  /** What `work` gives, unless it takes longer than `timeoutMs`. */
  async function inTime<T>(
    address: string,
    given: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const slow = AbortSignal.timeout(timeoutMs);
    const ends = joinedAbort(given ? [given, slow] : [slow]);
    try {
      return await work(ends.signal);
    } catch (thrown) {
      if (given?.aborted) throw toFootnoteError(given.reason);
      if (!slow.aborted) throw toFootnoteError(thrown);
      throw new FootnoteError(
        'deadline-exceeded',
        `${addressWithoutSecrets(address).slice(0, 200)} was not read within ${timeoutMs} ms.`,
      );
    } finally {
      ends.release();
    }
  }
  const toldOf = (url: URL, { status, headers }: WireReply) => ({
    url: addressWithoutSecrets(url.href),
    status,
    headers,
  });

  return {
    fetch: (address, request = {}) =>
      inTime(address, request.signal, async (signal) => {
        const { url, reply } = await follow(address, request, signal);
        return { ...toldOf(url, reply), bytes: await read(reply, url, request.accepts ?? isDocument) };
      }),
    async open(address, request = {}) {
      const { url, reply } = await inTime(address, request.signal, (signal) => follow(address, request, signal));
      return { ...toldOf(url, reply), body: reply.body, discard: reply.discard };
    },
    async locate(written) {
      const url = urlOf(written);
      const [host, port] = [hostOf(url.hostname), portOf(url)];
      if (isIP(host) !== 0) return { host, port, address: host };
      const found = await resolve(host).catch(() => []);
      const [first] = found;
      if (!first)
        throw new FootnoteError('upstream-unavailable', `${url.origin} cannot be reached: there is no such host.`);
      if (found.some(({ address }) => !mayAsk(address, isNamed(host, port)))) throw refused(url.origin, notPublic);
      return { host, port, address: first.address };
    },
    close: wire.close,
  };
}

const notPublic =
  'it leads to an address that is not public. Whoever runs the server may allow the host by name in WEB_ALLOW_HOSTS';
