// MCP over HTTP: the guard has let the caller in, and each call waits for its turn among those of its like. What speaks the protocol is loaded with
// the first request, so that a server which nobody asks so starts without it.
import type { FastifyRequest } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';
import type { McpOverHttp } from '../../mcp/over-http.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';

export const mcpPath = '/mcp';

interface Facts {
  readonly version: string;
  readonly publicUrl?: string | undefined;
  readonly searchesWeb?: boolean;
}

/** What the protocol says in headers; whose key it is was read before. */
const spoken = /^(?:accept|content-type|mcp-.+)$/u;

function toRequest(request: FastifyRequest, address: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (spoken.test(name) && value !== undefined) headers.set(name, [value].flat().join(', '));
  return new Request(`${address}${mcpPath}`, { method: request.method, headers, signal });
}

export function registerMcp(app: HttpApp, door: Door, { version, publicUrl, searchesWeb = false }: Facts): void {
  let opened: Promise<McpOverHttp> | undefined;
  const open = async (): Promise<McpOverHttp> => {
    const { createMcpOverHttp } = await import('../../mcp/over-http.ts');
    return createMcpOverHttp({ version, searchesWeb });
  };
  app.addHook('preClose', async () => (await opened)?.close());

  app.post(mcpPath, { schema: { hide: true } }, async (given, reply) => {
    const request = given as FastifyRequest;
    const { scope } = request;
    if (!scope) throw new FootnoteError('internal', 'An open route asked for a scope.');
    const address = (publicUrl ?? `http://${request.headers.host}`).replace(/\/$/u, '');
    opened ??= open();
    const response = await (await opened).serve({
      request: toRequest(request, address, door.signalOf(reply as never)),
      body: request.body,
      principal: scope.principal,
      caller: {
        footnote: door.footnoteOf(request),
        address,
        inTurn: (asked, work) => door.inTurn(request, asked, work),
        tellFailure: (error) => door.tellFailure(request, error),
      },
    });
    return reply.send(response as never);
  });
}
