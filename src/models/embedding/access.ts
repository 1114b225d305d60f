// Where the embeddings of a provider are asked for, and with which key. Invariant: a provider that is not configured is never
// called, and a key goes to the address that it was configured for and to no other.
import { FootnoteError } from '../../core/errors.ts';
import type { ModelSettings } from '../open-models.ts';
import { providerNeeds } from '../roles.ts';
import type { EmbeddingAccess } from './call.ts';
import type { EmbeddingReference } from './facts.ts';

export interface ProviderAccess extends Omit<EmbeddingAccess, 'fetch'> {
  /** What the way out of the process is opened for. */
  readonly address: string;
}

const openaiOwn = 'https://api.openai.com/v1';

/** Throws `config-invalid` where the provider's settings are missing. */
export function accessOf(
  settings: ModelSettings,
  { provider, model, dimensions }: EmbeddingReference,
  openaiAddress: string = settings.openai?.address ?? openaiOwn,
): ProviderAccess {
  const missing = (): FootnoteError =>
    new FootnoteError('config-invalid', `MODEL_EMBED: "${provider}:${model}" needs ${providerNeeds[provider]}.`);
  const asked = dimensions === undefined ? {} : { dimensions };
  const { openai, azure, compatible } = settings;
  if (provider === 'openai') {
    if (!openai) throw missing();
    return {
      ...asked,
      address: openaiAddress,
      url: `${trimmed(openaiAddress)}/embeddings`,
      headers: { authorization: `Bearer ${openai.apiKey}` },
      takesBase64: true,
      facts: { provider, title: 'OpenAI', model, keySetting: 'OPENAI_API_KEY', addressSetting: 'OPENAI_BASE_URL' },
    };
  }
  if (provider === 'azure') {
    if (!azure) throw missing();
    const root = trimmed(azure.address).replace(/\/openai(\/v1)?$/u, '');
    // Dated versions know deployments, the `v1` surface takes them for models (learn.microsoft.com, "Azure OpenAI API version lifecycle").
    const isDated = /^\d{4}-\d{2}-\d{2}/u.test(azure.apiVersion ?? '');
    return {
      ...asked,
      address: azure.address,
      url: isDated
        ? `${root}/openai/deployments/${encodeURIComponent(model)}/embeddings?api-version=${encodeURIComponent(azure.apiVersion ?? '')}`
        : `${root}/openai/v1/embeddings`,
      headers: { 'api-key': azure.apiKey },
      takesBase64: true,
      facts: {
        provider,
        title: 'Azure OpenAI',
        model,
        keySetting: 'AZURE_OPENAI_API_KEY',
        addressSetting: 'AZURE_OPENAI_ENDPOINT',
      },
    };
  }
  if (!compatible) throw missing();
  return {
    ...asked,
    address: compatible.address,
    url: `${trimmed(compatible.address)}/embeddings`,
    headers: compatible.apiKey === undefined ? {} : { authorization: `Bearer ${compatible.apiKey}` },
    takesBase64: false,
    facts: {
      provider,
      title: `Model server ${new URL(compatible.address).host}`,
      model,
      keySetting: 'OPENAI_API_KEY',
      addressSetting: 'OPENAI_BASE_URL',
      isKeyless: compatible.apiKey === undefined,
    },
  };
}

const trimmed = (address: string): string => address.replace(/(?<!\/)\/+$/u, '');
