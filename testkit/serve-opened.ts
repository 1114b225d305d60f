// An open Footnote served over HTTP within this process, with its keys, on any free port of this machine.
import type { HttpAppOptions } from '../src/http/app.ts';
import { type HttpServer, startHttpServer } from '../src/http/server.ts';
import type { OpenedFootnote } from './open-footnote.ts';

/** `more` is beside what every server of it has. Whoever starts it closes it. */
export const serveOpened = (opened: OpenedFootnote, more: Partial<HttpAppOptions> = {}): Promise<HttpServer> =>
  startHttpServer({
    system: opened,
    authenticate: (secret) => opened.keys.authenticate(secret),
    hasKeys: () => opened.keys.required(),
    idempotency: opened.idempotency,
    version: 'test',
    host: '127.0.0.1',
    port: 0,
    ...more,
  });
