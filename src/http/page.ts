// Pages for people: the ask page and the page that asks for a key, plain files beside this one under a policy that allows nothing but them
// and our API. A person who opens a link without a key gets the latter wherever the link leads, so that it tells nothing of what is there.
import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { FootnoteError } from '../core/errors.ts';
import { reportStyleSource } from '../footnote/report/report-page.ts';
import { hasCredentials } from './hardening/guard.ts';
import { preferredMime } from './wire/content-negotiation.ts';
import type { HttpApp } from './wire/http-types.ts';

const policy = (styles: string): string =>
  `default-src 'none'; script-src 'self'; style-src ${styles}; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const pagePolicy = policy("'self'");
/** Evidence reports are shown in the page that asks for the key: they bring a style of ours. */
const keyPagePolicy = policy(`'self' ${reportStyleSource}`);

const assets: Readonly<Record<string, string>> = {
  'ask.html': 'text/html; charset=utf-8',
  'ask.js': 'text/javascript; charset=utf-8',
  'ask.css': 'text/css; charset=utf-8',
  'key.html': 'text/html; charset=utf-8',
  'key.js': 'text/javascript; charset=utf-8',
  'view.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
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

export interface Pages {
  register(app: HttpApp): void;
  sendKeyPage(reply: FastifyReply): Promise<FastifyReply>;
}

export function createPages(prefix: string): Pages {
  const loaded = new Map<string, Promise<Buffer>>();
  const read = async (name: string): Promise<Buffer> => {
    const bytes = await readFile(new URL(`./assets/${name}`, import.meta.url));
    return name.endsWith('.html')
      ? Buffer.from(bytes.toString().replaceAll('="/assets/', `="${prefix}/assets/`))
      : bytes;
  };
  const load = (name: string): Promise<Buffer> => {
    const known = loaded.get(name) ?? read(name);
    loaded.set(name, known);
    return known;
  };

  return {
    async sendKeyPage(reply) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer realm="footnote"')
        .header('cache-control', 'no-store')
        .header('vary', 'Accept, Sec-Fetch-Mode, Authorization')
        .header('content-type', assets['key.html'])
        .header('content-security-policy', keyPagePolicy)
        .send(await load('key.html'));
    },

    register(app) {
      app.get('/', { schema: { hide: true } }, async (_request, reply) =>
        reply
          .header('content-type', assets['ask.html'])
          .header('content-security-policy', pagePolicy)
          .send(await load('ask.html')),
      );

      app.get(
        '/assets/:name',
        { schema: { hide: true, params: z.strictObject({ name: z.string() }) } },
        async (request, reply) => {
          const { name } = request.params;
          const mime = Object.hasOwn(assets, name) ? assets[name] : undefined;
          if (mime === undefined) throw new FootnoteError('not-found', `There is no asset "${name}".`);
          return reply
            .header('content-type', mime)
            .header('cache-control', 'no-cache')
            .send(await load(name));
        },
      );
    },
  };
}
