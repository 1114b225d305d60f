// How the models of the roles stand, as calls have shown: what a health check, the doctor and `footnote models` tell. Invariant: nothing
// is called for it, so that a model nobody has asked yet is taken to serve.
import type { Config } from '../../config.ts';
import { intents } from '../../core/answer.ts';
import type { ModelStanding } from '../../models/calls/watch.ts';
import { modelName } from '../../models/language/model-name.ts';
import { languageRoles, type RoleModels } from '../../models/roles.ts';
import { roleTable } from './role-table.ts';

/** `degraded`: a model of the list fails and another stands behind it. `down`: all of them fail, and the step is done without. */
export interface RoleHealth {
  readonly role: string;
  readonly status: 'ok' | 'degraded' | 'down';
  /** Why its first failing model fails. */
  readonly code?: string;
}

export interface ModelsHealth {
  /** Of roles that a model outside of this process has. */
  readonly roles: readonly RoleHealth[];
  readonly models: readonly ModelStanding[];
}

/** Names of the models of a role, in the order of trial. */
export interface NamedRole {
  readonly role: string;
  readonly models: readonly string[];
}

/** The roles that steps of this version ask, with models that somebody else runs. */
export function namedRoles(config: Config, own?: RoleModels): readonly NamedRole[] {
  if (own) {
    const used = [
      ...intents.map((intent) => ({ role: `answer (${intent})`, model: own.answering(intent) })),
      ...languageRoles.map((role) => ({ role, model: own.of(role) })),
    ];
    return used.flatMap(({ role, model }) => (model ? [{ role, models: [modelName(model)] }] : []));
  }
  return roleTable(config)
    .filter(({ unused }) => !unused)
    .map(({ role, models }) => ({
      role,
      models: models
        .map(({ model }) => model.replace(/@\d+$/u, ''))
        .filter((model) => !/^(corpus$|onnx:)/u.test(model)),
    }))
    .filter(({ models }) => models.length > 0);
}

export function modelsHealth(roles: readonly NamedRole[], standings: readonly ModelStanding[]): ModelsHealth {
  const failing = new Map(standings.flatMap((one) => (one.state === 'failing' ? [[one.model, one]] : [])));
  return {
    models: standings,
    roles: roles.map(({ role, models }) => {
      const failed = models.flatMap((model) => failing.get(model) ?? []);
      const status = failed.length === 0 ? 'ok' : failed.length < models.length ? 'degraded' : 'down';
      const code = failed[0]?.lastFailure?.code;
      return { role, status, ...(code !== undefined && { code }) };
    }),
  };
}
