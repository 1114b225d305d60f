// The facade of one scope in this process: what a door may call, over the record, the stores and the pipeline.

import type { createRunner } from '../agent/run.ts';
import { verifyAnswer } from '../answer/verify.ts';
import { createDeadline } from '../core/deadline.ts';
import type { Demand } from '../core/demand.ts';
import type { Connector, DocumentRecord, Source } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import type { DuplicateLink, Ingestion, TenantRecord } from '../db/record.ts';
import type { Connectors } from '../ingest/connectors/connector.ts';
import type { Pipeline } from '../ingest/pipeline.ts';
import type { Previews } from '../ingest/preview.ts';
import { givenPasswords } from '../ingest/read/passwords.ts';
import { type DirectDocument, type DirectResult, damagedSource } from '../ingest/take/direct.ts';
import { toldDuplicates } from '../ingest/take/foretold-duplicates.ts';
import { maxTries } from '../ingest/take/parking.ts';
import type { Delivery, DeliveryStatus } from '../ingest/write/delivery.ts';
import type { Sessions } from '../memory/sessions.ts';
import type { WrittenStore } from '../stores/embedded/port.ts';
import type { StoreHealth } from '../stores/store.ts';
import type { Embedder } from '../vectors/embedder.ts';
import type { AddDocument, Footnote, StoreDeliveries, StoreStatus } from './facade.ts';
import { type IngestionRuns, watchRun } from './ingestions.ts';
import type { ErasureStatus } from './record/erasing.ts';
import { notDone, type RecordThread } from './record/record-thread.ts';
import { createSpanReader } from './record/span-reader.ts';
import { textRange } from './record/text-range.ts';

/** Passwords that come with a document are tried as those of a password file are. */
const toDirect = ({ passwords = [], ...document }: AddDocument): DirectDocument => ({
  ...document,
  ...(passwords.length > 0 && { passwords: givenPasswords(passwords) }),
});

export interface HandleOptions {
  readonly record: TenantRecord;
  /** Which folders may be read for this principal. */
  readonly connectors: Connectors;
  readonly stores: readonly WrittenStore[];
  /** To those of them that are beside the record. */
  readonly delivery: Delivery;
  /** Those who keep the vectors of stores, by name of the store. */
  readonly embedders: Readonly<Record<string, Embedder>>;
  readonly pipeline: Pipeline;
  readonly previews: Previews;
  readonly runs: IngestionRuns;
  readonly sessions: Sessions;
  readonly requests: ReturnType<typeof createRunner>;
  readonly usage: Footnote['usage'];
  readonly clock: Clock;
  /** Time that looking through all documents may take unless the caller says otherwise. */
  readonly timeoutMs: number;
  /** Told of those who wait for results; work that is long lets them go first. */
  readonly demand: Demand;
  /** What is left to do of deletions. */
  readonly erasing?: () => ErasureStatus | undefined;
  /** Where long documents are read; absent: here. */
  readonly thread?: RecordThread;
}

const toTold = ({ pending, failed, deletions, isPaused, held, nextAttemptMs }: DeliveryStatus): StoreDeliveries => ({
  pending,
  failed,
  deletions,
  paused: isPaused,
  ...(nextAttemptMs !== undefined && {
    nextAttemptAt: new Date(Math.max(nextAttemptMs, held?.untilMs ?? 0)).toISOString(),
  }),
  ...(held && { failure: held.reason }),
});

/** Reading and printing a shorter document takes some 10 ms. */
const isLong = ({ textLength, chunkCount }: DocumentRecord): boolean => textLength > 500_000 || chunkCount > 250;

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,99}$/u;

function assertSourceName(name: string): void {
  if (namePattern.test(name)) return;
  throw new FootnoteError(
    'invalid-request',
    'A source name has 1 to 100 letters, digits, spaces or . _ - signs and starts with a letter or digit.',
  );
}

