// What a request asked of the store and of models is in its trace as often as it was asked: the ports themselves are the referees, counting
// what reached them. The vectors that came back are there to the bit, so that a replay has them.
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnswerCache } from '../../../src/agent/answer-cache/answer-cache.ts';
import { createRunner } from '../../../src/agent/run.ts';
import { randomIds, systemClock } from '../../../src/core/ids.ts';
import type { SearchOptions } from '../../../src/core/search.ts';
import type { TenantRecord } from '../../../src/db/tenant-record.ts';
import { createArchives } from '../../../src/footnote/keeping/archives.ts';
import { archivesIn } from '../../../src/footnote/parts/sqlite-parts.ts';
import { createSpanReader } from '../../../src/footnote/record/span-reader.ts';
import { createRequestPorts } from '../../../src/footnote/requests/request-ports.ts';
import { type OpenWorkspace, workspaceOf } from '../../../src/footnote/sources/workspace.ts';
import { noMeaning } from '../../../src/memory/facts/fitted/meaning.ts';
import type { RequestMemory } from '../../../src/memory/facts/for-requests.ts';
import { readMessage } from '../../../src/memory/facts/statements/statements.ts';
import { createSessions } from '../../../src/memory/sessions.ts';
import type { FixedModel, Semantics } from '../../../src/models/embedding/semantics.ts';
import { createSpendingLedger } from '../../../src/models/money/spending-ledger.ts';
import { toRanking } from '../../../src/models/rerank/ranking.ts';
import type { EmbeddedStore } from '../../../src/stores/embedded/port.ts';
import type { StoreHit } from '../../../src/stores/store.ts';
import { toTraceText } from '../../../src/trace/recorder.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { createScriptedReranker } from '../../retrieval/scripted-reranker.ts';

const place = recordForEachTest();
const queryVector = Float32Array.of(0.1, 0.25, 1 / 3);

/** What a call was given, as its trace has it: signals are left out, and of these methods what the request itself adds to each call. */
const onlyCounted = /^(?:embedding|reranker|workspace)\.|^record\.spans/u;
const sentOf = (name: string, args: readonly unknown[]): string =>
  onlyCounted.test(name) ? '' : (toTraceText(args.filter((argument) => !(argument instanceof AbortSignal))) ?? '');

/** The same port; `counts` says how often each of its methods was called, and with what. */
function counted<Port extends object>(name: string, port: Port, counts: Map<string, number>): Port {
  return new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const called = `${name}.${String(property)}`;
        const key = `${called} ${sentOf(called, args)}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return Reflect.apply(member, target, args);
      };
    },
  });
}

/** The ports that are proxied here; providers and services have referees of their own (every-call, every-role and every-provider). */
const every = [
  'answer-cache',
  'archive',
  'embedding',
  'feedback',
  'memories',
  'record.documents',
  'record.sources',
  'record.spans',
  'reranker',
  'semantics',
  'sessions',
  'store.embedded',
  'workspace',
] as const;
const ports = new RegExp(`^(?:${every.map((name) => name.replace('.', '[.]')).join('|')})$`, 'u');

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
    (chunkId, at): StoreHit => ({
      chunkId,
      documentId: chunkId.replace(/:.*/u, ''),
      score: 9 - at,
      scores: {},
      rank: at + 1,
    }),
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
  const memory = counted(
    'memories',
    { recall: async () => [], answersTo: async () => [] } satisfies Partial<RequestMemory>,
    counts,
  );
  const kept: Pick<AnswerCache, 'find'> = counted('answer-cache', { find: async () => undefined }, counts);
  const archives = createArchives({
    records: archivesIn(place.record),
    parsers: {} as never,
    folder: place.folder,
    clock: systemClock,
    ids: randomIds,
  });
  const { recent, turns, ...sessions } = createSessions(record, systemClock, randomIds);
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
      feedback: counted('feedback', { shares: async () => [] }, counts),
      feedbackWeight: 0.1,
      past: {
        archive: counted('archive', archives.of(scopeOf()).archive, counts),
        limits: { maxHydrations: 5, maxTokens: 2_000, turnMaxTokens: 500 },
        urlOf: ({ turn_id }) => `/${turn_id}`,
      },
      openWorkspace: async (files, request) => ({
        ...(await counted('workspace', { open: readFiles }, counts).open(files, request)),
        search: counted('workspace', { search: async () => ({ hits: [], reach: 0 }) }, counts),
      }),
    }),
    openBudget: () => ledger.budgetFor({ scope: scopeOf() }),
    sessions: { ...sessions, ...counted('sessions', { recent, turns }, counts) },
    answerCache: { ...kept, put: async () => undefined },
    memoryOf: () => ({
      ...memory,
      read: (message) => readMessage(message, noMeaning),
      countUse: async () => undefined,
      write: async () => undefined,
      urlOf: (id) => `/${id}`,
    }),
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
    const writes = [
      createWrite('The reservoir holds 40,000 cubic metres of water. '.repeat(20), { id: 'd' }),
      createWrite('A pump fills the reservoir with water from the river.', { id: 'e' }),
    ];
    await place.tenant.commit(writes.map((write) => ({ kind: 'put-document', write })));
    chunkIds = writes.flatMap(({ chunks }) => chunks.map(({ id }) => id));
  });

  it.each([
    ['search', 8, ['answer-cache', 'archive', 'memories', 'record.spans', 'sessions', 'workspace']],
    ['ask', 13, ['archive', 'sessions']],
    ['message', 13, ['answer-cache', 'workspace']],
  ] as const)('stand in the trace once a call: %s', async (kind, least, others) => {
    const counts = new Map<string, number>();
    const runner = openRunner(counts, chunkIds);
    const question =
      kind === 'message'
        ? 'What did we say about the water of the reservoir?'
        : 'How much water does the reservoir hold?';
    const asking = {
      search: () => runner.search({ query: question }),
      ask: () => runner.ask({ question, workspace: [{ path: 'a.md', text: 'A pond.' }] }),
      message: () => runner.send('s1', { content: question }),
    };
    const { traceId } = await asking[kind]();
    const trace = await place.tenant.traces.get(traceId);
    const calls = (trace?.events ?? []).flatMap(({ event }) => (event.type === 'call' ? [event.call] : []));
    const told = new Map<string, number>();
    for (const { port, method, request } of calls) {
      const called = `${port}.${method}`;
      const key = `${called} ${sentOf(called, request as unknown[])}`;
      // What is read of a message is read again where it is written down, which no trace holds.
      if (ports.test(port) && !key.startsWith('memories.read ')) told.set(key, (told.get(key) ?? 0) + 1);
    }
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(counts));
    // None of it is in vain: all ports but those that such a request has no use for were asked.
    const portsOf = (name: string): string => name.replace(/\.[^. ]+ .*$/u, '');
    expect([...new Set([...counts.keys()].map(portsOf))].toSorted()).toEqual(
      every.filter((port) => !others.some((other) => other === port)),
    );
    expect(counts.size).toBeGreaterThanOrEqual(least);
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
        here: { retrieve: () => Promise.reject(new Error('Nobody asks a question about the question.')) },
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
