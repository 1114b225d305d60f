// The door on a socket: where it may listen, what it says when it cannot, and how it stops. An address that others can
// reach is refused until an API key exists; stopping gives every stream its final event before connections close.
import type { AddressInfo } from 'node:net';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { isLoopbackHost } from '../core/hosts/loopback.ts';
import { createHttpApp, type HttpAppOptions } from './app.ts';
import type { HttpApp } from './wire/http-types.ts';

export interface HttpServerOptions extends HttpAppOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly maxConnections?: number;
}

export interface HttpServer {
  readonly app: HttpApp;
  readonly host: string;
  readonly port: number;
  /** `http://host:port`, as a browser on this machine opens it. */
  readonly url: string;
  /** Refuses new work, ends streams, lets requests finish until the deadline, then cuts them. */
  close(options?: { readonly deadlineMs?: number }): Promise<void>;
}

/** Listens. Throws `config-invalid` (an open address without a key) or `port-taken`, each with what to do. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, maxConnections = 2_048, ...appOptions } = options;
  await checkBinding(host, options.hasKeys);
  const wildcard = host === '0.0.0.0' || host === '::' || host === '[::]';
  const names = appOptions.allowedHosts ?? [];
  const app = createHttpApp({
    ...appOptions,
    allowedHosts: wildcard ? names : [...names, host],
    anyHost: wildcard && names.length === 0,
  });
  app.server.maxConnections = maxConnections;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenError(error, host, port);
  }
  const address = app.server.address() as AddressInfo;
  const shown = wildcard ? '127.0.0.1' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  let closing: Promise<void> | undefined;
  return {
    app,
    host,
    port: address.port,
    url: `http://${shown}:${address.port}`,
    close({ deadlineMs = 10_000 } = {}) {
      closing ??= closeWithin(app, deadlineMs);
      return closing;
    },
  };
}

/** Throws `config-invalid` unless the address is of this machine only or a key exists. */
export async function checkBinding(host: string, hasKeys: () => Promise<boolean>): Promise<void> {
  if (isLoopbackHost(host) || (await hasKeys())) return;
  throw new FootnoteError(
    'config-invalid',
    `Other machines could reach ${host || 'this address'} and no API key exists, so the server does not listen there. ` +
      'Create a key first with "footnote keys create", name a file with its secret in FOOTNOTE_BOOTSTRAP_KEY_FILE, or listen on 127.0.0.1.',
  );
}

function listenError(error: unknown, host: string, port: number): FootnoteError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new FootnoteError(
      'port-taken',
      `Port ${port} on ${host} is in use by another program. Stop it, or choose another port with --port (0 takes a free one).`,
      { cause: error, details: { host, port } },
    );
  if (code === 'EACCES')
    return new FootnoteError(
      'port-taken',
      `Port ${port} needs rights that this user lacks. Choose one above 1023 with --port.`,
      {
        cause: error,
      },
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new FootnoteError(
      'port-taken',
      `This machine has no address ${host}. Choose another with --host, such as 127.0.0.1.`,
      {
        cause: error,
      },
    );
  return toFootnoteError(error);
}

async function closeWithin(app: HttpApp, deadlineMs: number): Promise<void> {
  const deadline = setTimeout(() => {
    app.server.closeAllConnections();
  }, deadlineMs);
  try {
    await app.close();
  } finally {
    clearTimeout(deadline);
  }
}
