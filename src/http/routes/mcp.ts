// MCP over HTTP: the guard has let the caller in, and each call waits for its turn among those of its like. What speaks the protocol is loaded with
// the first request, so that a server which nobody asks so starts without it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { callerOf } from './routes.ts';

export const mcpPath = '/mcp';

/** What the protocol says in headers; whose key it is was read before. */
const spoken = /^(?:accept|content-type|mcp-.+)$/u;

function toRequest(request: FastifyRequest, address: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (spoken.test(name) && value !== undefined) headers.set(name, [value].flat().join(', '));
  return new Request(`${address}${mcpPath}`, { method: request.method, headers, signal });
}

interface Facts {
  readonly publicUrl?: string | undefined;
  readonly searchesWeb?: boolean;
}

export function registerMcp(app: HttpApp, door: Door, { publicUrl, searchesWeb = false }: Facts): void {
  const facts = { version: door.version, searchesWeb };
  const open = async () => (await import('../../mcp/over-http.ts')).createMcpOverHttp(facts);
  let opened: ReturnType<typeof open> | undefined;
  app.addHook('preClose', async () => (await opened)?.close());

  app.post(mcpPath, { schema: { hide: true } }, async (given, sent) => {
    const [request, reply] = [given as FastifyRequest, sent as unknown as FastifyReply];
    const { footnote, scope, call } = callerOf(door, { request, reply });
    // A batch, which revisions before 2025-06-18 have, is as many requests as stand in it. One was counted.
    for (const _ of Array.isArray(request.body) ? request.body.slice(1) : []) {
      const { refusal } = (await door.system.meter?.request(scope.principal)) ?? {};
      if (refusal) throw refusal;
    }
    const address = (publicUrl ?? `http://${request.headers.host}`).replace(/\/$/u, '');
    opened ??= open();
    const response = await (await opened).serve({
      request: toRequest(request, address, call.signal),
      body: request.body,
      principal: scope.principal,
      caller: {
        footnote,
        address,
        inTurn: (asked, work) => door.inTurn(request, asked, work),
        tellFailure: (error) => door.tellFailure(request, error),
      },
    });
    return reply.send(response) as never;
  });
}
