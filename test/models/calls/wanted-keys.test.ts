// A server that wants a key is told apart from one that refused the key, for every kind of model that may be called without one.
import { afterEach, describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { createCircuit } from '../../../src/models/calls/circuit.ts';
import { openProviderEmbeddings } from '../../../src/models/embedding/provider-embeddings.ts';
import { openModels } from '../../../src/models/open-models.ts';
import { createHttpReranker } from '../../../src/models/rerank/rerank-over-http.ts';
import { openEgress } from '../../../src/net/egress.ts';
import { openFakeServer } from '../../../src/testing/fake-http.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Ask = (address: string, apiKey?: string) => Promise<unknown>;
const keyed = (apiKey: string | undefined) => (apiKey === undefined ? {} : { apiKey });
const kinds: Readonly<Record<string, { setting: string; ask: Ask }>> = {
  'a language model': {
    setting: 'OPENAI_API_KEY',
    async ask(address, apiKey) {
      const { models, close } = await openModels({
        roles: { answer: 'compatible:writer' },
        compatible: { address: `${address}/v1`, ...keyed(apiKey) },
      });
      closers.push(close);
      const request = { messages: [{ role: 'user' as const, content: 'Hello' }], maxOutputTokens: 10 };
      return models.of('answer')?.generate(request, { deadline: createDeadline(10_000) });
    },
  },
  'an embedding model': {
    setting: 'OPENAI_API_KEY',
    ask: (address, apiKey) =>
      openProviderEmbeddings(
        { roles: {}, compatible: { address: `${address}/v1`, ...keyed(apiKey) } },
        { provider: 'compatible', model: 'vectors' },
      ),
  },
  'a rerank service': {
    setting: 'RERANK_API_KEY',
    ask(address, apiKey) {
      const egress = openEgress({ addresses: [address] });
      closers.push(egress.close);
      const circuit = createCircuit({ elapsedMs: () => performance.now() });
      const model = createHttpReranker({ model: 'ranker', address, apiKey, fetch: egress.fetch, circuit });
      return model.rerank({ query: 'a', texts: ['b', 'c'] }, { deadline: createDeadline(10_000) });
    },
  },
};

const table = Object.keys(kinds).flatMap((kind) => [401, 403].map((status) => ({ kind, status })));

describe('a server that does not serve without a key', () => {
  it.each(table)(
    '$kind, HTTP $status: wants one where none is set, and refused the one that is',
    async ({ kind, status }) => {
      const server = await openFakeServer(() => ({
        status,
        headers: { 'content-type': 'application/json' },
        chunks: ['{"error": {"message": "no"}}'],
      }));
      closers.push(() => server.close());
      const { ask, setting } = kinds[kind]!;
      const tell = async (apiKey?: string): Promise<string> => {
        const error = await ask(server.address, apiKey).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error).toMatchObject({ code: 'config-invalid', details: { status } });
        return (error as Error).message;
      };
      const without = await tell();
      expect(without).toMatch(status === 401 ? /wants a key, and none is set/u : /without a key, and none is set/u);
      expect(without).not.toMatch(/refused|valid|another/u);
      expect(without).toContain(setting);
      const refused = await tell('key-that-is-set');
      expect(refused).toMatch(status === 401 ? /refused the key .*valid key/u : /The key of .* may not/u);
      expect(refused).not.toContain('none is set');
    },
  );
});
