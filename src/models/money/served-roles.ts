// Which models served the roles of one request, and which were asked before them and failed. Invariant: however many calls a request
// makes, each model and each kind of failure is held once.
import type { FailedModel, ServedCall, ServedRole } from '../../core/budget.ts';

export interface ServedRoles {
  told(call: ServedCall, facts?: { readonly role?: string }): void;
  roles(): readonly ServedRole[];
}

export function createServedRoles(): ServedRoles {
  const roles = new Map<string, { models: Set<string>; replaced: Map<string, FailedModel & { by: string }> }>();
  return {
    told({ model, failed }, { role = 'other' } = {}) {
      const own = roles.get(role) ?? { models: new Set(), replaced: new Map() };
      roles.set(role, own);
      own.models.add(model);
      for (const one of failed) own.replaced.set(`${one.model}\n${one.code}`, { ...one, by: model });
    },
    roles: () =>
      [...roles].map(([role, { models, replaced }]) => ({
        role,
        models: [...models],
        replaced: [...replaced.values()],
      })),
  };
}
