// A fake of each provider on 127.0.0.1, and our real adapter in front of it: tests speak through the SDK and a socket.
// Invariant: a request beyond the replies that were planned is answered with HTTP 500 and reported by `assertAllUsed`.

import { anthropicModel } from '../../src/models/language/ai-sdk/anthropic.ts';
import { azureModel } from '../../src/models/language/ai-sdk/azure.ts';
import { compatibleModel } from '../../src/models/language/ai-sdk/compatible.ts';
import { openaiModel } from '../../src/models/language/ai-sdk/openai.ts';
import type { LanguageModel } from '../../src/models/language/language-model.ts';
import { openEgress } from '../../src/net/egress.ts';
import { type FakeServer, openFakeServer, type SeenRequest } from '../../src/testing/fake-http.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { renderResponses } from '../../src/testing/openai-responses.ts';
import { renderAnthropic } from '../../testkit/models/anthropic-messages.ts';

export const fakeProviders = ['openai', 'azure', 'azure-dated', 'anthropic', 'compatible'] as const;
export type FakeProviderName = (typeof fakeProviders)[number];

export interface FakeProvider {
  readonly server: FakeServer;
  readonly model: LanguageModel;
  /** Throws if more or fewer requests came than were planned. */
  assertAllUsed(): void;
  close(): Promise<void>;
}

export interface FakeProviderOptions {
  readonly apiKey?: string;
  readonly maxResponseBytes?: number;
}

const render = {
  openai: renderResponses,
  azure: renderResponses,
  'azure-dated': renderChat,
  anthropic: renderAnthropic,
  compatible: renderChat,
} as const;

export async function openFakeProvider(
  name: FakeProviderName,
  replies: readonly FakeReply[] | ((request: SeenRequest, index: number) => FakeReply),
  { apiKey = 'test-key', maxResponseBytes }: FakeProviderOptions = {},
): Promise<FakeProvider> {
  let count = 0;
  const server = await openFakeServer((request) => {
    const index = count++;
    const reply = typeof replies === 'function' ? replies(request, index) : replies[index];
    return render[name](reply ?? { error: { status: 500, message: 'No reply was planned.' } }, request);
  });
  const egress = openEgress({
    addresses: [server.address],
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
  });
  const access = {
    apiKey,
    fetch: egress.fetch,
    keySetting:
      name === 'anthropic' ? 'ANTHROPIC_API_KEY' : name.startsWith('azure') ? 'AZURE_OPENAI_API_KEY' : 'OPENAI_API_KEY',
    addressSetting: name.startsWith('azure') ? 'AZURE_OPENAI_ENDPOINT' : 'OPENAI_BASE_URL',
  };
  const model = {
    openai: () => openaiModel('gpt-5.2', { ...access, address: `${server.address}/v1` }),
    azure: () => azureModel('my-deployment', { ...access, address: server.address }),
    'azure-dated': () => azureModel('my-deployment', { ...access, address: server.address, apiVersion: '2024-10-21' }),
    anthropic: () => anthropicModel('claude-sonnet-4-5', { ...access, address: `${server.address}/v1` }),
    compatible: () => compatibleModel('qwen3:8b', { ...access, address: `${server.address}/v1` }),
  }[name]();
  return {
    server,
    model,
    assertAllUsed() {
      if (typeof replies !== 'function' && count !== replies.length)
        throw new Error(`${count} requests came, ${replies.length} were planned`);
    },
    async close() {
      egress.close();
      await server.close();
    },
  };
}
