// The language models that the configuration names, opened once for the process. Invariant: without a key or an address nothing is
// loaded and nothing leaves the machine.
import type { Config } from '../config.ts';
import { createDeadline } from '../core/deadline.ts';
import { modelName } from '../models/language-model.ts';
import { type ModelSettings, type OpenedModels, openModels, resolveModels } from '../models/open-models.ts';
import type { ResolvedRoles } from '../models/roles.ts';

/** The providers and roles of a configuration; a key together with an address of one's own goes to that address alone. */
export function modelSettingsOf({ language, secret }: Pick<Config, 'language' | 'secret'>): ModelSettings {
  const { roles, openaiBaseUrl, azure } = language;
  const openaiKey = secret('OPENAI_API_KEY');
  const azureKey = secret('AZURE_OPENAI_API_KEY');
  const anthropicKey = secret('ANTHROPIC_API_KEY');
  return {
    roles,
    ...(openaiKey !== undefined && openaiBaseUrl === undefined && { openai: { apiKey: openaiKey } }),
    ...(openaiBaseUrl !== undefined && {
      compatible: { address: openaiBaseUrl, ...(openaiKey !== undefined && { apiKey: openaiKey }) },
    }),
    ...(azureKey !== undefined &&
      azure.endpoint !== undefined && {
        azure: {
          apiKey: azureKey,
          address: azure.endpoint,
          ...(azure.apiVersion !== undefined && { apiVersion: azure.apiVersion }),
          ...(azure.deployment !== undefined && { deployment: azure.deployment }),
        },
      }),
    ...(anthropicKey !== undefined && { anthropic: { apiKey: anthropicKey } }),
  };
}

/** Throws `config-invalid` where a role names a model that cannot be had. Calls nothing. */
export function openLanguageModels(config: Pick<Config, 'language' | 'secret'>): Promise<OpenedModels> {
  return openModels(modelSettingsOf(config));
}

export interface LanguageModelTrial {
  /** `provider:model` that was asked; several where an order of trial is configured. */
  readonly models: readonly string[];
  /** The one that served. */
  readonly served?: string;
  readonly latencyMs?: number;
  readonly tokens?: number;
  /** Why none did. */
  readonly failure?: string;
}

/** Which models write answers, `provider:model` in the order of trial; empty: sentences of the documents stand as they are. */
export function answerModelsOf(config: Pick<Config, 'language' | 'secret'>): readonly string[] {
  return namesOf(resolveModels(modelSettingsOf(config)));
}

const namesOf = ({ roles }: ResolvedRoles): readonly string[] =>
  roles.answer.models.map(({ provider, model }) => modelName({ provider, id: model }));

/** One tiny call of the model that writes answers; undefined where none is configured. Throws `config-invalid`. */
export async function tryLanguageModel(
  config: Pick<Config, 'language' | 'secret' | 'requestTimeoutMs'>,
  signal?: AbortSignal,
): Promise<LanguageModelTrial | undefined> {
  const opened = await openLanguageModels(config);
  try {
    const models = namesOf(opened.resolved);
    const model = opened.models.of('answer');
    if (!model) return undefined;
    const startedAt = performance.now();
    try {
      const { model: served, usage } = await model.generate(
        // Models that think before they write need room for it.
        { messages: [{ role: 'user', content: 'Answer with the one word: ready' }], maxOutputTokens: 256 },
        { deadline: createDeadline(config.requestTimeoutMs, signal) },
      );
      const latencyMs = performance.now() - startedAt;
      return { models, served, latencyMs, tokens: usage.inputTokens + usage.outputTokens };
    } catch (error) {
      if (signal?.aborted) throw error;
      return { models, failure: error instanceof Error ? `${modelName(model)}: ${error.message}` : String(error) };
    }
  } finally {
    opened.close();
  }
}
