// Browsers that a person logged in: a cookie stands for a key, so that no script holds it and plain links work. Invariants: the cookie is random, and the key
// that it stands for is kept in memory alone, until its time is over or somebody logs out; it counts for pages of this very origin alone.
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const cookieName = 'footnote_login';
const lastsSeconds = 12 * 60 * 60;
/** The oldest gives way. */
const mostLogins = 10_000;

export interface Logins {
  /** The key that the cookie of a request stands for. */
  secretOf(request: FastifyRequest): string | undefined;
  /** In the place of the login that the browser had. */
  begin(request: FastifyRequest, reply: FastifyReply, secret: string): void;
  end(request: FastifyRequest, reply: FastifyReply): void;
}

const idOf = ({ headers }: FastifyRequest): string =>
  /(?:^|; *)footnote_login=([\w-]{43})(?:;|$)/u.exec(headers.cookie ?? '')?.[1] ?? '';

export function createLogins(publicUrl: string | undefined): Logins {
  const known = new Map<string, { readonly secret: string; readonly endsAt: number }>();
  const home = publicUrl === undefined ? undefined : new URL(publicUrl);
  const where = `; Path=${home?.pathname ?? '/'}; HttpOnly; SameSite=Strict${home?.protocol === 'https:' ? '; Secure' : ''}`;
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
      for (const [one, { endsAt }] of known) if (endsAt <= Date.now() || known.size > mostLogins) known.delete(one);
      send(reply, id, lastsSeconds);
    },
    end(request, reply) {
      known.delete(idOf(request));
      send(reply, '', 0);
    },
  };
}
