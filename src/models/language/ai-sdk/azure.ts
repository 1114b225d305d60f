// Azure OpenAI: the Responses API of its `v1` surface, or, for a dated API version, the chat completions of a deployment. It goes
// through the SDK's OpenAI provider: the Azure provider (4.0.85) brings an older copy of it, which loses refusals. Nothing is stored there.
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModel } from '../language-model.ts';
import { withLearnedParameters } from '../learned-parameters.ts';
import { fromAiSdk, isStrictSchema, type ModelFacts, type ProviderAccess } from './ai-sdk.ts';

export interface AzureAccess extends ProviderAccess {
  /** `https://<resource>.openai.azure.com`, with or without `/openai` or `/openai/v1`. */
  readonly address: string;
  /** Dated, such as `2024-10-21`: deployments; absent or `v1`: the `v1` surface. */
  readonly apiVersion?: string;
}

const isDated = (version: string | undefined): version is string => /^\d{4}-\d{2}-\d{2}/u.test(version ?? '');

/** `id` is the name of the deployment. */
export function azureModel(id: string, access: AzureAccess, facts: ModelFacts = {}): LanguageModel {
  const { apiKey, address, apiVersion, keySetting, addressSetting } = access;
  const root = address.replace(/(?<!\/)\/+$/u, '').replace(/\/openai(\/v1)?$/u, '');
  const dated = isDated(apiVersion) ? apiVersion : undefined;
  // Azure takes a key as `api-key`; a bearer would be read as a token of Entra ID.
  const send: AzureAccess['fetch'] = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (dated !== undefined) url.searchParams.set('api-version', dated);
    const headers = new Headers(init?.headers);
    headers.delete('authorization');
    headers.set('api-key', apiKey);
    return access.fetch(url, { ...init, headers });
  };
  const baseURL = dated === undefined ? `${root}/openai/v1` : `${root}/openai/deployments/${encodeURIComponent(id)}`;
  const provider = createOpenAI({ apiKey, baseURL, fetch: withLearnedParameters(send) });
  return fromAiSdk({
    ...facts,
    facts: { provider: 'azure', title: 'Azure OpenAI', model: id, keySetting, addressSetting },
    model: dated === undefined ? provider.responses(id) : provider.chat(id),
    settings: ({ json }) => ({
      providerOptions: {
        openai: { store: false, strictJsonSchema: json !== undefined && isStrictSchema(json.schema) },
      },
    }),
  });
}
