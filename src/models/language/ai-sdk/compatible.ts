// Any server that speaks OpenAI's chat completions: Ollama, vLLM, llama.cpp, gateways. Invariant: it is called without a key
// where none is set, and asked for its usage, which many leave out otherwise.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from '../language-model.ts';
import { withLearnedParameters } from '../learned-parameters.ts';
import { fromAiSdk, isStrictSchema, type ModelFacts, type ProviderAccess } from './ai-sdk.ts';

export interface CompatibleAccess extends Omit<ProviderAccess, 'apiKey'> {
  readonly apiKey?: string;
  /** As results and prices name it. Default: `compatible`. */
  readonly provider?: string;
  /** The server takes no JSON Schema (`response_format: json_object` is asked of it instead). */
  readonly lacksSchemas?: boolean;
}

export function compatibleModel(id: string, access: CompatibleAccess, facts: ModelFacts = {}): LanguageModel {
  const { apiKey, address, fetch, keySetting, addressSetting, provider = 'compatible', lacksSchemas = false } = access;
  const title = `Model server ${new URL(address).host}`;
  return fromAiSdk({
    ...facts,
    facts: { provider, title, model: id, keySetting, addressSetting, isKeyless: apiKey === undefined },
    model: createOpenAICompatible({
      name: 'compatible',
      baseURL: address,
      ...(apiKey === undefined ? {} : { apiKey }),
      fetch: withLearnedParameters(fetch),
      includeUsage: true,
      supportsStructuredOutputs: !lacksSchemas,
    }).chatModel(id),
    settings: ({ json }) => ({ providerOptions: { compatible: { strictJsonSchema: isStrictSchema(json?.schema) } } }),
  });
}
