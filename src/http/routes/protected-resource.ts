// What clients of MCP are told of where tokens come from (RFC 9728): a document, and the challenge that names it. Without an issuer there is neither.
import type { FastifyRequest } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';
import { hasCredentials } from '../hardening/guard.ts';
import type { HttpApp } from '../wire/http-types.ts';
import { mcpPath } from './mcp.ts';

export interface ProtectedResource {
  /** The address of MCP, as clients call it. */
  readonly resource: string;
  readonly issuer: string;
}

const path = '/.well-known/oauth-protected-resource';
/** Clients look at the one that they are told, or by the rule of the standard at that which ends as the resource does. */
const resourcePaths = [path, `${path}${mcpPath}`] as const;

const scope = 'footnote:read';

export function registerProtectedResource(app: HttpApp, facts: ProtectedResource | undefined): void {
  const document = facts && {
    resource: facts.resource,
    authorization_servers: [facts.issuer],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Footnote',
  };
  for (const one of resourcePaths)
    app.get(one, { schema: { hide: true } }, async (_, reply) => {
      if (!document)
        throw new FootnoteError('not-found', 'This server takes keys alone: FOOTNOTE_OIDC_ISSUER is not set.');
      return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(document) as never);
    });
}

/** What a refusal for want of a key says: behind the address of MCP, where tokens come from. */
export function challengeOf(request: FastifyRequest, facts: ProtectedResource | undefined): string {
  if (!facts || !request.url.startsWith(mcpPath)) return 'Bearer realm="footnote"';
  const metadata = `${facts.resource.slice(0, -mcpPath.length)}${path}`;
  return `Bearer resource_metadata="${metadata}", scope="${scope}"${hasCredentials(request) ? ', error="invalid_token"' : ''}`;
}
