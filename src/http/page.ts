// Pages for people, as web/ is built: the shell of the application and the page that asks for a key, under a policy that allows nothing but their files
// and our API. A person who opens a link without a key gets the latter wherever the link leads, so that it tells nothing of what is there.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FootnoteError } from '../core/errors.ts';
import { reportStyleSource } from '../footnote/report/report-page.ts';
import { hasCredentials } from './hardening/guard.ts';
import { preferredMime } from './wire/content-negotiation.ts';
import type { HttpApp } from './wire/http-types.ts';

const policy = (styles: string): string =>
  `default-src 'none'; script-src 'self'; style-src ${styles}; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; trusted-types footnote; require-trusted-types-for 'script'`;
/** Evidence reports are shown in the page that asks for the key: they bring a style of ours. */
const policies = { 'index.html': policy("'self'"), 'key.html': policy(`'self' ${reportStyleSource}`) };
/** A worker runs under the policy of its own script: that of pdf.js fetches maps and fonts, and imports decoders. */
const scriptPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; trusted-types 'none'; require-trusted-types-for 'script'";
/** At the same place beside the sources and beside what is packed. */
const built = new URL('../../web/dist/', import.meta.url);
const mimes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The path under which others find the server, without a slash at its end. */
export const prefixOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/u, '');

/** An address as the routes know it: a proxy may strip the prefix, or may not. */
export function withoutPrefix(url: string, prefix: string): string {
  const rest = url.startsWith(prefix) ? url.slice(prefix.length) : undefined;
  if (rest === undefined || prefix === '') return url;
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

/** A person who opened an address in a browser, without a key that they could have sent. */
export function asksForKey(error: unknown, request: FastifyRequest): boolean {
  const { accept, 'sec-fetch-mode': fetchMode = 'navigate' } = request.headers;
  return (
    (error as Partial<FootnoteError>).code === 'unauthenticated' &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    fetchMode === 'navigate' &&
    !hasCredentials(request) &&
    preferredMime(accept, ['application/json', 'text/html']) === 'text/html'
  );
}

/** Names of what was built. */
function builtFiles(): ReadonlySet<string> {
  try {
    const names = readdirSync(fileURLToPath(built), { encoding: 'utf8', recursive: true });
    return new Set(names.map((name) => name.replaceAll(sep, '/')));
  } catch {
    throw new FootnoteError('not-found', 'The pages of this server are not built: run npm run build:web.');
  }
}

export function createPages(prefix: string) {
  const loaded = new Map<string, Promise<Buffer>>();
  let files: ReadonlySet<string> | undefined;
  const missing = (name: string) => new FootnoteError('not-found', `There is no ${name}.`);
  const load = (name: string): Promise<Buffer> => {
    const known = loaded.get(name) ?? readFile(new URL(name, built));
    loaded.set(name, known);
    return known.catch((error: NodeJS.ErrnoException) => {
      loaded.clear();
      files = undefined; // Another build may stand there now.
      throw error.code === 'ENOENT' ? missing(name) : error;
    });
  };
  const send = async (reply: FastifyReply, name: keyof typeof policies): Promise<FastifyReply> => {
    files ??= builtFiles();
    const html = (await load(name)).toString().replaceAll('="/assets/', `="${prefix}/assets/`);
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policies[name] };
    return reply.headers(headers).send(html);
  };

  return {
    async sendKeyPage(reply: FastifyReply): Promise<FastifyReply> {
      void reply.code(401).header('www-authenticate', 'Bearer realm="footnote"').header('cache-control', 'no-store');
      return send(reply.header('vary', 'Accept, Sec-Fetch-Mode, Authorization'), 'key.html');
    },

    register(app: HttpApp): void {
      for (const url of ['/', '/app', '/app/*'])
        app.get(url, { schema: { hide: true } }, (_request, reply) => send(reply, 'index.html'));

      app.get('/assets/*', { schema: { hide: true } }, async (request, reply) => {
        files ??= builtFiles();
        const name = request.url.slice(1).replace(/\?.*/u, '');
        const ending = extname(name);
        if (!files.has(name) || ['', '.br', '.gz'].includes(ending)) throw missing(name);
        const taken = `${request.headers['accept-encoding']}`.split(/[\s,]+/u);
        const ways = [['br', '.br'] as const, ['gzip', '.gz'] as const];
        const [encoding, packed = ''] = ways.find(([one, end]) => taken.includes(one) && files?.has(name + end)) ?? [];
        const bytes = await load(name + packed);
        if (encoding) void reply.header('content-encoding', encoding);
        if (/^\.m?js$/u.test(ending)) void reply.header('content-security-policy', scriptPolicy);
        const kept = /^assets\/[\w.-]+-[\w-]{8}\.\w+$/u.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache';
        const mime = mimes[ending] ?? 'application/octet-stream';
        return reply.headers({ 'content-type': mime, 'cache-control': kept, vary: 'Accept-Encoding' }).send(bytes);
      });
    },
  };
}
