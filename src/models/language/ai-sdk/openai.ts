// OpenAI by its Responses API. Invariant: nothing is stored there (`store: false`), and neither key nor address is ever taken
// from the environment by the SDK.
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModel } from '../language-model.ts';
import { withLearnedParameters } from '../learned-parameters.ts';
import { fromAiSdk, isStrictSchema, type ModelFacts, type ProviderAccess } from './ai-sdk.ts';
import { fileSearchTools, includedResults } from './file-search.ts';

export function openaiModel(id: string, access: ProviderAccess, facts: ModelFacts = {}): LanguageModel {
  const { apiKey, address, fetch, keySetting, addressSetting } = access;
  return fromAiSdk({
    ...facts,
    facts: { provider: 'openai', title: 'OpenAI', model: id, keySetting, addressSetting },
    model: createOpenAI({ apiKey, baseURL: address, fetch: withLearnedParameters(fetch) }).responses(id),
    settings: ({ json, fileSearch }) => ({
      providerOptions: {
        openai: {
          store: false,
          strictJsonSchema: json !== undefined && isStrictSchema(json.schema),
          ...(fileSearch && { include: [includedResults] }),
        },
      },
      ...(fileSearch && fileSearchTools(fileSearch)),
    }),
  });
}
