// What takes part in jobs, watched: the same pipeline, stores and models, of which each call is written into the trace of its job. Invariant:
// texts go into traces as their hashes and lengths; names stand beside the id of the document that they are of.
import type { Connector } from '../../core/connector.ts';
import { shownPlace } from '../../core/connector.ts';
import type { Source } from '../../core/document.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { documentIdOf, sha256 } from '../../core/ids.ts';
import type { JobFacts } from '../../core/jobs/job-events.ts';
import type { Scope } from '../../core/scope.ts';
import type { SourceReader } from '../../ingest/connectors/connector.ts';
import type { SourceItem } from '../../ingest/connectors/source-item.ts';
import type { Pipeline } from '../../ingest/pipeline.ts';
import type { FixedModel } from '../../models/embedding/semantics.ts';
import type { StoreOutcome } from '../../stores/delivered.ts';
import type { Store } from '../../stores/store.ts';
import type { JobLog } from '../../trace/jobs/job-log.ts';
import type { CorpusLearning } from '../../vectors/ports.ts';
import type { JobTraces } from './job-traces.ts';

/** Where a source lies, without what an address may hold of keys. */
function placeOf(connector: Connector): string {
  const place = shownPlace(connector);
  try {
    const { origin, pathname, protocol } = new URL(place);
    return protocol.startsWith('http') ? `${origin}${pathname}` : place;
  } catch {
    return place;
  }
}

const bytesOf = (found: unknown): unknown => {
  if (found instanceof Uint8Array) return { bytes: found.byteLength };
  const { kind, bytes } = found as { readonly kind?: string; readonly bytes?: Uint8Array };
  return { kind, ...(bytes && { bytes: bytes.byteLength }) };
};

function watchedReader(log: JobLog, { source, port }: { readonly source: string; readonly port: string }) {
  const watchedItem = (item: SourceItem): SourceItem => ({
    ...item,
    read(signal) {
      const request = { documentId: documentIdOf(source, item.uri), uri: item.uri };
      return log.during({ port, method: 'read', request }, () => item.read(signal), bytesOf);
    },
  });
  return (reader: SourceReader): SourceReader => ({
    ...(reader.readsToName !== undefined && { readsToName: reader.readsToName }),
    async *items(request) {
      for await (const one of reader.items(request)) yield one.kind === 'item' ? watchedItem(one) : one;
    },
    ...(reader.stillHas && { stillHas: (uri: string) => reader.stillHas?.(uri) ?? Promise.resolve(true) }),
    ...(reader.close && { close: () => reader.close?.() ?? Promise.resolve() }),
  });
}

interface RunFacts {
  readonly source: Source;
  readonly connector: Connector;
  readonly retry?: boolean | undefined;
  readonly reread?: boolean | undefined;
  readonly confirm?: boolean | undefined;
}

const factsOfRun = (ingestionId: string, { source, connector, retry, reread, confirm }: RunFacts): JobFacts => ({
  source: source.name,
  ingestionId,
  connector: connector.kind,
  place: placeOf(connector),
  ...(retry && { retry }),
  ...(reread !== undefined && { reread }),
  ...(confirm && { confirm }),
});

/** Documents handed over in a row are one trace, a run over a source is one. */
export function watchPipeline(pipeline: Pipeline, jobs: JobTraces, scope: Scope): Pipeline {
  return {
    ...pipeline,
    async addDocument(document, options) {
      const { source = 'uploads', uri, name, bytes, text } = document;
      const named = uri ?? name;
      const log = jobs.row(scope, { kind: 'ingestion', about: { source } });
      const request = {
        source,
        ...(named !== undefined && { documentId: documentIdOf(source, named), uri: named }),
        ...(bytes && { bytes: bytes.byteLength }),
        ...(text !== undefined && { characters: text.length }),
      };
      const toldOf = (results: Awaited<ReturnType<Pipeline['addDocument']>>): unknown => ({
        documents: results.length,
        // The id of what has no name is known only now.
        documentId: results[0]?.id ?? '',
      });
      try {
        const call = { port: 'pipeline', method: 'addDocument', request };
        const results = await log.during(call, () => pipeline.addDocument(document, options), toldOf);
        let [chunks, warnings] = [0, 0];
        for (const result of results) {
          const { id: documentId, status: outcome } = result;
          log.item({ outcome, document: { documentId, uri: result.uri } });
          chunks += result.chunks;
          warnings += result.warnings.length;
        }
        log.count({ documents: results.length, chunks, warnings });
        return results;
      } catch (thrown) {
        const { code, message } = toFootnoteError(thrown);
        const failed = named !== undefined && { documentId: documentIdOf(source, named), uri: named, detail: message };
        log.item({ outcome: 'failed', reason: code, ...(failed && { document: failed }) });
        throw thrown;
      }
    },
    syncSource(run) {
      const { source, connector, ingestion } = run;
      const named = (uri: string, documentId = documentIdOf(source.name, uri)) => ({ documentId, uri });
      return jobs.run(
        scope,
        { kind: 'sync', about: factsOfRun(ingestion.id, run) },
        {
          work: (log) =>
            pipeline.syncSource({
              ...run,
              watchReader: watchedReader(log, { source: source.name, port: `connector.${connector.kind}` }),
              onSkipped(uri, reason) {
                log.item({ outcome: 'skipped', reason, document: named(uri) });
                run.onSkipped?.(uri, reason);
              },
              onProgress(latest, file) {
                run.onProgress?.(latest, file);
                if (!file) return;
                const { uri, state, change, documentId, error } = file;
                log.item({
                  outcome: state === 'done' ? (change ?? state) : state,
                  ...(error && { reason: error.reason ?? error.code }),
                  document: { ...named(uri, documentId), ...(error && { detail: error.message }) },
                });
              },
            }),
          told: ({ state, counts, error }) => ({
            status: state === 'failed' ? (error?.code ?? state) : state,
            ...(error && { detail: error.message }),
            counts: { ...counts },
          }),
        },
      );
    },
  };
}

