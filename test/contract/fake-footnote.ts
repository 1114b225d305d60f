// A small real implementation of the facade in memory: documents are kept, searched by substring and cited by exact span,
// so that contract tests exercise the door and not a mock. Ingestions and slow answers are driven by the test.

import type { Answer, AskRequest } from '../../src/core/answer.ts';
import type { Session, Turn } from '../../src/core/conversation.ts';
import type { Chunk, Delivery, DocumentRecord, Page, Source } from '../../src/core/document.ts';
import type { Ingestion, IngestionFile } from '../../src/core/documents/runs.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { chunkIdOf, documentIdOf, sha256 } from '../../src/core/ids.ts';
import { mayRead, type Scope } from '../../src/core/scope.ts';
import type { Evidence } from '../../src/core/search.ts';
import type { SavedTrace } from '../../src/core/trace-file.ts';
import type { PageOf, PageRequest } from '../../src/db/repositories/page.ts';
import type { AddDocument, AddedDocument, CallOptions, Footnote, Health } from '../../src/footnote/facade.ts';
import { boxesOf } from '../../src/footnote/record/document-boxes.ts';
import { bytesIn } from '../../src/footnote/record/text-range.ts';
import { checkReport } from '../../src/footnote/report/check-report.ts';
import type { HttpKeys, IdempotencyPort } from '../../src/http/wire/http-types.ts';
import { fakeAnalyse } from './fake-analyses.ts';
import { fakeConversations } from './fake-conversations.ts';
import { fakeEvals } from './fake-evals.ts';
import { fakeFeedback } from './fake-feedback.ts';
import { fakeIdempotency } from './fake-idempotency.ts';
import { createFakeMemories } from './fake-memories.ts';
import { fakeStores } from './fake-stores.ts';
import { createFakeTraces } from './fake-traces.ts';

type Preview = Awaited<ReturnType<Footnote['sources']['preview']>>;

const at = '2026-11-21T12:00:00.000Z';

interface Kept {
  record: DocumentRecord;
  text: string;
  pages: Page[];
  bytes: Uint8Array;
}

interface Tenant {
  documents: Map<string, Kept>;
  sources: Map<string, Source>;
  sessions: Map<string, { session: Session; turns: Turn[] }>;
  answers: Map<string, Answer>;
  traces: Map<string, SavedTrace>;
  ingestions: Map<string, { ingestion: Ingestion; files: IngestionFile[]; wake: () => void }>;
}

export interface FakeSystem {
  forScope(scope: Scope): Footnote;
  health(): Promise<Health>;
  readonly keys: HttpKeys;
  idempotency(scope: Scope): IdempotencyPort;
  /** Changes an ingestion as its run would. */
  advance(id: string, change: Partial<Ingestion>): void;
  /** Replaces how questions are answered, to script failures, long streams and waits. */
  answerWith: ((request: AskRequest, options: CallOptions, honest: () => Answer) => Promise<Answer>) | undefined;
  healthStatus: Health['status'];
  /** Questions that were really asked. */
  readonly asked: string[];
}

const missing = (what: string): FootnoteError => new FootnoteError('not-found', `There is no ${what} with this id.`);

/** What reading these files would bring. */
const previewOf = (source: string, files: Preview['files']): Preview => ({
  source,
  counts: { found: files.length, done: files.length, unchanged: 0, failed: 0, deleted: 0, chunks: files.length },
  bytes: files.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
  tokens: files.length,
  kinds: [],
  files,
  omittedFiles: 0,
  skipped: [],
  omittedSkipped: 0,
  time: { seconds: 1, readingSeconds: 1, chunksPerSecond: 1000, from: 'assumed' },
});

function pageOf<T>(items: readonly T[], { limit = 50, cursor }: PageRequest): PageOf<T> {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from)) throw new FootnoteError('invalid-request', 'The cursor is not one of ours.');
  const data = items.slice(from, from + limit);
  return from + limit < items.length ? { data, nextCursor: String(from + limit) } : { data };
}

