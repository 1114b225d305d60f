// The limits of spending that the configuration sets, checked against its models and prices. Invariant: a limit that could only ever
// refuse is a mistake of the operator and is told at the start, not with each question.
import type { Config } from '../../config.ts';
import { modelName } from '../../models/language/model-name.ts';
import { assertPriced, parseBudgets } from '../../models/money/budget-setting.ts';
import { parsePrices } from '../../models/money/prices.ts';
import type { SpendingLimits } from '../../models/money/spending-ledger.ts';
import { resolveModels } from '../../models/open-models.ts';
import type { ResolvedRole } from '../../models/roles.ts';
import { modelSettingsOf } from './language-models.ts';

const settingOf = {
  request: 'BUDGET_REQUEST',
  session: 'BUDGET_SESSION',
  keyDay: 'BUDGET_KEY_DAY',
  day: 'BUDGET_DAY',
} as const satisfies Record<keyof SpendingLimits, string>;

/** Models that are no language models and that somebody may bill, as price lists name them. */
function otherModels({ models, reranking }: Pick<Config, 'models' | 'reranking'>): readonly string[] {
  return [
    ...(/^(openai|azure|compatible):/u.test(models.embed) ? [models.embed.replace(/@\d+$/u, '')] : []),
    ...(reranking.model.startsWith('service:') ? [reranking.model] : []),
  ];
}

/** Throws `config-invalid` with every limit that cannot be read, or where dollars are limited and a model has no price. */
export function readSpendingLimits(
  config: Pick<Config, 'budgets' | 'language' | 'secret' | 'models' | 'reranking'>,
): SpendingLimits {
  const limits = parseBudgets(config.budgets, settingOf, 'request');
  const { roles, intents } = resolveModels(modelSettingsOf(config));
  // Of the other roles only what somebody asked for: their defaults may be of steps that are not taken.
  const asked: readonly ResolvedRole[] = [
    roles.answer,
    ...Object.values(intents),
    ...Object.values(roles).filter(({ from }) => from === 'setting'),
  ];
  const models = [
    ...asked.flatMap((role) => role.models.map(({ provider, model }) => modelName({ provider, id: model }))),
    ...otherModels(config),
  ];
  const bySetting = Object.entries(settingOf).map(
    ([level, setting]) => [setting, limits[level as keyof SpendingLimits]] as const,
  );
  assertPriced(Object.fromEntries(bySetting), models, parsePrices(config.language.prices));
  return limits;
}
