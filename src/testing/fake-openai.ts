// OpenAI on 127.0.0.1, as itself (Responses, chat completions, embeddings, models) and as Azure hosts it (the v1 surface, and dated
// deployments). The shapes are checked against OpenAI's specification in test/testing/openai-shapes.test.ts.
import { defined } from '../core/values/defined.ts';
import type { SeenRequest, Wire } from './fake-http.ts';
import {
  type FakeProviderServer,
  type FakeRoute,
  type FakeScript,
  openFakeProviderServer,
} from './fake-provider-server.ts';
import { createdAt } from './fake-reply.ts';
import { renderChat } from './openai-chat.ts';
import { type FakeEmbedding, renderEmbeddings } from './openai-embeddings.ts';
import { renderResponses } from './openai-responses.ts';

export interface FakeOpenAIOptions {
  /** The only key that is taken. */
  readonly apiKey?: string;
  /** What calls for embeddings are answered with: vectors from the words of the texts, unless told. */
  readonly embeddings?: (request: SeenRequest) => FakeEmbedding;
  /** Of vectors, where a request does not say. */
  readonly dimensions?: number;
  /** Names in its list of models, with the context that it tells of each (as vLLM does). */
  readonly models?: Readonly<Record<string, number | undefined>>;
}

function routesOf({
  embeddings = () => ({}),
  dimensions = 256,
  models = { fake: undefined },
}: FakeOpenAIOptions): FakeRoute[] {
  const list = {
    object: 'list',
    data: Object.entries(models).map(([id, max_model_len]) =>
      defined({ id, object: 'model', created: createdAt, owned_by: 'fake', max_model_len }),
    ),
  };
  const listed: Wire = { headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(list)] };
  return [
    { method: 'GET', path: /\/models$/u, answer: () => listed },
    {
      method: 'POST',
      path: /\/embeddings$/u,
      answer: (request) => renderEmbeddings(embeddings(request), request, dimensions),
    },
  ];
}

const forms = [
  [/\/responses$/u, renderResponses],
  [/\/chat\/completions$/u, renderChat],
] as const;

/** Footnote speaks chat completions to it, as to any address of one's own (`OPENAI_BASE_URL`); other clients may speak Responses. */
export function startFakeOpenAI(script: FakeScript, options: FakeOpenAIOptions = {}): Promise<FakeProviderServer> {
  const { apiKey = 'fake-key-of-openai' } = options;
  return openFakeProviderServer(script, {
    name: 'Fake OpenAI',
    root: '/v1',
    apiKey,
    keyOf: ({ authorization }) => /^Bearer (.+)$/u.exec(authorization ?? '')?.[1],
    render: forms,
    routes: routesOf(options),
    environment: (address) => ({
      OPENAI_BASE_URL: address,
      OPENAI_API_KEY: apiKey,
      MODEL_ANSWER: `compatible:${Object.keys(options.models ?? {})[0] ?? 'fake'}`,
    }),
  });
}

/** Takes its key as `api-key` only, at `/openai/v1/…` and `/openai/deployments/<name>/…?api-version=`. */
export function startFakeAzure(script: FakeScript, options: FakeOpenAIOptions = {}): Promise<FakeProviderServer> {
  const { apiKey = 'fake-key-of-azure' } = options;
  const place = '^/openai/(v1|deployments/[^/]+)';
  return openFakeProviderServer(script, {
    name: 'Fake Azure OpenAI',
    root: '',
    apiKey,
    keyOf: (headers) => (typeof headers['api-key'] === 'string' ? headers['api-key'] : undefined),
    render: forms.map(([path, render]) => [new RegExp(`${place}${path.source}`, 'u'), render] as const),
    routes: routesOf(options).map((route) => ({ ...route, path: new RegExp(`${place}${route.path.source}`, 'u') })),
    environment: (address) => ({
      AZURE_OPENAI_ENDPOINT: address,
      AZURE_OPENAI_API_KEY: apiKey,
      AZURE_OPENAI_DEPLOYMENT: 'fake',
    }),
  });
}
