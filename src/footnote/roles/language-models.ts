// The language models that the configuration names, opened once for the process. Invariant: without a key or an address nothing is
// loaded and nothing leaves the machine.
import type { Config } from '../../config.ts';
import type { ModelWatch } from '../../models/calls/watch.ts';
import { parseContextTokens } from '../../models/language/context-tokens.ts';
import { openaiAddressOf } from '../../models/language/openai-address.ts';
import { openEntailment } from '../../models/local/entailment.ts';
import { type Lock, noteUse, readLock } from '../../models/local/lock.ts';
import { type ModelSettings, type OpenedModels, openModels } from '../../models/open-models.ts';

export type LanguageConfig = Pick<Config, 'language' | 'secret'> & Partial<Pick<Config, 'chat' | 'models'>>;

/**
 * The providers and roles of a configuration; a key together with an address of one's own goes to that address alone. An address that is
 * OpenAI's own is OpenAI, and keeps the name `compatible` too, for those who wrote it so. Throws
 * `config-invalid` where sizes cannot be read.
 */
export function modelSettingsOf({ language, secret, chat, models }: LanguageConfig): ModelSettings {
  const { roles, openaiBaseUrl, azure, prices, contextTokens } = language;
  const ownAddress = openaiBaseUrl === undefined ? undefined : openaiAddressOf(openaiBaseUrl);
  const compatibleAddress = ownAddress ?? openaiBaseUrl;
  const openaiKey = secret('OPENAI_API_KEY');
  const azureKey = secret('AZURE_OPENAI_API_KEY');
  const anthropicKey = secret('ANTHROPIC_API_KEY');
  const superMindKey = secret('SUPER_MIND_API_KEY');
  return {
    roles,
    prices,
    contextTokens: parseContextTokens(contextTokens),
    ...(openaiKey !== undefined &&
      (openaiBaseUrl === undefined || ownAddress !== undefined) && {
        openai: { apiKey: openaiKey, ...(ownAddress !== undefined && { address: ownAddress }) },
      }),
    ...(compatibleAddress !== undefined && {
      compatible: { address: compatibleAddress, ...(openaiKey !== undefined && { apiKey: openaiKey }) },
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
    ...(models && {
      onnx: { open: (name: string) => openEntailment(name, { folder: models.folder }) },
      gguf: { folder: models.folder, onLoad: (name) => void noteUse(models.folder, name) },
    }),
    ...(chat?.provider && {
      'super-mind': { ...chat.provider, ...(superMindKey !== undefined && { apiKey: superMindKey }) },
    }),
  };
}

/** Throws `config-invalid` where a role names a model that cannot be had. Calls nothing. */
export async function openLanguageModels(
  config: LanguageConfig,
  watch?: Pick<ModelWatch, 'circuit'>,
): Promise<OpenedModels> {
  const { gguf, ...settings } = modelSettingsOf(config);
  const lock = gguf ? await readLock(gguf.folder).catch((): Lock => ({})) : {};
  const leastYes = Object.fromEntries(Object.entries(lock).map(([name, model]) => [name, model.leastYes]));
  return openModels({ ...settings, ...(gguf && { gguf: { ...gguf, leastYes } }) }, watch ? { watch } : {});
}
