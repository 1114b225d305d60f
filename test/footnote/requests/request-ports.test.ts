// What a request asked of the store and of models is in its trace as often as it was asked: the ports themselves are the referees, counting
// what reached them. The vectors that came back are there to the bit, so that a replay has them.
import { beforeEach, describe, expect, it } from 'vitest';
import { createRunner } from '../../../src/agent/run.ts';
import { randomIds, systemClock } from '../../../src/core/ids.ts';
import type { SearchOptions } from '../../../src/core/search.ts';
import type { TenantRecord } from '../../../src/db/record.ts';
import { createSpanReader } from '../../../src/footnote/record/span-reader.ts';
import { createRequestPorts } from '../../../src/footnote/requests/request-ports.ts';
import { type OpenWorkspace, workspaceOf } from '../../../src/footnote/sources/workspace.ts';
import { createSessions } from '../../../src/memory/sessions.ts';
import type { FixedModel, Semantics } from '../../../src/models/embedding/semantics.ts';
import { createSpendingLedger } from '../../../src/models/money/spending-ledger.ts';
import { toRanking } from '../../../src/models/rerank/rerank-model.ts';
import type { EmbeddedStore } from '../../../src/stores/embedded/port.ts';
import type { StoreHit } from '../../../src/stores/store.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { createScriptedReranker } from '../../retrieval/scripted-reranker.ts';

const place = recordForEachTest();
const queryVector = Float32Array.of(0.1, 0.25, 1 / 3);

