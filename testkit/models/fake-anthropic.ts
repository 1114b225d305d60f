// Anthropic on 127.0.0.1: messages, whole and streamed, and the list of models. Its shapes follow docs.anthropic.com ("Messages",
// "Streaming messages", "List models"); there is no specification to check them against.
import { defined } from '../../src/core/values/defined.ts';
import {
  type FakeProviderServer,
  type FakeScript,
  openFakeProviderServer,
} from '../../src/testing/fake-provider-server.ts';
import { renderAnthropic } from './anthropic-messages.ts';

export interface FakeAnthropicOptions {
  /** The only key that is taken. */
  readonly apiKey?: string;
  /** Names in its list of models, with the longest input that it tells of each. */
  readonly models?: Readonly<Record<string, number | undefined>>;
}

/** Takes its key as `x-api-key` only. */
export function startFakeAnthropic(
  script: FakeScript,
  options: FakeAnthropicOptions = {},
): Promise<FakeProviderServer> {
  const { apiKey = 'fake-key-of-anthropic', models = { fake: undefined } } = options;
  const data = Object.entries(models).map(([id, max_input_tokens]) =>
    defined({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z', max_input_tokens }),
  );
  const list = { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  return openFakeProviderServer(script, {
    name: 'Fake Anthropic',
    root: '/v1',
    apiKey,
    keyOf: (headers) => (typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : undefined),
    render: [[/^\/v1\/messages$/u, renderAnthropic]],
    routes: [
      {
        method: 'GET',
        path: /^\/v1\/models$/u,
        answer: () => ({ headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(list)] }),
      },
    ],
    environment: () => ({ ANTHROPIC_API_KEY: apiKey, MODEL_ANSWER: `anthropic:${data[0]?.id ?? 'fake'}` }),
  });
}
