// What a request must pass before a route sees it: the server is not stopping, the Host is ours (against DNS rebinding),
// a browser's request comes from our own origin or is a person's own visit to a page, and the caller has the role that the route's policy asks for.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { sameSecret } from '../../auth/credentials.ts';
import { FootnoteError } from '../../core/errors.ts';
import { isLoopbackHost } from '../../core/hosts/loopback.ts';
import { type DoorName, hasRole, localScope, type Principal, type Scope } from '../../core/scope.ts';
import { type Access, accessOf } from '../policy/policy.ts';

export interface GuardOptions {
  /** The scope of an API key's secret, undefined if there is no such key. */
  authenticate(secret: string): Promise<Scope | undefined>;
  /** Whether any key was ever made. While none was, callers on this machine need none. */
  hasKeys(): Promise<boolean>;
  /** Whether every key is revoked: then who is refused is told where a new one comes from. */
  isLocked?(): Promise<boolean>;
  /** A fixed secret of the owner of the data folder, where a program embeds the server: everything of the default tenant. */
  readonly ownerToken?: string;
  /** Whether a secret is that of a command of the owner: the same. */
  readonly isOwner?: (secret: string) => Promise<boolean>;
  /** Host names besides the loopback ones that this server answers to. */
  readonly allowedHosts?: readonly string[];
  /** Where others find this server: its host is allowed, and so are its own pages behind a proxy that names another. */
  readonly publicUrl?: string | undefined;
  /** Whether pages of an origin besides our own may call. */
  readonly isAllowedOrigin?: (origin: string | undefined) => boolean;
  /** Told once that a key came in and nobody looked at it, since none exists. */
  readonly unchecked?: (() => void) | undefined;
  /** True when bound to every address without a list of names: then every caller has a key, and rebinding gains nothing. */
  readonly anyHost?: boolean;
  /** The key that a cookie stands for. */
  readonly loginOf?: (request: FastifyRequest) => string | undefined | Promise<string | undefined>;
  isDraining(): boolean;
  /** By which door a route, or an address that none has, is asked. */
  doorOf(url: string): DoorName;
}

/** What a person may come to by a link of another site: the ask page, and what citations and reports lead to. */
const pages: ReadonlySet<string> = new Set([
  '/',
  '/v1/documents/:id/view',
  '/v1/answers/:id/report',
  '/v1/memories/:id',
  '/v1/turns/:turn_id',
  '/v1/rag/sessions/:session_id/messages',
]);

/** The secret that a request carries, as clients of several vendors send it; the first that is there counts. */
function secretOf({ headers }: FastifyRequest): string | undefined {
  const bearer = headers.authorization && /^Bearer +([^ ].*)$/iu.exec(headers.authorization)?.[1];
  const secret = headers.authorization === undefined ? (headers['api-key'] ?? headers['x-api-key']) : bearer;
  return typeof secret === 'string' && /^[^\s]{1,8192}$/u.test(secret) ? secret : undefined;
}

/** Whether a request tries to say whose it is. */
export const hasCredentials = ({ headers }: FastifyRequest): boolean =>
  ['authorization', 'api-key', 'x-api-key'].some((name) => headers[name] !== undefined);

/** Whom a secret stands for, whoever sends it. */
export async function scopeOfSecret(
  { ownerToken, isOwner, authenticate }: Pick<GuardOptions, 'ownerToken' | 'isOwner' | 'authenticate'>,
  secret: string,
): Promise<Scope | undefined> {
  if (ownerToken !== undefined && sameSecret(secret, ownerToken)) return localScope();
  return (await isOwner?.(secret)) ? localScope() : authenticate(secret);
}

/** What a browser says of a page of another origin. */
function isForeign({ headers }: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  // What a browser says of its own pages and of what a person typed; anything else is somebody else's.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const home = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return origin !== undefined && origin !== home && !sameHost(origin, headers.host);
}

/**
 * Whether what a browser sends by itself counts: from our own page. What only reads may also come without a word of where from, as browsers send it
 * over plain HTTP to another machine; what changes something may not.
 */
export function isOwnPage(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (isForeign(request, publicUrl)) return false;
  return request.method === 'GET' || request.method === 'HEAD' || origin !== undefined || site === 'same-origin';
}

/** The host of a Host header or of an origin's authority, without its port; undefined if it is none. */
export function hostNameOf(authority: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:/?#@\s[\]]+)(?::\d{1,5})?$/i.exec(authority ?? '');
  return match?.[1]?.toLowerCase();
}

