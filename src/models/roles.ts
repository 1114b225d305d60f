// Which model serves which role, as the operator configured it. Invariant: a role is the only thing that code asks for — no request,
// and so no client, ever names a provider or a model.
import { type Intent, intents as knownIntents } from '../core/answer.ts';
import { FootnoteError } from '../core/errors.ts';
import type { Candidate } from './calls/chain.ts';
import type { LanguageModel } from './language/language-model.ts';

export const languageRoles = ['router', 'planner', 'answer', 'critic', 'judge', 'rerank', 'chat'] as const;
export type LanguageRole = (typeof languageRoles)[number];

export const providers = ['openai', 'azure', 'anthropic', 'compatible', 'gguf', 'onnx', 'super-mind'] as const;
export type Provider = (typeof providers)[number];

/** Intents may have an answering model of their own, under this name in the settings; without one the answer role serves. */
const intentSettings = {
  faq: 'faq',
  research: 'research',
  factual_lookup: 'factual',
  conversational: 'conversational',
} as const satisfies Record<Intent, string>;
type IntentSetting = (typeof intentSettings)[Intent];

export interface ModelReference {
  readonly provider: Provider;
  readonly model: string;
}

export interface RoleSettings {
  /**
   * What is written for a role: `none`, or `provider:model`, or several, separated by commas, the first that serves first. The provider
   * may be left out where only one is configured, or where the name tells (`gpt-…`, `claude-…`).
   */
  readonly roles: Readonly<Partial<Record<LanguageRole | IntentSetting, string>>>;
  /** Providers that have what they need, a key or an address. */
  readonly configured: readonly Provider[];
  /** `compatible` is OpenAI under another name: what names no provider is asked of OpenAI. */
  readonly isOpenaiCompatible?: boolean;
  /** Deployment that an Azure role means when it names none. */
  readonly azureDeployment?: string;
  /** Model of the provider of the chat over the archive. */
  readonly superMindModel?: string;
}

export interface ResolvedRole {
  /** Empty: no model; the deterministic twin of the step serves. */
  readonly models: readonly ModelReference[];
  readonly from: 'setting' | 'default' | 'answer';
}

export interface ResolvedRoles {
  readonly roles: Readonly<Record<LanguageRole, ResolvedRole>>;
  readonly intents: Readonly<Record<Intent, ResolvedRole>>;
}

/** SPEC of the defaults: with a key of OpenAI it answers and plans; everything else costs only when the operator says so. */
const openaiDefault = 'gpt-5.2';
const defaultRoles: ReadonlySet<LanguageRole> = new Set(['answer', 'planner']);

/** Names that belong to one vendor. */
const vendorNames: readonly (readonly [RegExp, Provider])[] = [
  [/^(gpt-|o\d|chatgpt-)/u, 'openai'],
  [/^claude-/u, 'anthropic'],
];

const settingOf = (name: string): string => `MODEL_${name.toUpperCase()}`;