export function createHandle(options: HandleOptions): Footnote {
  const {
    record,
    connectors,
    stores,
    delivery,
    embedders,
    pipeline,
    previews,
    runs,
    sessions,
    requests,
    clock,
    demand,
  } = options;
  const { thread } = options;

  const missing = (what: string, id: string): FootnoteError =>
    new FootnoteError('not-found', `There is no ${what} "${id}".`);

  async function found<T>(what: string, id: string, read: Promise<T | undefined>): Promise<T> {
    const value = await read;
    if (value === undefined) throw missing(what, id);
    return value;
  }

  function storeNamed(name: string): WrittenStore {
    const store = stores.find((candidate) => candidate.name === name);
    if (store === undefined)
      throw new FootnoteError(
        'unsupported',
        `The store "${name}" is not configured. Configured: ${stores.map((candidate) => candidate.name).join(', ')}.`,
      );
    return store;
  }

  /** Each with the documents that say the same as the one that it names. */
  async function withDuplicates<T extends object>(
    values: readonly T[],
    documentIdOf: (value: T) => string | undefined,
  ) {
    const told: (T & { readonly duplicates?: readonly DuplicateLink[] })[] = [];
    const others = demand.inPieces();
    for (const value of values) {
      // An archive may bring thousands: others get their turn.
      await others();
      const documentId = documentIdOf(value);
      const links = documentId === undefined ? [] : await record.documents.duplicates(documentId, toldDuplicates);
      told.push({ ...value, ...(links.length > 0 && { duplicates: links }) });
    }
    return told;
  }

  /** Bytes of a part as the thread gives them, or as they are read here where there is none. */
  async function partOf(id: string, part: 'file' | 'plain', inPlace: () => Promise<Uint8Array | undefined>) {
    const elsewhere = thread ? await thread.part(record.scope, { id, part }) : notDone;
    return elsewhere === notDone ? inPlace() : (elsewhere ?? undefined);
  }

  const added = (documents: readonly DirectResult[]) => withDuplicates(documents, ({ id }) => id);

  async function startRun(name: string, sync?: Parameters<Footnote['sources']['sync']>[1]) {
    const source = await found('source', name, record.sources.get(name));
    if (source.damaged) throw damagedSource(name);
    const connector: Connector | undefined = source.connector;
    if (connector === undefined)
      throw new FootnoteError(
        'unsupported',
        `Source "${name}" has no folder to read: its documents were added one by one.`,
      );
    await connectors.check(connector);
    return runs.start(record.scope, name, {
      record,
      ...(sync && { sync }),
      work: ({ ingestion, signal, report }) =>
        pipeline.syncSource({
          source,
          connector,
          ingestion,
          signal,
          onProgress: report,
          ...(sync?.retry && { retry: true }),
          ...(sync?.reread !== undefined && { reread: sync.reread }),
        }),
    });
  }

  /** A store beside the record that is down is told like any other state. */
  async function healthOf(store: WrittenStore): Promise<StoreHealth> {
    if (store.within) return store.health();
    return store.health().catch((thrown: unknown) => {
      return { status: 'down', detail: toFootnoteError(thrown).message, documents: 0, chunks: 0 };
    });
  }

  /** Of a store beside the record the record knows what it took, also while it is down. */
  async function heldBy({
    name,
    within,
  }: WrittenStore): Promise<{ documents: number; coverage?: number; deliveries?: StoreDeliveries }> {
    if (within) return record.documents.count();
    const { tenant } = record.scope;
    const [queued, held] = await Promise.all([delivery.status(tenant, name), delivery.coverage(tenant, name)]);
    const { documents, delivered, oldestPendingAt } = held;
    const ageMs = oldestPendingAt === undefined ? undefined : Date.parse(clock.now()) - Date.parse(oldestPendingAt);
    return {
      documents,
      coverage: documents === 0 ? 1 : Math.min(1, delivered / documents),
      deliveries: {
        ...toTold(queued),
        ...(ageMs !== undefined && { oldestPendingSeconds: Math.max(0, ageMs / 1000) }),
      },
    };
  }

  async function setPaused(name: string, verb: 'pause' | 'resume'): Promise<StoreStatus> {
    const store = storeNamed(name);
    if (store.within)
      throw new FootnoteError(
        'unsupported',
        `The store "${name}" changes together with the record: there is nothing to ${verb}.`,
      );
    await delivery[verb](record.scope.tenant, name);
    return statusOf(store);
  }

  async function statusOf(store: WrittenStore): Promise<StoreStatus> {
    const [health, held] = await Promise.all([healthOf(store), heldBy(store)]);
    const vectors = await embedders[store.name]?.status();
    const erasing = options.erasing?.();
    const newest = (await record.documents.listDeliveries({ store: store.name, status: 'delivered', limit: 1 }))
      .data[0];
    return {
      ...health,
      name: store.name,
      coverage: held.coverage ?? (held.documents === 0 ? 1 : Math.min(1, health.documents / held.documents)),
      ...(newest && { freshnessSeconds: Math.max(0, (Date.parse(clock.now()) - Date.parse(newest.updatedAt)) / 1000) }),
      ...(vectors && { vectors }),
      ...(erasing && store.within && { erasing }),
      ...(held.deliveries && { deliveries: held.deliveries }),
      modes: [
        ...(store.capabilities.lexical ? ['embedded'] : []),
        ...(store.capabilities.vector ? ['vector'] : []),
        'hybrid',
      ],
    };
  }

  return {
    documents: {
      async add(document, call = {}) {
        for (const name of document.stores ?? []) storeNamed(name);
        if (document.source !== undefined) assertSourceName(document.source);
        await demand.giveWay();
        return added(await pipeline.addDocument(toDirect(document), call.signal ? { signal: call.signal } : {}));
      },
      async preview(document, call = {}) {
        if (document.source !== undefined) assertSourceName(document.source);
        return previews.document(toDirect(document), call.signal ? { signal: call.signal } : {});
      },
      async get(id) {
        const document = await found('document', id, record.documents.get(id));
        const [deliveries, duplicates] = await Promise.all([
          record.documents.deliveries(id),
          record.documents.duplicates(id),
        ]);
        return { ...document, deliveries, duplicates };
      },
      async list(request, call = {}) {
        if (request.filter === undefined) return record.documents.list(request);
        const deadline = createDeadline(call.timeoutMs ?? options.timeoutMs, call.signal);
        return record.documents.list({ ...request, signal: deadline.signal }).catch((error: unknown) => {
          if (deadline.signal.aborted) deadline.check();
          throw error;
        });
      },
      async delete(id) {
        if (!(await pipeline.deleteDocument(id))) throw missing('document', id);
      },
      async text(id, range = {}) {
        const text = await found('document', id, record.documents.text(id));
        return textRange(text, range);
      },
      async file(id) {
        const document = await found('document', id, record.documents.get(id));
        const name = document.uri.split(/[/\\#]/u).findLast((part) => part !== '') ?? 'document';
        const bytes = await partOf(id, 'file', () => record.documents.file(id));
        if (bytes) return { bytes, mime: document.mime, name };
        const inPlace = async () => new TextEncoder().encode(await found('document', id, record.documents.text(id)));
        const plain = isLong(document) ? await partOf(id, 'plain', inPlace) : await inPlace();
        return { bytes: await found('document', id, Promise.resolve(plain)), mime: 'text/plain; charset=utf-8', name };
      },
      async chunks(id) {
        await found('document', id, record.documents.get(id));
        return record.documents.chunks(id);
      },
      structure: (id) => found('document', id, record.documents.structure(id)),
      async print(id, part, range = {}) {
        const document = await found('document', id, record.documents.get(id));
        if (!thread || !isLong(document)) return undefined;
        const printed = await thread.part(record.scope, { id, part, range });
        if (printed === null) throw missing('document', id);
        return printed === notDone ? undefined : printed;
      },
      async view(id, range) {
        const document = await found('document', id, record.documents.get(id));
        if (!thread || !isLong(document)) return undefined;
        const view = await thread.view(record.scope, id, range);
        if (view === null) throw missing('document', id);
        return view === notDone ? undefined : view;
      },
    },
    sources: {
      async put(source: Source) {
        assertSourceName(source.name);
        // Said at once: a run would say it, too.
        if (source.connector) await connectors.check(source.connector);
        await record.transact((transaction) => transaction.putSource(source));
        return (await record.sources.get(source.name)) ?? source;
      },
      list: () => record.sources.list(),
      get: (name) => found('source', name, record.sources.get(name)),
      async remove(name) {
        await found('source', name, record.sources.get(name));
        await runs.stop(record.scope.tenant, name);
        return pipeline.removeSource(name);
      },
      async sync(name, sync) {
        const run = await startRun(name, sync);
        return run.finished;
      },
      async startSync(name, sync) {
        return (await startRun(name, sync)).latest;
      },
      async preview(source, sync = {}) {
        assertSourceName(source.name);
        return previews.folder(source, sync);
      },
    },
    ingestions: {
      get: async (id) =>
        runs.find(record.scope.tenant, id)?.latest ?? found('ingestion', id, record.ingestions.get(id)),
      async files(id, request) {
        if (!runs.find(record.scope.tenant, id)) await found('ingestion', id, record.ingestions.get(id));
        const page = await record.ingestions.files(id, request);
        return { ...page, data: await withDuplicates(page.data, ({ documentId }) => documentId) };
      },
      list: (request) => record.ingestions.list(request),
      async parked(request) {
        const page = await record.readings.failures({ ...request, minTries: maxTries });
        const data = page.data.map(({ source, uri, tries, error, failedAt }) => ({
          source,
          uri,
          tries,
          error,
          failedAt,
        }));
        return { ...page, data };
      },
      async *watch(id, signal): AsyncGenerator<Ingestion> {
        const run = runs.find(record.scope.tenant, id);
        if (run === undefined) yield await found('ingestion', id, record.ingestions.get(id));
        else yield* watchRun(run, signal);
      },
      async cancel(id) {
        const run = runs.find(record.scope.tenant, id);
        if (run === undefined) {
          await found('ingestion', id, record.ingestions.get(id));
          return;
        }
        run.controller.abort(new FootnoteError('cancelled', 'The ingestion was cancelled.'));
        await run.finished;
      },
    },
    stores: {
      list: () => Promise.all(stores.map(statusOf)),
      async deliveries(name, request) {
        return record.documents.listDeliveries({ ...request, store: storeNamed(name).name });
      },
      async sync(name, signal) {
        const { within, prepare } = storeNamed(name);
        if (!within || !prepare) return delivery.sync(record.scope.tenant, name, signal);
        const counts = await pipeline.bringMissing({ name, within, prepare }, signal);
        await embedders[name]?.settle({ exact: true, ...(signal && { signal }) });
        return counts;
      },
      pause: (name) => setPaused(name, 'pause'),
      resume: (name) => setPaused(name, 'resume'),
      async add(name, document, call = {}) {
        const within = { ...document, stores: [storeNamed(name).name] };
        await demand.giveWay();
        return added(await pipeline.addDocument(toDirect(within), call.signal ? { signal: call.signal } : {}));
      },
    },
    search: (request, call) => demand.serve(() => requests.search(request, call)),
    ask: (request, call) => demand.serve(() => requests.ask(request, call)),
    sessions: {
      create: (session) => sessions.create(session),
      get: (id) => sessions.get(id),
      list: (request) => record.sessions.list(request),
      delete: (id) => sessions.delete(id),
      turns: (id, limit = 100) => sessions.turns(id, limit),
      send: (sessionId, request, call) => demand.serve(() => requests.send(sessionId, request, call)),
    },
    usage: options.usage,
    traces: { get: (id) => found('trace', id, record.traces.get(id)) },
    answers: {
      get: (id) => found('answer', id, record.answers.get(id)),
      verify: (answer) => verifyAnswer(answer, createSpanReader(record)),
    },
  };
}
