// Browsers that a person logged in: a cookie stands for a key, so that no script holds it and plain links work. Invariants: the cookie is random, and the key
// that it stands for is kept in memory alone, until its time is over or somebody logs out; it counts for pages of this very origin alone.
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const lastsSeconds = 12 * 60 * 60;
/** The oldest gives way, of one key first. */
const mostLogins = 10_000;
const mostOfKey = 20;

export interface Logins {
  /** The key that the cookie of a request stands for. */
  secretOf(request: FastifyRequest): string | undefined;
  /** In the place of the login that the browser had. */
  begin(request: FastifyRequest, reply: FastifyReply, secret: string): void;
  end(request: FastifyRequest, reply: FastifyReply): void;
}

export function createLogins(publicUrl: string | undefined): Logins {
  const known = new Map<string, { readonly secret: string; readonly endsAt: number }>();
  const home = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isSecure = home?.protocol === 'https:';
  const path = home?.pathname ?? '/';
  const where = `; Path=${path}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  // Under these names a browser takes no cookie that another host or plain HTTP set (RFC 6265bis, 4.1.3).
  const cookieName = `${isSecure ? (path === '/' ? '__Host-' : '__Secure-') : ''}footnote_login`;
  /** None where there are several: one of them is somebody else's. */
  const idOf = ({ headers }: FastifyRequest): string => {
    const values = (headers.cookie ?? '').split(/; */u).flatMap((cookie) => {
      const [name, value = ''] = cookie.split('=');
      return name === cookieName ? value : [];
    });
    return values.length === 1 ? (values[0] as string) : '';
  };
  const send = (reply: FastifyReply, value: string, seconds: number) =>
    void reply.header('set-cookie', `${cookieName}=${value}; Max-Age=${seconds}${where}`);
  return {
    secretOf(request) {
      const login = known.get(idOf(request));
      return login && login.endsAt > Date.now() ? login.secret : undefined;
    },
    begin(request, reply, secret) {
      known.delete(idOf(request));
      const id = randomBytes(32).toString('base64url');
      known.set(id, { secret, endsAt: Date.now() + lastsSeconds * 1000 });
      const own = known.entries().filter(([, login]) => login.secret === secret);
      for (const [one] of [...own].slice(0, -mostOfKey)) known.delete(one);
      for (const [one, { endsAt }] of known) if (endsAt <= Date.now() || known.size > mostLogins) known.delete(one);
      send(reply, id, lastsSeconds);
    },
    end(request, reply) {
      known.delete(idOf(request));
      send(reply, '', 0);
    },
  };
}
