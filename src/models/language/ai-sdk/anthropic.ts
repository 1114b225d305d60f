// Anthropic by its Messages API. Invariant: neither key nor address is taken from the environment by the SDK.
import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModel } from '../language-model.ts';
import { fromAiSdk, type ModelFacts, type ProviderAccess } from './ai-sdk.ts';

export function anthropicModel(id: string, access: ProviderAccess, facts: ModelFacts = {}): LanguageModel {
  const { apiKey, address, fetch, keySetting, addressSetting } = access;
  return fromAiSdk({
    ...facts,
    facts: { provider: 'anthropic', title: 'Anthropic', model: id, keySetting, addressSetting },
    model: createAnthropic({ apiKey, baseURL: address, fetch }).languageModel(id),
    settings: () => ({}),
  });
}
