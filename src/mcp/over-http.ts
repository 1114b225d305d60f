// MCP at one address for both revisions: the newer one, whose requests stand alone, and the older ones, which are served without a session. Who may
// ask was decided before: the caller comes with the request.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { McpCaller, McpFacts } from './caller.ts';
import { createMcpServer } from './server.ts';

export interface McpExchange {
  /** Without its body, which was read. */
  readonly request: Request;
  readonly body: unknown;
  readonly principal: { readonly id: string; readonly role: string };
  readonly caller: McpCaller;
}

export function createMcpOverHttp(facts: McpFacts) {
  const handler = createMcpHandler(({ authInfo }) => createMcpServer(authInfo?.extra?.['caller'] as McpCaller, facts));
  return {
    serve: ({ request, body, principal, caller }: McpExchange): Promise<Response> =>
      handler.fetch(request, {
        parsedBody: body,
        authInfo: { token: '', clientId: principal.id, scopes: [principal.role], extra: { caller } },
      }),
    /** Ends what is still told. */
    close: () => handler.close(),
  };
}
