// The ask page: plain files beside this one, served as they are, under a policy that allows nothing but them and our API.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { FootnoteError } from '../core/errors.ts';
import type { HttpApp } from './wire/http-types.ts';

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const assets: Readonly<Record<string, string>> = {
  'ask.html': 'text/html; charset=utf-8',
  'ask.js': 'text/javascript; charset=utf-8',
  'ask.css': 'text/css; charset=utf-8',
  'view.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

export function registerPage(app: HttpApp): void {
  const loaded = new Map<string, Promise<Buffer>>();
  const load = (name: string): Promise<Buffer> => {
    const known = loaded.get(name) ?? readFile(new URL(`./assets/${name}`, import.meta.url));
    loaded.set(name, known);
    return known;
  };

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
}