/** Throws `config-invalid` with every mistake at once, one a line. */
export function resolveRoles(settings: RoleSettings): ResolvedRoles {
  const { roles: written, configured, azureDeployment } = settings;
  const mistakes: string[] = [];
  const has = new Set(configured);
  const places = configured.filter(
    // The provider of the chat is named where something else is asked of it, and files of this machine always are.
    (one) =>
      !['super-mind', 'gguf', 'onnx'].includes(one) && (one !== 'compatible' || settings.isOpenaiCompatible !== true),
  );

  const parse = (setting: string, entry: string): ModelReference | undefined => {
    const colon = entry.indexOf(':');
    const prefix = entry.slice(0, Math.max(0, colon));
    const named = providers.find((provider) => provider === prefix);
    // Names of local models have colons of their own: `qwen3:8b`.
    const model = named ? entry.slice(colon + 1).trim() : entry;
    const provider =
      named ??
      vendorNames.find(([pattern, vendor]) => pattern.test(model) && has.has(vendor))?.[1] ??
      (places.length === 1 ? places[0] : undefined);
    if (!provider) {
      mistakes.push(
        `${setting}: "${entry}" does not say whose model it is. Write one of ${providers.map((name) => `${name}:${entry}`).join(', ')}${has.size === 0 ? ', and configure that provider: none is' : ''}.`,
      );
      return undefined;
    }
    if (model === '') mistakes.push(`${setting}: "${entry}" names no model.`);
    else if (provider === 'onnx' && setting !== 'MODEL_JUDGE')
      mistakes.push(`${setting}: "${entry}" judges claims and writes nothing. Name a model that writes.`);
    else if (!has.has(provider)) mistakes.push(`${setting}: "${entry}" needs ${providerNeeds[provider]}.`);
    else return { provider, model };
    return undefined;
  };
  const read = (name: LanguageRole | IntentSetting): ResolvedRole | undefined => {
    const text = written[name]?.trim();
    if (text === undefined || text === '') return undefined;
    if (text === 'none') return { models: [], from: 'setting' };
    const models = text.split(',').flatMap((entry) => parse(settingOf(name), entry.trim()) ?? []);
    // A list is asked one thing, in one form: who gives chances of classes has another one than who writes.
    if (new Set(models.map(({ provider }) => provider === 'onnx')).size > 1)
      mistakes.push(
        `${settingOf(name)}: "${text}" has onnx models beside others, which are asked in another way. Name onnx models alone, or none of them.`,
      );
    return { models, from: 'setting' };
  };
  const fallBack = (role: LanguageRole): ResolvedRole => {
    if (!defaultRoles.has(role)) return { models: [], from: 'default' };
    if (has.has('openai')) return { models: [{ provider: 'openai', model: openaiDefault }], from: 'default' };
    if (has.has('azure') && azureDeployment !== undefined)
      return { models: [{ provider: 'azure', model: azureDeployment }], from: 'default' };
    return { models: [], from: 'default' };
  };

  const answer = read('answer') ?? fallBack('answer');
  const chat = (): ResolvedRole =>
    has.has('super-mind')
      ? { models: [{ provider: 'super-mind', model: settings.superMindModel ?? 'default' }], from: 'default' }
      : { models: answer.models, from: 'answer' };
  const resolved = Object.fromEntries(
    languageRoles.map((role) => [
      role,
      role === 'answer' ? answer : (read(role) ?? (role === 'chat' ? chat() : fallBack(role))),
    ]),
  ) as Record<LanguageRole, ResolvedRole>;
  const intents = Object.fromEntries(
    knownIntents.map((intent) => [
      intent,
      read(intentSettings[intent]) ?? { models: resolved.answer.models, from: 'answer' as const },
    ]),
  ) as Record<Intent, ResolvedRole>;
  if (mistakes.length > 0) throw new FootnoteError('config-invalid', mistakes.join('\n'), { details: { mistakes } });
  return { roles: resolved, intents };
}

/** Settings without which a provider cannot be called, for messages. */
export const providerNeeds: Readonly<Record<Provider, string>> = {
  openai: 'OPENAI_API_KEY, without OPENAI_BASE_URL or with an address of OpenAI there',
  azure: 'AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT',
  anthropic: 'ANTHROPIC_API_KEY',
  compatible: 'OPENAI_BASE_URL, the address of a server that speaks the protocol of OpenAI',
  gguf: 'MODELS_FOLDER',
  onnx: 'MODELS_FOLDER',
  'super-mind': 'SUPER_MIND_BASE_URL, the address of a server that speaks the protocol of OpenAI',
};

export interface RoleModels {
  /** Undefined: the role has none. */
  of(role: LanguageRole): LanguageModel | undefined;
  answering(intent: Intent): LanguageModel | undefined;
}

export interface RoleModelsOptions {
  /** One for each model, made once: two roles of one model share its circuit. */
  readonly open: (reference: ModelReference) => Candidate;
  /** `createModelChain` with its clock and prices. */
  readonly chain: (candidates: readonly Candidate[]) => LanguageModel;
}

/** The models of all roles; nothing is called, and no connection opened. */
export function createRoleModels(resolved: ResolvedRoles, { open, chain }: RoleModelsOptions): RoleModels {
  const opened = new Map<string, Candidate>();
  const candidateOf = (reference: ModelReference): Candidate => {
    const name = `${reference.provider}:${reference.model}`;
    const candidate = opened.get(name) ?? open(reference);
    opened.set(name, candidate);
    return candidate;
  };
  const build = ({ models }: ResolvedRole): LanguageModel | undefined =>
    models.length === 0 ? undefined : chain(models.map(candidateOf));
  const byRole = new Map(languageRoles.map((role) => [role, build(resolved.roles[role])]));
  const byIntent = new Map(knownIntents.map((intent) => [intent, build(resolved.intents[intent])]));
  return { of: (role) => byRole.get(role), answering: (intent) => byIntent.get(intent) };
}
