// Which model has each role, where that was decided, what the model takes in and costs, and what a step does without one. Invariants:
// nothing is called; sizes and prices are the operator's own words or unknown, never a table that could be stale.

import type { Config } from '../../config.ts';
import type { Intent } from '../../core/answer.ts';
import { defined } from '../../core/values/defined.ts';
import { type ModelPrice, type Prices, parsePrices } from '../../models/money/prices.ts';
import { type ModelSettings, resolveModels } from '../../models/open-models.ts';
import type { LanguageRole, Provider, ResolvedRole } from '../../models/roles.ts';
import { type LanguageConfig, modelSettingsOf } from './language-models.ts';

export interface RoleModel {
  /** `provider:model`; `onnx:<folder>`; `corpus`. */
  readonly model: string;
  /** Input and output together, of MODEL_CONTEXT_TOKENS. Absent: not said. */
  readonly contextTokens?: number;
  /** US dollars for a million tokens; all 0: free. Absent: unknown. */
  readonly price?: ModelPrice;
}

export interface RoleRow {
  /** `answer (faq)` for the answers of one intent. */
  readonly role: string;
  /** In the order of trial. Empty: off. */
  readonly models: readonly RoleModel[];
  readonly setting: string;
  /** Where the setting stands (`environment`, `footnote.yaml:3`), `default`, or which key makes a model the default. */
  readonly from: string;
  /** Nothing asks it as things are configured: nothing is spent on it. */
  readonly unused?: true;
  /** What the step does without a model. */
  readonly without: string;
  /** Where a model is half configured: what is still to be set for it. */
  readonly hints?: readonly string[];
}

export type RolesConfig = LanguageConfig & Pick<Config, 'models' | 'reranking' | 'effective'>;

const without: Readonly<Record<LanguageRole | 'embed', string>> = {
  router: 'rules tell the intent of a question',
  planner: 'one search, and one for each part of a question',
  answer: 'answers are passages of the documents',
  critic: 'no draft is looked at once more',
  judge: 'the rules of the verifier decide alone',
  rerank: 'hits keep the order of the searches',
  chat: 'rules explore the archive of conversations',
  embed: 'search by words only',
};

/** With none of these on, nothing asks the planner. */
const asksPlanner = ['ENABLE_ORCHESTRATOR', 'ENABLE_MODEL_DECOMPOSITION'];
/** The same of the critic. */
const asksCritic = ['ENABLE_CRITIC', 'ENABLE_ASSESSMENT'];

/** In the order of a question. */
const order = ['router', 'planner', 'embed', 'rerank', 'answer', 'judge', 'critic', 'chat'] as const;
const intentSettings = {
  faq: 'MODEL_FAQ',
  research: 'MODEL_RESEARCH',
  factual_lookup: 'MODEL_FACTUAL',
  conversational: 'MODEL_CONVERSATIONAL',
} as const satisfies Record<Intent, string>;

const free: ModelPrice = { inputPerMillionUsd: 0, outputPerMillionUsd: 0, cachedInputPerMillionUsd: 0 };

/** What is missing where something of a provider is set and no model answers; nothing where that was said to be so. */
function answerHints(config: RolesConfig, { openai, azure, anthropic, compatible }: ModelSettings): readonly string[] {
  const { endpoint } = config.language.azure;
  const hasAzureKey = config.secret('AZURE_OPENAI_API_KEY') !== undefined;
  const hint = (seen: string, todo: string): string => `No model writes answers, though ${seen} is set: set ${todo}.`;
  const named = (provider: Provider): string => `MODEL_ANSWER to ${provider}:NAME, with the name of a model there`;
  return [
    ...(hasAzureKey && endpoint === undefined
      ? [hint('AZURE_OPENAI_API_KEY', 'AZURE_OPENAI_ENDPOINT too, to the address of the resource')]
      : []),
    ...(!hasAzureKey && endpoint !== undefined ? [hint('AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_API_KEY too')] : []),
    ...(azure ? [hint('AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_DEPLOYMENT to the name of a deployment')] : []),
    ...(compatible && !openai ? [hint('OPENAI_BASE_URL', named('compatible'))] : []),
    ...(anthropic ? [hint('ANTHROPIC_API_KEY', named('anthropic'))] : []),
  ];
}

/** Throws `config-invalid` where a role names a model that cannot be had, or prices or sizes cannot be read. */
export function roleTable(config: RolesConfig): readonly RoleRow[] {
  const settings = modelSettingsOf(config);
  const resolved = resolveModels(settings);
  const prices = parsePrices(settings.prices ?? '');
  const describe = (model: string): RoleModel => describeModel(model, prices, settings.contextTokens ?? {});
  const named = ({ models }: ResolvedRole): readonly RoleModel[] =>
    models.map(({ provider, model }) => describe(`${provider}:${model}`));
  const effective = new Map(config.effective.map((one) => [one.name, one]));
  const fromOf = (setting: string, models: readonly RoleModel[]): string => {
    const { origin = 'not set' } = effective.get(setting) ?? {};
    const [first] = models;
    if (origin !== 'not set' || !first) return origin;
    if (first.model.startsWith('super-mind:')) return 'default, for SUPER_MIND_BASE_URL';
    return first.model.startsWith('azure:') ? 'default, for AZURE_OPENAI_DEPLOYMENT' : 'default, for OPENAI_API_KEY';
  };
  const isIdle = (setting: string): boolean =>
    (setting === 'MODEL_PLANNER' && !asksPlanner.some((flag) => effective.get(flag)?.value === true)) ||
    (setting === 'MODEL_CRITIC' && !asksCritic.some((flag) => effective.get(flag)?.value === true));
  const row = (role: LanguageRole | 'embed', models: readonly RoleModel[]): RoleRow => {
    const setting = `MODEL_${role.toUpperCase()}`;
    return {
      role,
      models,
      setting,
      from: fromOf(setting, models),
      ...((effective.get(setting)?.unused || isIdle(setting)) && { unused: true as const }),
      without: without[role],
    };
  };
  const one = (written: string): readonly RoleModel[] => (written === 'none' ? [] : [describe(written)]);

  return order.flatMap((role) => {
    if (role === 'embed') return [row(role, one(config.models.embed))];
    // The answer role has a row of its own.
    if (role === 'chat' && resolved.roles.chat.from === 'answer') return [];
    if (role === 'rerank' && /^(onnx|service):/u.test(config.reranking.model))
      return [row(role, one(config.reranking.model))];
    const rows = [row(role, named(resolved.roles[role]))];
    if (role !== 'answer') return rows;
    const { models: answering, from: decided } = resolved.roles.answer;
    const hints = answering.length === 0 && decided === 'default' ? answerHints(config, settings) : [];
    if (hints.length > 0) rows[0] = { ...row(role, []), hints };
    for (const [intent, setting] of Object.entries(intentSettings)) {
      const written = resolved.intents[intent as Intent];
      if (written.from !== 'setting') continue;
      const models = named(written);
      rows.push({
        role: `answer (${intent})`,
        models,
        setting,
        from: fromOf(setting, models),
        without: without.answer,
      });
    }
    return rows;
  });
}

function describeModel(model: string, prices: Prices, sizes: Readonly<Record<string, number>>): RoleModel {
  // The dimensions that vectors are cut to are no part of a model's name in the price list.
  const contextTokens = sizes[model];
  const price =
    model === 'corpus' || model.startsWith('onnx:')
      ? free
      : (prices.of(model) ?? prices.of(model.replace(/@\d+$/u, '')));
  return defined({ model, contextTokens, ...(price && { price }) });
}