export function createFakeSystem(): FakeSystem {
  const tenants = new Map<string, Tenant>();
  const ingestionTenants = new Map<string, Tenant>();
  let serial = 0;
  const nextId = (prefix: string): string => `${prefix}_${++serial}`;

  const tenantOf = (name: string): Tenant => {
    const known = tenants.get(name);
    if (known) return known;
    const created: Tenant = {
      documents: new Map(),
      sources: new Map(),
      sessions: new Map(),
      answers: new Map(),
      traces: new Map(),
      ingestions: new Map(),
    };
    tenants.set(name, created);
    return created;
  };

  const apiKeys: Awaited<ReturnType<HttpKeys['list']>>[number][] = [];
  const system: FakeSystem = {
    keys: {
      async create({ name, role, tenant = 'default', groups = [] }) {
        const key = { id: nextId('key'), name, role, tenant, groups, createdAt: at };
        apiKeys.push(key);
        return { key, secret: `fn_${key.id}` };
      },
      async rotate(id) {
        const key = apiKeys.find((one) => one.id === id && one.revokedAt === undefined);
        return key && { key, secret: `fn_${nextId('rotated')}` };
      },
      list: async () => apiKeys,
      async revoke(id) {
        const index = apiKeys.findIndex((key) => key.id === id && key.revokedAt === undefined);
        const found = apiKeys[index];
        if (!found) return false;
        apiKeys[index] = { ...found, revokedAt: at };
        return true;
      },
    },
    asked: [],
    answerWith: undefined,
    healthStatus: 'ok',
    forScope: (scope) => fakeFootnote(scope, tenantOf(scope.tenant)),
    async health() {
      return {
        status: system.healthStatus,
        version: 'test',
        record: { path: '/secret/place', schemaVersion: 1, sqliteVersion: '3', synchronous: 'FULL' },
        stores: [
          {
            name: 'embedded',
            status: 'ok',
            detail: 'in /secret/place',
            documents: 0,
            chunks: 0,
            coverage: 1,
            modes: [],
          },
        ],
      };
    },
    idempotency: fakeIdempotency(),
    advance(id, change) {
      const entry = ingestionTenants.get(id)?.ingestions.get(id);
      if (!entry) throw missing('ingestion');
      entry.ingestion = { ...entry.ingestion, ...change };
      entry.wake();
    },
  };
  return system;

  function fakeFootnote(scope: Scope, tenant: Tenant): Footnote {
    const readable = (id: string): Kept => {
      const found = tenant.documents.get(id);
      if (!found || !mayRead(scope.principal, found.record.access)) throw missing('document');
      return found;
    };

    async function add(document: AddDocument): Promise<readonly AddedDocument[]> {
      const source = document.source ?? 'uploads';
      const bytes = document.bytes ?? Buffer.from(document.text ?? '');
      if (document.mime === 'application/x-unknown')
        throw new FootnoteError('unsupported-media', `${document.name}: this kind of file cannot be read.`);
      const text = document.text ?? new TextDecoder().decode(bytes);
      const uri = document.uri ?? document.name ?? sha256(text).slice(0, 12);
      const id = documentIdOf(source, uri);
      const before = tenant.documents.get(id);
      const status = !before ? 'created' : before.text === text ? 'unchanged' : 'updated';
      const pages: Page[] = [];
      for (const part of text.split('\f')) {
        const start = pages.at(-1)?.end ?? 0;
        pages.push({ number: pages.length + 1, start, end: start + part.length + 1, width: 600, height: 800 });
      }
      tenant.documents.set(id, {
        record: {
          id,
          source,
          sourceType: document.sourceType ?? 'docs',
          uri,
          title: document.title ?? uri,
          mime: document.mime ?? 'text/plain',
          revision: (before?.record.revision ?? 0) + (status === 'unchanged' ? 0 : 1),
          updatedAt: at,
          contentHash: sha256(bytes),
          textHash: sha256(text),
          textLength: text.length,
          chunkCount: 1,
          metadata: document.metadata ?? {},
          ...(document.access ? { access: document.access } : {}),
          citeByLine: document.mime !== 'application/pdf',
          warnings: [],
        },
        text,
        pages: document.mime === 'application/pdf' ? pages : [],
        bytes,
      });
      if (!tenant.sources.has(source)) tenant.sources.set(source, { name: source, type: 'docs' });
      const deliveries = [{ store: 'embedded', status: 'delivered' as const }];
      return [{ id, uri, status, chunks: 1, warnings: [], deliveries }];
    }

    const deliveryOf = (id: string): Delivery => ({
      documentId: id,
      store: 'embedded',
      status: 'delivered',
      revision: 1,
      attempts: 1,
      updatedAt: at,
    });

    function find(query: string): Evidence[] {
      const words = query
        .toLowerCase()
        .split(/\W+/)
        .filter((word) => word.length > 3);
      return [...tenant.documents.values()]
        .filter(({ record, text }) => {
          return mayRead(scope.principal, record.access) && words.some((word) => text.toLowerCase().includes(word));
        })
        .map(({ record, text }) => ({
          chunkId: chunkIdOf(record.id, record.textHash, { start: 0, end: text.length }),
          documentId: record.id,
          title: record.title,
          uri: record.uri,
          url: `/v1/documents/${record.id}/view?start=0&end=${text.length}`,
          source: record.source,
          sourceType: record.sourceType,
          stores: ['embedded'],
          text,
          start: 0,
          end: text.length,
          headingPath: [],
          score: 1,
          scores: { bm25: 1, fused: 1 },
          ranks: { embedded: 1 },
          alsoIn: [],
          related: [],
        }));
    }

    function honestAnswer(question: string, sessionId?: string): Answer {
      const [best] = find(question);
      const quote = best ? (best.text.split('\n').find((line) => line.trim() !== '') ?? best.text) : '';
      const start = best ? best.text.indexOf(quote) : 0;
      const id = nextId('ans');
      return {
        id,
        ...(sessionId === undefined ? {} : { sessionId, turnId: nextId('trn') }),
        traceId: nextId('trc'),
        mode: 'hybrid',
        intent: 'factual_lookup',
        answer: best ? `${quote} [1]` : 'No document answers this.',
        claims: best ? [{ text: quote, citations: [1], support: 1 }] : [],
        citations: best
          ? [
              {
                index: 1,
                documentId: best.documentId,
                chunkId: best.chunkId,
                title: best.title,
                uri: best.uri,
                url: `/v1/documents/${best.documentId}/view?start=${start}&end=${start + quote.length}`,
                source: best.source,
                quote,
                start,
                end: start + quote.length,
                score: 1,
                alsoIn: [],
              },
            ]
          : [],
        conflicts: [],
        sources: [],
        abstained: !best,
        ...(best ? {} : { abstainReason: 'no-evidence' }),
        ragEnabled: true,
        confidence: best ? 0.9 : 0,
        coverage: best ? 1 : 0,
        routing: { sources: [], reason: 'all' },
        degraded: [
          { component: 'vector', code: 'off', detail: 'Search by meaning is off.', effect: 'Searched by words only.' },
        ],
        usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 1, costUsd: 0 },
        timings: { totalMs: 1 },
      };
    }

    function checkSources(names: readonly string[] = []): void {
      const unknown = names.find((name) => !tenant.sources.has(name));
      if (unknown !== undefined) throw new FootnoteError('not-found', `There is no source "${unknown}".`);
    }

    async function ask(request: AskRequest, options: CallOptions = {}, sessionId?: string): Promise<Answer> {
      system.asked.push(request.question);
      checkSources(request.sources);
      const emit = options.onEvent ?? (() => undefined);
      const honest = (): Answer => honestAnswer(request.question, sessionId);
      const answer = system.answerWith ? await system.answerWith(request, options, honest) : honest();
      emit({ type: 'request', kind: 'ask', body: request, at });
      emit({ type: 'status', stage: 'searching' });
      for (const citation of answer.citations) emit({ type: 'citation', citation });
      for (const claim of answer.claims) emit({ type: 'delta', text: claim.text });
      emit({ type: 'verdict', claim: 'x', support: 1, kept: true, reasons: [] });
      emit({ type: 'done', answer });
      tenant.answers.set(answer.id, answer);
      tenant.traces.set(answer.traceId, {
        trace: { id: answer.traceId, kind: 'ask', startedAt: at, totalMs: 1, eventCount: 2 },
        events: [
          { seq: 1, atMs: 0, event: { type: 'request', kind: 'ask', body: { question: request.question }, at } },
          { seq: 2, atMs: 1, event: { type: 'done', answer } },
        ],
      });
      return answer;
    }

    const ingestionOf = (id: string) => {
      const found = tenant.ingestions.get(id);
      if (!found) throw missing('ingestion');
      return found;
    };
    const sessionOf = (id: string) => {
      const found = tenant.sessions.get(id);
      if (!found) throw missing('session');
      return found;
    };
    const sourceOf = (name: string): Source => {
      const found = tenant.sources.get(name);
      if (!found) throw missing('source');
      return found;
    };
    function createSession(id: string, title?: string): Session {
      const session: Session = {
        id,
        ...(title === undefined ? {} : { title }),
        createdAt: at,
        updatedAt: at,
        turnCount: 0,
      };
      tenant.sessions.set(id, { session, turns: [] });
      return session;
    }
    const startSync = async (name: string): Promise<Ingestion> => {
      sourceOf(name);
      const ingestion: Ingestion = {
        id: nextId('ing'),
        source: name,
        state: 'running',
        startedAt: at,
        counts: { found: 2, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 },
      };
      const files: IngestionFile[] = [
        { uri: 'a.md', state: 'done', documentId: 'doc_a', chunks: 1 },
        { uri: 'b.pdf', state: 'failed', error: { code: 'invalid-media', message: 'b.pdf: encrypted.' } },
      ];
      tenant.ingestions.set(ingestion.id, { ingestion, files, wake: () => undefined });
      ingestionTenants.set(ingestion.id, tenant);
      return ingestion;
    };

    return {
      evals: fakeEvals,
      feedback: fakeFeedback(scope, (id) => tenant.answers.has(id)),
      recommend: async () => [],
      analyse: (request, options) => fakeAnalyse(request, options, ask),
      conversations: fakeConversations,
      documents: {
        add,
        async preview({ source = 'uploads', uri = 'text', text, bytes }) {
          const size = bytes?.byteLength ?? Buffer.byteLength(text ?? '');
          return previewOf(source, [{ uri, state: 'done', change: 'added', chunks: 1, bytes: size }]);
        },
        async get(id) {
          return { ...readable(id).record, deliveries: [deliveryOf(id)], duplicates: [] };
        },
        async list({ filter, ...page }) {
          const bySource = filter?.op === 'eq' && filter.field === 'source' ? filter.value : undefined;
          const records = [...tenant.documents.values()]
            .map(({ record }) => record)
            .filter((record) => mayRead(scope.principal, record.access) && (!bySource || record.source === bySource));
          return pageOf(records, page);
        },
        async delete(id) {
          readable(id);
          tenant.documents.delete(id);
        },
        async text(id, range = {}) {
          const { text } = readable(id);
          const { start = 0, end = text.length } = range;
          return { text: text.slice(start, end), start, end: Math.min(end, text.length) };
        },
        async file(id, range) {
          const { bytes, record } = readable(id);
          const facts = { mime: record.mime, name: record.uri, edition: record.contentHash };
          return { ...bytesIn(bytes, range), ...facts };
        },
        async chunks(id) {
          const { record, text } = readable(id);
          const span = { start: 0, end: text.length };
          const chunk: Chunk = {
            id: chunkIdOf(id, record.textHash, span),
            documentId: id,
            ordinal: 0,
            ...span,
            text,
            hash: sha256(text),
            headingPath: [],
            tokens: 1,
            lines: [1, 1],
          };
          return [chunk];
        },
        async structure(id) {
          return { pages: readable(id).pages, headings: [], words: [] };
        },
        async boxes(id, asked) {
          const { record, pages } = readable(id);
          return boxesOf(record, { pages, headings: [], words: [] }, asked);
        },
      },
      sources: {
        async put(source) {
          tenant.sources.set(source.name, source);
          return source;
        },
        async list() {
          return [...tenant.sources.values()].map((source) => ({ ...source, documents: tenant.documents.size }));
        },
        get: async (name) => sourceOf(name),
        async remove(name) {
          sourceOf(name);
          tenant.sources.delete(name);
          return 0;
        },
        sync: startSync,
        startSync,
        async preview(source, { onProgress } = {}) {
          onProgress?.({
            id: 'preview_1',
            source: source.name,
            state: 'running',
            startedAt: at,
            counts: { found: 1, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 },
          });
          return previewOf(source.name, []);
        },
      },
      ingestions: {
        start: async ({ source = 'uploads' }) => {
          tenant.sources.set(source, { name: source, type: 'docs' });
          return startSync(source);
        },
        get: async (id) => ingestionOf(id).ingestion,
        files: async (id, { state, ...page }) =>
          pageOf(
            ingestionOf(id).files.filter((file) => !state || file.state === state),
            page,
          ),
        list: async (page) =>
          pageOf(
            [...tenant.ingestions.values()].map(({ ingestion }) => ingestion),
            page,
          ),
        parked: async (page) => pageOf([], page),
        async *watch(id, signal) {
          const entry = ingestionOf(id);
          for (;;) {
            const { promise, resolve } = Promise.withResolvers<void>();
            entry.wake = resolve;
            const { ingestion } = entry;
            yield ingestion;
            if (ingestion.state !== 'running') return;
            if (entry.ingestion === ingestion) {
              signal?.addEventListener('abort', () => resolve(), { once: true });
              await promise;
            }
            signal?.throwIfAborted();
          }
        },
        async cancel(id) {
          const entry = ingestionOf(id);
          entry.ingestion = { ...entry.ingestion, state: 'cancelled', finishedAt: at };
          entry.wake();
        },
      },
      stores: fakeStores(tenant.documents, { add, deliveryOf, pageOf }),
      async search(request) {
        checkSources(request.sources);
        const results = find(request.query).slice(0, request.topK ?? 5);
        return {
          query: request.query,
          mode: request.mode ?? 'hybrid',
          results,
          routing: { sources: [], reason: 'all' },
          degraded: [],
          ...(request.explain && { legs: { lexical: results.map(({ chunkId }) => chunkId), vector: [] } }),
          latencyMs: 1,
          traceId: nextId('trc'),
        };
      },
      ask: (request, options) => ask(request, options),
      memories: createFakeMemories(nextId, at),
      sessions: {
        create: async ({ title }) => createSession(nextId('ses'), title),
        get: async (id) => sessionOf(id).session,
        list: async (page) =>
          pageOf(
            [...tenant.sessions.values()].map(({ session }) => session),
            page,
          ),
        async delete(id) {
          sessionOf(id);
          tenant.sessions.delete(id);
        },
        async update(id, { title }) {
          const entry = sessionOf(id);
          entry.session = { ...entry.session, title };
          return entry.session;
        },
        page: async (id, { limit = 50 }) => ({ data: sessionOf(id).turns.slice(-limit) }),
        turns: async (id, limit = 50) => sessionOf(id).turns.slice(-limit),
        async send(id, { content, ...rest }, options) {
          if (!tenant.sessions.has(id)) createSession(id);
          const entry = sessionOf(id);
          const answer = await ask({ question: content, ...rest }, options, id);
          const ordinal = entry.turns.length + 1;
          entry.turns.push({
            id: answer.turnId ?? nextId('trn'),
            sessionId: id,
            ordinal,
            content,
            resolvedQuestion: content,
            answer,
            createdAt: at,
          });
          entry.session = { ...entry.session, turnCount: ordinal };
          return answer;
        },
      },
      // No model is called here.
      async usage({ from = '2026-11-21', to = '2026-11-21', by = 'day' } = {}) {
        const total = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 };
        return { from, to, by, data: [], omitted: 0, total, budgets: [] };
      },
      // Nothing is noted here.
      audit: {
        list: async () => ({ data: [] }),
        verify: async () => ({ ok: true, rows: 0, faults: [] }),
      },
      servers: { list: async () => [{ id: 'this', version: '0', startedAt: at, seenAt: at, isThis: true }] },
      traces: createFakeTraces(tenant.traces, at),
      answers: {
        using: async () => ({ data: [] }),
        report: async (id) =>
          tenant.answers.has(id) ? `<!doctype html><title>${id}</title>` : Promise.reject(missing('answer')),
        verifyReport: async (html) =>
          checkReport(html, {
            answerOf: async (id) => tenant.answers.get(id),
            verify: () => Promise.reject(missing('answer')),
            gather: () => Promise.reject(missing('answer')),
          }),
        get: async (id) => tenant.answers.get(id) ?? Promise.reject(missing('answer')),
        async delete(id) {
          if (!tenant.answers.delete(id)) throw missing('answer');
        },
        async verify(answer) {
          const citations = answer.citations.map(({ index, documentId, start, end, quote }) => {
            const text = tenant.documents.get(documentId)?.text;
            const ok = text?.slice(start, end) === quote;
            return { index, ok, reasons: ok ? [] : ['the quote does not stand there'] };
          });
          const ok = citations.every((citation) => citation.ok);
          return {
            answerId: answer.id,
            ok,
            citations,
            claims: answer.claims.map(({ text, support }) => ({ text, ok, support, reasons: [] })),
            reasons: [],
          };
        },
      },
    };
  }
}
