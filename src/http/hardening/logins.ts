// Browsers that a person logged in: a cookie stands for a key, so that no script holds it and plain links work. Invariants: the cookie is random, and the key
// that it stands for is kept in memory alone or, where there are several servers, in the record under a seal that the cookie alone opens, until its time is
// over or somebody logs out; it counts for pages of this very origin alone.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../../core/ids.ts';
import type { OpenedFootnote } from '../../footnote/opened.ts';

const lastsSeconds = 12 * 60 * 60;
/** The oldest gives way, of one key first. */
const mostLogins = 10_000;
const mostOfKey = 20;

interface LoginPlace {
  /** The key of one that is not over. */
  find(id: string): string | undefined | Promise<string | undefined>;
  keep(id: string, secret: string): unknown;
  drop(id: string): unknown;
}

function keptInMemory(): LoginPlace {
  const known = new Map<string, { readonly secret: string; readonly endsAt: number }>();
  return {
    find(id) {
      const login = known.get(id);
      return login && login.endsAt > Date.now() ? login.secret : undefined;
    },
    keep(id, secret) {
      known.set(id, { secret, endsAt: Date.now() + lastsSeconds * 1000 });
      const own = known.entries().filter(([, login]) => login.secret === secret);
      for (const [one] of [...own].slice(0, -mostOfKey)) known.delete(one);
      for (const [one, { endsAt }] of known) if (endsAt <= Date.now() || known.size > mostLogins) known.delete(one);
    },
    drop: (id) => known.delete(id),
  };
}

type Others = NonNullable<OpenedFootnote['others']>;

/** The cookie is as good as a key for one seal. */
const sealKeyOf = (id: string): Buffer => createHash('sha256').update(`seal ${id}`).digest();
const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

function sealed(id: string, secret: string): Uint8Array {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, sealKeyOf(id), iv);
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** Undefined for what was changed. */
function unsealed(id: string, bytes: Uint8Array): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, sealKeyOf(id), bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

const keptInRecord = ({ logins }: Others): LoginPlace => ({
  async find(id) {
    const bytes = await logins.find(sha256(id));
    return bytes && unsealed(id, bytes);
  },
  keep: (id, secret) =>
    logins.keep({
      id: sha256(id),
      owner: sha256(secret),
      sealed: sealed(id, secret),
      lastsSeconds,
      mostOfOwner: mostOfKey,
    }),
  drop: (id) => logins.drop(sha256(id)),
});

export interface Logins {
  /** The key that the cookie of a request stands for. */
  secretOf(request: FastifyRequest): string | undefined | Promise<string | undefined>;
  /** In the place of the login that the browser had. */
  begin(request: FastifyRequest, reply: FastifyReply, secret: string): Promise<void>;
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** `others`: where several servers know of each login. */
export function createLogins(publicUrl: string | undefined, others?: Others): Logins {
  const place = others ? keptInRecord(others) : keptInMemory();
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
      const id = idOf(request);
      return id === '' ? undefined : place.find(id);
    },
    async begin(request, reply, secret) {
      await place.drop(idOf(request));
      const id = randomBytes(32).toString('base64url');
      await place.keep(id, secret);
      send(reply, id, lastsSeconds);
    },
    async end(request, reply) {
      await place.drop(idOf(request));
      send(reply, '', 0);
    },
  };
}
