// Which models served a request, by role, and in whose place.
import type { FailedModel, ServedCall, ServedRole } from '../../core/budget.ts';

interface ServedRoles {
  told(call: ServedCall, facts?: { readonly role?: string }): void;
  roles(): readonly ServedRole[];
}

/** Holds each model and each kind of failure of a request once, however many calls it makes. */
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
