// Who calls, and what it may know of how this server is set up.
import { principalOf } from '../../auth/credentials.ts';
import { isOwner, type Scope } from '../../core/scope.ts';
import { defined } from '../../core/values/defined.ts';
import { access } from '../../operations/server.ts';
import type { Door } from '../wire/http-types.ts';
import { callerOf, type OwnRoutes } from './routes.ts';

export interface Features {
  /** Whether answers may rest on pages that a search of the web finds. */
  readonly searchesWeb?: boolean;
}

export function accessRoutes({ system, ...door }: Door, { searchesWeb = false }: Features): OwnRoutes {
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

  return [[access.me, (exchange) => told(callerOf({ system, ...door }, exchange).scope)]];
}