export function createGuard(options: GuardOptions): (request: FastifyRequest) => Promise<void> {
  const allowed = new Set((options.allowedHosts ?? []).map((host) => host.toLowerCase()));
  const isNamed = (authority: string | undefined): boolean => {
    const name = hostNameOf(authority);
    return name !== undefined && (isLoopbackHost(name) || allowed.has(name));
  };
  const home = options.publicUrl === undefined ? undefined : new URL(options.publicUrl);
  const isOurs = (authority: string | undefined): boolean =>
    isNamed(authority) ||
    (home !== undefined && hostNameOf(authority) === home.hostname) ||
    (options.anyHost === true && hostNameOf(authority) !== undefined);

  /** The very address that was called: pages that rebind a name of theirs send that name. */
  const isOwnAddress = ({ headers, socket }: FastifyRequest): boolean => {
    const name = hostNameOf(headers.host)?.replace(/^\[(.*)\]$/u, '$1');
    return name !== undefined && isIP(name) > 0 && name === socket?.localAddress?.replace(/^::ffff:/u, '');
  };

  function checkHost(request: FastifyRequest): void {
    // Node.js takes the first of several, a proxy before it perhaps the last (RFC 9112, section 3.2).
    const names = (request.raw?.rawHeaders ?? []).filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    if (names.length > 1)
      throw new FootnoteError('invalid-request', 'The request has more than one Host header. Send one.');
    if (isOurs(request.headers.host) || isOwnAddress(request)) return;
    throw new FootnoteError(
      'forbidden',
      'The Host header names another server. Use http://127.0.0.1, or add the name to the allowed hosts.',
    );
  }

  /** What a page of another origin sends, reads and loads (an image tag is a GET too): nothing of it is served. */
  function checkOrigin(request: FastifyRequest, access: Access | undefined): void {
    if (options.isAllowedOrigin?.(request.headers.origin)) return;
    if (!isForeign(request, options.publicUrl) || isVisit(request)) return;
    // The page's own files, and whether the server lives, tell nothing and cost nothing.
    if (access === 'open' && (request.method === 'GET' || request.method === 'HEAD')) return;
    throw new FootnoteError(
      'forbidden',
      'Pages of other origins may not use this server. Call the API from a program, open it in a tab of its own, or name the origin in FOOTNOTE_ALLOWED_ORIGINS.',
    );
  }

  /**
   * A caller on this machine itself. Without a key the name alone tells a page that rebound its own name from a person; and what a proxy
   * hands on comes from elsewhere.
   */
  function isHere({ headers, socket }: FastifyRequest): boolean {
    const from = [headers['x-forwarded-for'] ?? [], headers['x-real-ip'] ?? []]
      .flat()
      .flatMap((list) => list.split(','));
    return (
      isNamed(headers.host) &&
      headers['forwarded'] === undefined &&
      (headers.origin === undefined || isNamed(URL.parse(headers.origin)?.host)) &&
      [socket.remoteAddress ?? '', ...from].every((address) => isLoopbackHost(address.trim()))
    );
  }

  let isTold = false;
  async function scopeOf(request: FastifyRequest): Promise<Scope | undefined> {
    const isLogin = !hasCredentials(request) && isOwnPage(request, options.publicUrl);
    const secret = isLogin ? await options.loginOf?.(request) : secretOf(request);
    const known = secret === undefined ? undefined : await scopeOfSecret(options, secret);
    if (known || !isHere(request) || (await options.hasKeys())) return known;
    // Clients of several vendors do not start without a key: any is taken while there is none to compare it with.
    if (secret !== undefined && !isTold) options.unchecked?.();
    isTold ||= secret !== undefined;
    return localScope();
  }

  return async (request) => {
    const { url } = request.routeOptions;
    const access = request.is404 || url === undefined ? 'reader' : accessOf(request.method, url);
    if (options.isDraining() && url !== '/healthz' && url !== '/readyz')
      throw new FootnoteError('upstream-unavailable', 'The server is stopping. Try again when it is back.');
    checkHost(request);
    checkOrigin(request, access);
    if (access === 'open') return;
    const scope = await scopeOf(request);
    if (!scope) throw await unauthenticated(options);
    if (access === undefined || !hasRole(scope.principal, access))
      throw new FootnoteError(
        'forbidden',
        `This key has the role ${scope.principal.role}; this call needs ${access ?? 'a policy'}.`,
      );
    assertDoor(request, scope.principal, options.doorOf(url ?? request.url));
    request.scope = scope;
  };
}

/** Whether a key is for a door. */
export const mayUse = ({ doors }: Pick<Principal, 'doors'>, door: DoorName): boolean => doors?.includes(door) ?? true;

/** What citations lead to is open from every door: who was given an address by one of them may look it up. */
function assertDoor({ method, routeOptions }: FastifyRequest, principal: Principal, door: DoorName): void {
  const { doors = [] } = principal;
  if (mayUse(principal, door) || (method === 'GET' && pages.has(routeOptions.url ?? ''))) return;
  const own = doors.length === 0 ? 'for no door' : `for the door ${doors.join(', ')} alone`;
  throw new FootnoteError(
    'forbidden',
    `This key is ${own}, and this is ${door}. Use a key for it, such as one of "footnote keys create NAME --doors ${door}".`,
  );
}

/** Who is refused for want of a key is told where one comes from. */
async function unauthenticated({ hasKeys, isLocked }: GuardOptions): Promise<FootnoteError> {
  const message = 'Send a valid API key as "Authorization: Bearer <key>".';
  const state = !(await hasKeys()) ? 'No key exists yet' : (await isLocked?.()) ? 'Every key is revoked' : undefined;
  const hint = 'make one on the machine of the server with "footnote keys create NAME".';
  return new FootnoteError('unauthenticated', state === undefined ? message : `${message} ${state}: ${hint}`);
}

/** A person who follows a link to a page: the browser opens it in a tab, where the site that links sees nothing of it. */
function isVisit({ method, headers, routeOptions }: FastifyRequest): boolean {
  return (
    method === 'GET' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    pages.has(routeOptions.url ?? '')
  );
}

function sameHost(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === (host ?? '').toLowerCase();
  } catch {
    return false;
  }
}