/** Documents of a call that stand in its trace by name. */
const mostNamed = 20;

const toldOutcomes = (outcomes: readonly StoreOutcome[]): unknown => ({
  taken: outcomes.filter(({ error }) => !error).length,
  refused: outcomes.flatMap(({ documentId, error }) => (error ? [{ documentId, code: error.code }] : [])),
});

/** What a store beside the record is given, in a row. */
export function watchDeliveries(store: Store, jobs: JobTraces, scope: Scope): Store {
  const job = { kind: 'delivery', about: { store: store.name } } as const;
  const port = `store.${store.name}`;
  function tell(log: JobLog, outcome: string, outcomes: readonly StoreOutcome[]): readonly StoreOutcome[] {
    for (const { documentId, error } of outcomes)
      log.item({
        outcome: error ? 'refused' : outcome,
        reason: error?.code,
        document: { documentId, ...(error && { detail: error.message }) },
      });
    return outcomes;
  }
  return {
    ...store,
    async upsert(batch, signal) {
      const log = jobs.row(scope, job);
      const request = batch.slice(0, mostNamed).map(({ document, chunks, vectors }) => ({
        documentId: document.id,
        revision: document.revision,
        textHash: document.textHash,
        chunks: chunks.length,
        ...(vectors && { vectors: vectors.length }),
      }));
      const call = { port, method: 'upsert', request: { documents: batch.length, first: request } };
      return tell(log, 'delivered', await log.during(call, () => store.upsert(batch, signal), toldOutcomes));
    },
    async delete(batch, signal) {
      const log = jobs.row(scope, job);
      const first = batch.slice(0, mostNamed).map(({ documentId, revision }) => ({ documentId, revision }));
      const call = { port, method: 'delete', request: { documents: batch.length, first } };
      return tell(log, 'deleted', await log.during(call, () => store.delete(batch, signal), toldOutcomes));
    },
  };
}

/** What is said of a text: enough to see that it was this one. */
const mostTexts = 32;

/** Texts of documents that a model is given in a row; questions stand in the traces of their requests. */
export function watchEmbedding<Model extends FixedModel>(model: Model, row: () => JobLog): Model {
  return {
    ...model,
    async embed(texts, options) {
      if (options.kind !== 'document') return model.embed(texts, options);
      const log = row();
      let [tokens, costUsd] = [0, 0];
      const request = {
        texts: texts.length,
        characters: texts.reduce((sum, text) => sum + text.length, 0),
        sha256: texts.slice(0, mostTexts).map((text) => sha256(text).slice(0, 16)),
      };
      const watched: typeof options = {
        ...options,
        onUsage(usage) {
          tokens += usage.tokens;
          costUsd += usage.costUsd ?? 0;
          options.onUsage?.(usage);
        },
      };
      const call = { port: 'embedding', method: 'embed', request };
      const told = (vectors: readonly Float32Array[]): unknown => ({
        vectors: vectors.length,
        dimensions: model.dimensions,
        ...(tokens > 0 && { tokens, costUsd }),
      });
      const vectors = await log.during(call, () => model.embed(texts, watched), told);
      log.count({ texts: texts.length, ...(tokens > 0 && { tokens, costUsd }) });
      return vectors;
    },
  };
}

type Learning = Pick<CorpusLearning, 'train' | 'embed'>;

/** A model that is learned of the documents, and the vectors that it makes. */
export function watchLearning<Kind extends Learning>(learning: Kind, row: () => JobLog): Kind {
  return {
    ...learning,
    train(parts, signal) {
      const call = { port: 'learning', method: 'train', request: { parts: parts.length } };
      return row().during(
        call,
        () => learning.train(parts, signal),
        ({ digest, model }) => ({ digest, learned: model !== undefined }),
      );
    },
    async embed(parts, given, signal) {
      const { documents } = given;
      const chunks = documents.reduce((sum, { firstRow, lastRow }) => sum + lastRow - firstRow + 1, 0);
      const first = documents.slice(0, mostNamed).map(({ documentId }) => ({ documentId }));
      const request = { space: given.model.space, documents: documents.length, chunks, first };
      const log = row();
      const made = await log.during({ port: 'learning', method: 'embed', request }, () =>
        learning.embed(parts, given, signal),
      );
      const kept = made.filter((vectors) => vectors !== undefined).length;
      log.count({ documents: kept, chunks });
      if (kept < made.length) log.count({ changedMeanwhile: made.length - kept });
      return made;
    },
  };
}
