// From settings to the models of all roles: the one place that knows every provider's adapter. Invariants: a provider that is not
// configured is neither loaded nor called, only the addresses of configured ones can be reached, and mistakes are all told before any call.

import { FootnoteError } from '../core/errors.ts';
import { openEgress } from '../net/egress.ts';
import { type AttemptTiming, systemTiming } from './calls/attempts.ts';
import { createModelChain } from './calls/chain.ts';
import { type ModelWatch, unwatched } from './calls/watch.ts';
import { secretsOf, withoutSecrets } from './calls/without-secrets.ts';
import type { ModelFacts } from './language/ai-sdk/ai-sdk.ts';
import type { LanguageModel } from './language/language-model.ts';
import { parsePrices } from './money/prices.ts';
import {
  createRoleModels,
  type ModelReference,
  type Provider,
  providers,
  type ResolvedRoles,
  type RoleModels,
  type RoleSettings,
  resolveRoles,
} from './roles.ts';

export interface ModelSettings {
  readonly roles: RoleSettings['roles'];
  readonly openai?: {
    readonly apiKey: string;
    /** Its own, where not the usual one: that of a region. `compatible` then names the same place. */
    readonly address?: string;
  };
  readonly azure?: {
    readonly apiKey: string;
    readonly address: string;
    readonly apiVersion?: string;
    readonly deployment?: string;
  };
  readonly anthropic?: { readonly apiKey: string };
  /** Any server that speaks OpenAI's chat completions. */
  readonly compatible?: { readonly address: string; readonly apiKey?: string };
  /** Judges in folders of this machine. */
  readonly onnx?: { readonly open: (name: string) => LanguageModel & { close(): Promise<void> } };
  /** GGUF files of this machine. */
  readonly gguf?: {
    readonly folder: string;
    readonly onLoad?: (name: string) => void;
    /** Of those that were measured. */
    readonly leastYes?: Readonly<Record<string, number | undefined>>;
  };
  /** The provider of the chat over the archive, which speaks OpenAI's chat completions and streams. */
  readonly 'super-mind'?: { readonly address: string; readonly apiKey?: string; readonly model?: string };
  /** As `parsePrices` reads it. */
  readonly prices?: string;
  /** Context sizes by `provider:model`, where the operator says. */
  readonly contextTokens?: Readonly<Record<string, number>>;
}

export interface OpenModelsOptions extends Partial<AttemptTiming> {
  /** Addresses of the vendors: their own unless told. */
  readonly addresses?: Readonly<Partial<Record<'openai' | 'anthropic', string>>>;
  /** Told how each model fares. */
  readonly watch?: Pick<ModelWatch, 'circuit'>;
}

export interface OpenedModels {
  /** What `footnote models` shows: which model each role has, and why. */
  readonly resolved: ResolvedRoles;
  readonly models: RoleModels;
  /** Closes all connections and ends all processes. */
  close(): Promise<void>;
}

const vendorAddresses = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com/v1' } as const;
const settingNames: Readonly<Record<Provider, { readonly key: string; readonly address: string }>> = {
  openai: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
  azure: { key: 'AZURE_OPENAI_API_KEY', address: 'AZURE_OPENAI_ENDPOINT' },
  anthropic: { key: 'ANTHROPIC_API_KEY', address: 'the address of Anthropic' },
  compatible: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
  gguf: { key: 'MODELS_FOLDER', address: 'MODELS_FOLDER' },
  onnx: { key: 'MODELS_FOLDER', address: 'MODELS_FOLDER' },
  'super-mind': { key: 'SUPER_MIND_API_KEY', address: 'SUPER_MIND_BASE_URL' },
};

/** Which model has each role. Throws `config-invalid`. Loads nothing. */
export function resolveModels(settings: ModelSettings): ResolvedRoles {
  const { deployment } = settings.azure ?? {};
  const { model } = settings['super-mind'] ?? {};
  return resolveRoles({
    roles: settings.roles,
    configured: providers.filter((provider) => settings[provider]),
    isOpenaiCompatible: settings.openai?.address !== undefined,
    ...(deployment === undefined ? {} : { azureDeployment: deployment }),
    ...(model !== undefined && { superMindModel: model }),
  });
}

