// A fake of rerank services on 127.0.0.1, and our real adapter in front of it. It checks what it is asked as the services it stands
// for do (Cohere: HTTP 422 for a field that it does not know; Text Embeddings Inference: at most 32 texts), and scores a text by the
// share of the query's words that it holds, unless a reply is planned.
import { createCircuit } from '../../src/models/calls/circuit.ts';
import type { RerankModel } from '../../src/models/rerank/rerank-model.ts';
import { createHttpReranker, type HttpRerankerOptions } from '../../src/models/rerank/rerank-over-http.ts';
import { openEgress } from '../../src/net/egress.ts';
import { type FakeServer, openFakeServer, type SeenRequest, type Wire } from '../../src/testing/fake-http.ts';

export interface FakeReranker {
  readonly server: FakeServer;
  readonly model: RerankModel;
  /** What was waited between attempts, in milliseconds. */
  readonly waits: readonly number[];
  close(): Promise<void>;
}

const json = (value: unknown, status = 200): Wire => ({
  status,
  headers: { 'content-type': 'application/json' },
  chunks: [JSON.stringify(value)],
});

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/gu) ?? [];

/** Share of the words of a query that a text holds. */
export function overlapOf(query: string, text: string): number {
  const held = new Set(wordsOf(text));
  const wanted = wordsOf(query);
  return wanted.length === 0 ? 0 : wanted.filter((word) => held.has(word)).length / wanted.length;
}

const best = <T>(scored: readonly T[], scoreOf: (one: T) => number): T[] =>
  [...scored].sort((a, b) => scoreOf(b) - scoreOf(a));

/** As Cohere v2 answers, which vLLM, Jina and the others follow. */
export function standardReply({ body }: SeenRequest): Wire {
  const unknown = Object.keys(body).find(
    (key) => !['model', 'query', 'documents', 'top_n', 'max_tokens_per_doc'].includes(key),
  );
  if (unknown !== undefined)
    return json({ message: `unknown field: parameter '${unknown}' is not a valid field` }, 422);
  const { query, documents, top_n: top } = body as { query: string; documents: string[]; top_n: number };
  const scored = documents.map((text, index) => ({ index, relevance_score: overlapOf(query, text) }));
  return json({
    id: 'rerank-1',
    model: body['model'],
    results: best(scored, ({ relevance_score: score }) => score).slice(0, top),
    usage: { total_tokens: 12 * documents.length },
  });
}

/** As Text Embeddings Inference answers. */
export function teiReply({ body }: SeenRequest): Wire {
  const { query, texts } = body as { query: string; texts?: string[] };
  if (texts === undefined) return json({ error: 'missing field `texts`', error_type: 'Validation' }, 422);
  if (texts.length > 32)
    return json({ error: `batch size ${texts.length} > maximum allowed batch size 32`, error_type: 'Validation' }, 422);
  const scored = texts.map((text, index) => ({ index, score: overlapOf(query, text) }));
  return json(best(scored, ({ score }) => score));
}

/** Results as they are given, in the standard form. */
export const planned = (results: unknown): Wire => json({ results });

export async function openFakeReranker(
  answer: (request: SeenRequest, index: number) => Wire = standardReply,
  options: Partial<HttpRerankerOptions> & { readonly path?: string } = {},
): Promise<FakeReranker> {
  let count = 0;
  const server = await openFakeServer((request) => answer(request, count++));
  const egress = openEgress({ addresses: [server.address] });
  const waits: number[] = [];
  // A clock that only waiting moves.
  let waitedMs = 0;
  const elapsedMs = (): number => waitedMs;
  const { path = '/v1', ...others } = options;
  const model = createHttpReranker({
    model: 'tiny-reranker',
    address: `${server.address}${path}`,
    apiKey: 'secret-key',
    fetch: egress.fetch,
    circuit: createCircuit({ elapsedMs }),
    random: () => 0.5,
    wait: async (ms) => {
      waits.push(ms);
      waitedMs += ms;
    },
    elapsedMs,
    ...others,
  });
  return {
    server,
    model,
    waits,
    async close() {
      egress.close();
      await server.close();
    },
  };
}
