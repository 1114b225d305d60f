// The language models that the configuration names, opened once for the process. Invariant: without a key or an address nothing is
// loaded and nothing leaves the machine.
import type { Config } from '../config.ts';
import { type ModelSettings, type OpenedModels, openModels } from '../models/open-models.ts';

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
