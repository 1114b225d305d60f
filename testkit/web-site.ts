// A site on 127.0.0.1 and a free port, as real ones are: pages with an ETag that answer 304 when nothing changed, and an account of what was
// asked of it and which bodies it sent.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SitePage {
  readonly body: string | Uint8Array;
  /** Default: HTML. */
  readonly type?: string;
  /** False: it says nothing by which it is known again. */
  readonly hasEtag?: boolean;
}

/** What a path answers with: a page, a status, a redirect, or whatever the function does. */
export type SiteAnswer =
  | SitePage
  | number
  | { readonly location: string; readonly status?: number }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface WebSite {
  /** `http://127.0.0.1:port`, without a slash at its end. */
  readonly origin: string;
  /** `127.0.0.1:port`, as WEB_ALLOW_HOSTS names it. */
  readonly host: string;
  /** By path, with its query; may be changed at any time. */
  readonly answers: Map<string, SiteAnswer>;
  /** Paths that were asked for, in order, with the status that they got. */
  readonly asked: { readonly path: string; readonly status: number; readonly sentBytes: number }[];
  /** Connections that were made to it. */
  connections(): number;
  close(): Promise<void>;
}

export const page = (title: string, body: string, head = ''): SitePage => ({
  body: `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`,
});

export async function openWebSite(answers: Record<string, SiteAnswer> = {}): Promise<WebSite> {
  const known = new Map(Object.entries(answers));
  const asked: { path: string; status: number; sentBytes: number }[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const found = known.get(path) ?? 404;
    const end = (status: number, headers: Record<string, string>, body?: string | Uint8Array): void => {
      asked.push({ path, status, sentBytes: body?.length ?? 0 });
      response.writeHead(status, headers);
      response.end(body);
    };
    if (typeof found === 'function') {
      asked.push({ path, status: 0, sentBytes: 0 });
      found(request, response);
    } else if (typeof found === 'number') end(found, { 'content-type': 'text/plain' }, `status ${found}`);
    else if ('location' in found) end(found.status ?? 302, { location: found.location });
    else {
      const etag = `"${createHash('sha256').update(found.body).digest('hex').slice(0, 16)}"`;
      const headers = {
        'content-type': found.type ?? 'text/html; charset=utf-8',
        ...(found.hasEtag !== false && { etag }),
      };
      if (found.hasEtag !== false && request.headers['if-none-match'] === etag) end(304, headers);
      else end(200, headers, found.body);
    }
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${host}`,
    host,
    answers: known,
    asked,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