/** The same port; `counts` says how often each of its methods was called. */
function counted<Port extends object>(name: string, port: Port, counts: Map<string, number>): Port {
  return new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const key = `${name}.${String(property)}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return Reflect.apply(member, target, args);
      };
    },
  });
}

const readFiles: OpenWorkspace = async () => workspaceOf([]);

function openRunner(counts: Map<string, number>, chunkIds: readonly string[]) {
  const record: TenantRecord = {
    ...place.tenant,
    documents: counted('record.documents', place.tenant.documents, counts),
    sources: counted('record.sources', place.tenant.sources, counts),
  };
  // What a span is read from is the reader's own business.
  const spans = counted('record.spans', { readSpan: createSpanReader(place.tenant) }, counts);
  const hits = chunkIds.map(
    (chunkId, at): StoreHit => ({ chunkId, documentId: 'd', score: 9 - at, scores: {}, rank: at + 1 }),
  );
  const store = counted(
    'store.embedded',
    {
      name: 'embedded',
      search: async () => ({ hits, degraded: [] }),
      statistics: async () => ({ chunks: 2, frequencies: {}, languages: [] }),
    } as unknown as EmbeddedStore,
    counts,
  );
  const embedding = counted(
    'embedding',
    { id: 'm', kind: 'fixed', dimensions: 3, metric: 'cosine', embed: async () => [queryVector] } as FixedModel,
    counts,
  );
  const ready = { ready: true as const, model: embedding, space: 'm', learnedFrom: 0 };
  const semantics: Semantics = counted('semantics', { current: async () => ready }, counts);
  const reranker = createScriptedReranker(({ texts }) => ({
    ranking: toRanking(new Map(texts.map((_, at) => [at, 1 - at / 10])), texts.length),
    model: 'scripted:script',
    attempts: [],
  }));
  const ledger = createSpendingLedger({
    limits: { request: {}, session: {}, keyDay: {}, day: {} },
    clock: systemClock,
    repositoryOf: () => record.spending,
  });
  const spanUrl = (id: string): string => `/${id}`;
  return createRunner({
    scope: scopeOf(),
    record,
    openPorts: createRequestPorts({
      record,
      embedded: store,
      semantics,
      fusion: { method: 'min-max', semanticWeight: undefined, rankConstant: 60 },
      expansion: ['acronyms'],
      reranking: { model: counted('reranker', reranker, counts), topK: 10, timeoutMs: 60_000, threshold: 0 },
      spanUrl,
      readSpan: spans.readSpan,
      openWorkspace: async (files, request) => ({
        ...(await counted('workspace', { open: readFiles }, counts).open(files, request)),
        search: counted('workspace', { search: async () => ({ hits: [], reach: 0 }) }, counts),
      }),
    }),
    openBudget: () => ledger.budgetFor({ scope: scopeOf() }),
    sessions: createSessions(record, systemClock, randomIds),
    clock: systemClock,
    ids: randomIds,
    defaultMode: 'hybrid',
    contextTokens: 2_000,
    timeoutMs: 60_000,
    spanUrl,
  });
}

describe('the ports of a request', () => {
  let chunkIds: readonly string[];
  beforeEach(async () => {
    const write = createWrite('The reservoir holds 40,000 cubic metres of water. '.repeat(20), { id: 'd' });
    await place.tenant.commit([{ kind: 'put-document', write }]);
    chunkIds = write.chunks.map(({ id }) => id);
  });

  it.each(['search', 'ask'] as const)('stand in the trace once a call: %s', async (kind) => {
    const counts = new Map<string, number>();
    const runner = openRunner(counts, chunkIds);
    const question = 'How much water does the reservoir hold?';
    const { traceId } =
      kind === 'ask'
        ? await runner.ask({ question, workspace: [{ path: 'a.md', text: 'A pond.' }] })
        : await runner.search({ query: question });
    const trace = await place.tenant.traces.get(traceId);
    const calls = (trace?.events ?? []).flatMap(({ event }) => (event.type === 'call' ? [event.call] : []));
    const told = new Map<string, number>();
    for (const { port, method } of calls) told.set(`${port}.${method}`, (told.get(`${port}.${method}`) ?? 0) + 1);
    expect(counts.size).toBeGreaterThanOrEqual(kind === 'ask' ? 10 : 7);
    expect(Object.fromEntries([...told].filter(([name]) => counts.has(name)))).toEqual(Object.fromEntries(counts));
    const [embedded] = calls.filter(({ port }) => port === 'embedding');
    expect(embedded).toMatchObject({ method: 'embed', request: [[question], { kind: 'query' }] });
    const came = embedded?.response as readonly { readonly float32: string }[] | undefined;
    const bytes = Buffer.from(came?.[0]?.float32 ?? '', 'base64');
    expect(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)).toEqual(queryVector);
    expect(JSON.stringify(embedded).length).toBeLessThan(300);
  });

  it('are told every option of a request, whichever it is', async () => {
    const asked: unknown[] = [];
    const options: Required<SearchOptions> = {
      mode: 'embedded',
      sources: ['notes'],
      topK: 3,
      minScore: 0.25,
      filter: { op: 'eq', field: 'language', value: 'en' },
    };
    const runner = createRunner({
      scope: scopeOf(),
      record: place.tenant,
      openPorts: async () => ({
        retriever: {
          async retrieve(request) {
            asked.push(request);
            return { evidence: [], routing: { sources: [], reason: '' }, degraded: [] };
          },
        },
        readSpan: async () => undefined,
        staysHere: false,
      }),
      openBudget: () =>
        createSpendingLedger({
          limits: { request: {}, session: {}, keyDay: {}, day: {} },
          clock: systemClock,
          repositoryOf: () => place.tenant.spending,
        }).budgetFor({ scope: scopeOf() }),
      sessions: createSessions(place.tenant, systemClock, randomIds),
      clock: systemClock,
      ids: randomIds,
      defaultMode: 'hybrid',
      contextTokens: 2_000,
      timeoutMs: 60_000,
      spanUrl: () => '/',
    });
    await runner.search({ query: 'reservoir', ...options });
    await runner.ask({ question: 'What is the reservoir?', ...options });
    expect(asked).toEqual([
      { query: 'reservoir', ...options },
      { query: 'What is the reservoir?', ...options, isForAnswer: true },
    ]);
  });
});
