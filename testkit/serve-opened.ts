// An open Footnote behind its HTTP app, with its keys: to inject requests into, or served within this process on any free port of this machine.
import { createHttpApp, type HttpAppOptions } from '../src/http/app.ts';
import { type HttpServer, startHttpServer } from '../src/http/server.ts';
import type { HttpApp } from '../src/http/wire/http-types.ts';
import type { OpenedFootnote } from './open-footnote.ts';

const optionsOf = (opened: OpenedFootnote): HttpAppOptions => ({
  system: opened,
  authenticate: (secret) => opened.keys.authenticate(secret),
  hasKeys: () => opened.keys.required(),
  idempotency: opened.idempotency,
  version: 'test',
});

/** `more` is beside what every app of it has, or in its place. Whoever makes it closes it. */
export const appOf = (opened: OpenedFootnote, more: Partial<HttpAppOptions> = {}): HttpApp =>
  createHttpApp({ ...optionsOf(opened), ...more });

/** As `appOf`. Whoever starts it closes it. */
export const serveOpened = (opened: OpenedFootnote, more: Partial<HttpAppOptions> = {}): Promise<HttpServer> =>
  startHttpServer({ ...optionsOf(opened), host: '127.0.0.1', port: 0, ...more });
