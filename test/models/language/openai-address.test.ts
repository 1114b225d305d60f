// OPENAI_BASE_URL with OpenAI's own address is OpenAI: its Responses API, its default model, its embeddings; any other address is not.
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { modelSettingsOf } from '../../../src/footnote/roles/language-models.ts';
import { roleTable } from '../../../src/footnote/roles/role-table.ts';
import { accessOf } from '../../../src/models/embedding/access.ts';
import { openaiAddressOf } from '../../../src/models/language/openai-address.ts';
import { resolveModels } from '../../../src/models/open-models.ts';

const own = [
  ['https://api.openai.com', 'https://api.openai.com/v1'],
  ['https://api.openai.com/', 'https://api.openai.com/v1'],
  ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
  ['https://api.openai.com/v1/', 'https://api.openai.com/v1'],
  ['https://API.OpenAI.com:443/v1', 'https://api.openai.com/v1'],
  ['https://api.openai.com./v1', 'https://api.openai.com/v1'],
  ['http://api.openai.com/v1', 'https://api.openai.com/v1'],
  ['https://us.api.openai.com/v1', 'https://us.api.openai.com/v1'],
  ['https://eu.api.openai.com', 'https://eu.api.openai.com/v1'],
];
const foreign = [
  'http://127.0.0.1:11434/v1',
  'https://api.openai.com:8443/v1',
  'https://api.openai.com.evil.example/v1',
  'https://evil-api.openai.com.example/v1',
  'https://notapi.openai.community/v1',
  'https://my-resource.openai.azure.com/openai/v1',
  'https://user:word@gateway.example/api.openai.com/v1',
  'https://xapi.openai.com/v1',
  'https://a.b.api.openai.com/v1',
];

const configOf = (environment: Record<string, string>) =>
  loadConfig({ folder: import.meta.dirname, environment: { OPENAI_API_KEY: 'k', ...environment } });

describe('the address of OpenAI', () => {
  it.each(own)('%s is its own', (address, called) => {
    expect(openaiAddressOf(address)).toBe(called);
    const config = configOf({ OPENAI_BASE_URL: address });
    const settings = modelSettingsOf(config);
    expect(settings.openai).toEqual({ apiKey: 'k', address: called });
    const { roles } = resolveModels(settings);
    expect(roles.answer).toEqual({ models: [{ provider: 'openai', model: 'gpt-5.2' }], from: 'default' });
    expect(roleTable(config).find(({ role }) => role === 'answer')?.from).toBe('default, for OPENAI_API_KEY');
    // A name without a provider is OpenAI's, and whoever wrote `compatible:` means the same place.
    const named = modelSettingsOf(configOf({ OPENAI_BASE_URL: address, MODEL_ANSWER: 'my-tuned, compatible:gpt-5.2' }));
    expect(resolveModels(named).roles.answer.models).toEqual([
      { provider: 'openai', model: 'my-tuned' },
      { provider: 'compatible', model: 'gpt-5.2' },
    ]);
    expect(named.compatible).toEqual({ address: called, apiKey: 'k' });
    const embedding = accessOf(settings, { provider: 'openai', model: 'text-embedding-3-small' });
    expect([embedding.url, embedding.facts.title]).toEqual([`${called}/embeddings`, 'OpenAI']);
  });

  it.each(foreign)('%s is not', (address) => {
    expect(openaiAddressOf(address)).toBeUndefined();
    const settings = modelSettingsOf(configOf({ OPENAI_BASE_URL: address }));
    expect(settings.openai).toBeUndefined();
    expect(settings.compatible).toEqual({ address, apiKey: 'k' });
  });
});