/** Throws `config-invalid`. Calls nothing. */
export async function openModels(settings: ModelSettings, options: OpenModelsOptions = {}): Promise<OpenedModels> {
  const { openai, azure, anthropic, compatible, gguf, onnx, 'super-mind': superMind, contextTokens = {} } = settings;
  const { random, wait, elapsedMs, watch = unwatched } = { ...systemTiming, ...options };
  const own = openai?.address === undefined ? {} : { openai: openai.address };
  const addresses = { ...vendorAddresses, ...own, ...options.addresses };
  const prices = parsePrices(settings.prices ?? '');
  const resolved = resolveModels(settings);

  const egress = openEgress({
    addresses: [
      ...(openai ? [addresses.openai] : []),
      ...(azure ? [azure.address] : []),
      ...(anthropic ? [addresses.anthropic] : []),
      ...(compatible ? [compatible.address] : []),
      ...(superMind ? [superMind.address] : []),
    ],
  });
  const shared = (provider: Provider) => ({
    fetch: egress.fetch,
    keySetting: settingNames[provider].key,
    addressSetting: settingNames[provider].address,
  });
  const used = new Set(
    [...Object.values(resolved.roles), ...Object.values(resolved.intents)].flatMap(({ models }) =>
      models.map(({ provider }) => provider),
    ),
  );
  // Loaded only where a role needs them: each costs about 70 ms of processor time at the start.
  const makers = new Map<Provider, (id: string, facts: ModelFacts) => LanguageModel>();
  if (openai && used.has('openai')) {
    const { openaiModel } = await import('./language/ai-sdk/openai.ts');
    makers.set('openai', (id, facts) =>
      openaiModel(id, { ...shared('openai'), ...openai, address: addresses.openai }, facts),
    );
  }
  if (azure && used.has('azure')) {
    const { azureModel } = await import('./language/ai-sdk/azure.ts');
    makers.set('azure', (id, facts) => azureModel(id, { ...shared('azure'), ...azure }, facts));
  }
  if (anthropic && used.has('anthropic')) {
    const { anthropicModel } = await import('./language/ai-sdk/anthropic.ts');
    makers.set('anthropic', (id, facts) =>
      anthropicModel(id, { ...shared('anthropic'), ...anthropic, address: addresses.anthropic }, facts),
    );
  }
  if (compatible && used.has('compatible')) {
    const { compatibleModel } = await import('./language/ai-sdk/compatible.ts');
    makers.set('compatible', (id, facts) => compatibleModel(id, { ...shared('compatible'), ...compatible }, facts));
  }

  const running: { close(): Promise<void> }[] = [];
  const run = <Model extends { close(): Promise<void> }>(model: Model): Model => {
    running.push(model);
    return model;
  };
  if (gguf && used.has('gguf')) {
    const { openWriter } = await import('./gguf/writer.ts');
    makers.set('gguf', (id, facts) =>
      run(openWriter(id, { ...gguf, ...facts, leastYes: gguf.leastYes?.[id], onLoad: () => gguf.onLoad?.(id) })),
    );
  }
  if (onnx) makers.set('onnx', (id) => run(onnx.open(id)));
  if (superMind && used.has('super-mind')) {
    const { compatibleModel } = await import('./language/ai-sdk/compatible.ts');
    const access = { ...shared('super-mind'), ...superMind, provider: 'super-mind' };
    makers.set('super-mind', (id, facts) => alwaysStreamed(compatibleModel(id, access, facts)));
  }

  const open = ({ provider, model }: ModelReference) => {
    const known = contextTokens[`${provider}:${model}`];
    const make = makers.get(provider) as (id: string, facts: ModelFacts) => LanguageModel;
    return {
      model: withoutSecrets(
        make(model, known === undefined ? {} : { contextTokens: known }),
        provider === 'gguf' || provider === 'onnx' ? [] : secretsOf(settings[provider] ?? {}),
      ),
      circuit: watch.circuit(`${provider}:${model}`, { elapsedMs }),
    };
  };
  const models = createRoleModels(resolved, {
    open,
    chain: (candidates) => createModelChain(candidates, { prices, random, wait, elapsedMs }),
  });
  return {
    resolved,
    models,
    async close() {
      egress.close();
      await Promise.all(running.map((one) => one.close()));
    },
  };
}

/** Asks for whole answers as streams, too: the provider promises nothing else. */
function alwaysStreamed(model: LanguageModel): LanguageModel {
  return {
    ...model,
    async generate(request, options) {
      for await (const part of model.stream(request, options)) if (part.type === 'end') return part.result;
      throw new FootnoteError('upstream-invalid', 'The stream of the model had no end.');
    },
  };
}
