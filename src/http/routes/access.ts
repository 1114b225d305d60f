// Who calls, and what it may know of how this server is set up; browsers log in and out here.
import { isOfToken, principalOf } from '../../auth/credentials.ts';
import { FootnoteError } from '../../core/errors.ts';
import { isOwner, type Scope } from '../../core/scope.ts';
import { defined } from '../../core/values/defined.ts';
import { access } from '../../operations/server.ts';
import { type GuardOptions, isOwnPage, scopeOfSecret } from '../hardening/guard.ts';
import type { Logins } from '../hardening/logins.ts';
import type { Door } from '../wire/http-types.ts';
import type { Exchange } from '../wire/stream-reply.ts';
import { askedOf, callerOf, type OwnRoutes } from './routes.ts';

export interface Features extends Pick<GuardOptions, 'ownerToken' | 'isOwner' | 'authenticate' | 'publicUrl'> {
  /** Whether answers may rest on pages that a search of the web finds. */
  readonly searchesWeb?: boolean;
}

export function accessRoutes({ system, ...door }: Door, options: Features, logins: Logins): OwnRoutes {
  const { searchesWeb = false, publicUrl } = options;
  async function told({ tenant, principal }: Scope) {
    const { id, role, sources, doors, limits } = principal;
    const key = (await system.keys?.list())?.find((one) => principalOf(one.id) === id && one.tenant === tenant);
    const roles = Object.entries(system.languageModels?.roles ?? {}).filter(([, { models }]) => models.length > 0);
    return {
      ...defined({ sources, doors, limits, owner: isOwner(principal) || undefined }),
      ...{ tenant, role, ...(key && { key: defined({ id: key.id, name: key.name, expiresAt: key.expiresAt }) }) },
      features: {
        models: roles.map(([name]) => name),
        webSearch: searchesWeb,
        // What only admins may ask for shows to nobody else.
        ...(role === 'admin' && { metrics: system.telemetry !== undefined, keys: system.keys !== undefined }),
      },
    };
  }

  /** Another page would log a browser in for itself, or out. */
  function assertOwnPage({ request }: Exchange): void {
    if (isOwnPage(request, publicUrl)) return;
    throw new FootnoteError(
      'forbidden',
      'Only pages of this server log in and out. Programs send a key with each call.',
    );
  }

  return [
    [access.me, (exchange) => told(callerOf({ system, ...door }, exchange).scope)],
    [
      access.login,
      async (exchange) => {
        assertOwnPage(exchange);
        const { key } = askedOf(access.login, exchange.request).body;
        const scope = await scopeOfSecret(options, key);
        // A token is for the door that it names, not for a browser.
        if (!scope || isOfToken(scope.principal))
          throw new FootnoteError('unauthenticated', 'body.key: the server does not know this key.');
        await logins.begin(exchange.request, exchange.reply, key);
        return told(scope);
      },
    ],
    [
      access.logout,
      async (exchange) => {
        assertOwnPage(exchange);
        await logins.end(exchange.request, exchange.reply);
        return exchange.reply.code(204).send();
      },
    ],
  ];
}
