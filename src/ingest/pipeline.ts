// Knowledge in: bytes become recorded, chunked, delivered documents. Unchanged content costs no parsing and no write; a
// revision appears whole or not at all; one bad file never stops the rest; a run that was cut off goes on where it was.
import type { Connector, Delivery, DocumentRecord, Source, SourceType } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { type Clock, type Ids, sha256 } from '../core/ids.ts';
import type { DocumentWrite, Ingestion, IngestionFile, TenantRecord } from '../db/record.ts';
import type { Store } from '../stores/store.ts';
import { takeCollection } from './collection.ts';
import { openFolder } from './connectors/folder.ts';
import { addWarning, type IncomingFacts, type IncomingFile, isCollection, toSingle } from './incoming.ts';
import { createIntake } from './intake.ts';
import { deliverDocument, deliverPending } from './outbox.ts';
import type { Chunking, CuttingPool } from './parse.ts';
import { isUnchanged } from './prepare.ts';
import { syncSource } from './sync.ts';
import { createWriter, type Writer } from './writer.ts';

/** A document handed over directly: either `text` or the `bytes` of a file. */
export interface DirectDocument extends IncomingFacts {
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly name?: string;
  readonly uri?: string;
  readonly source?: string;
  readonly sourceType?: SourceType;
  readonly stores?: readonly string[];
}

export interface DirectResult {
  readonly id: string;
  readonly uri: string;
  readonly status: 'created' | 'updated' | 'unchanged';
  readonly chunks: number;
  readonly warnings: readonly string[];
  readonly deliveries: readonly Pick<Delivery, 'store' | 'status'>[];
}

export interface SyncRun {
  readonly source: Source;
  readonly connector: Connector;
  /** The run as it was recorded when it began. */
  readonly ingestion: Ingestion;
  readonly signal?: AbortSignal;
  readonly onProgress?: (ingestion: Ingestion, file?: IngestionFile) => void;
}

export interface Pipeline {
  /** Durable and searchable when the promise resolves. Throws what the parser throws, `invalid-request`, `conflict`. */
  addDocument(document: DirectDocument, options?: { readonly signal?: AbortSignal }): Promise<readonly DirectResult[]>;
  /** Reads a folder anew; resolves with the run's final state, whatever it is. Throws only if the record cannot be read. */
  syncFolder(run: SyncRun): Promise<Ingestion>;
  /** False: there was no such document. */
  deleteDocument(id: string, signal?: AbortSignal): Promise<boolean>;
  /** Removes a source with all its documents; returns how many. */
  removeSource(name: string, signal?: AbortSignal): Promise<number>;
  deliverPending(store: Store, signal?: AbortSignal): Promise<{ delivered: number; failed: number }>;
}

export interface PipelineOptions {
  readonly record: TenantRecord;
  readonly stores: readonly Store[];
  readonly parsers: CuttingPool;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly chunking: Chunking;
  /** Absolute paths of folders that are never read: the data folder itself. */
  readonly skipFolders?: readonly string[];
  /** Larger files are refused unread. Default 100 MiB. */
  readonly maxFileBytes?: number;
  /** Called after documents were written, delivered or deleted. Must not throw. */
  readonly onChange?: () => void;
}

const defaultMaxFileBytes = 100 * 1024 * 1024;

function readBytes(document: DirectDocument, maxBytes: number): Uint8Array {
  if ((document.text === undefined) === (document.bytes === undefined))
    throw new FootnoteError('invalid-request', 'A document needs either `text` or a file, and not both.');
  const bytes = document.bytes ?? new TextEncoder().encode(document.text);
  if (bytes.byteLength === 0) throw new FootnoteError('invalid-media', 'The document is empty. Send one with text.');
  if (bytes.byteLength > maxBytes)
    throw new FootnoteError('too-large', `The document has ${bytes.byteLength} bytes; at most ${maxBytes} are read.`);
  return bytes;
}

type Deliveries = readonly Pick<Delivery, 'store' | 'status'>[];

const toResult = (document: DocumentRecord, status: DirectResult['status'], deliveries: Deliveries): DirectResult => ({
  id: document.id,
  uri: document.uri,
  status,
  chunks: document.chunkCount,
  warnings: document.warnings,
  deliveries,
});

/** Errors that no other document would escape. */
const endsAll: ReadonlySet<string> = new Set(['cancelled', 'storage-full', 'storage-denied']);

/** One bad line does not stop the others: its fault stands with the first result. Throws if nothing could be taken. */
function collectResults(outcomes: readonly (DirectResult | FootnoteError)[], warnings: string[]): DirectResult[] {
  const results = outcomes.flatMap((outcome) => (outcome instanceof FootnoteError ? [] : [outcome]));
  const failures = outcomes.flatMap((outcome) => (outcome instanceof FootnoteError ? [outcome] : []));
  const fatal = failures.find((error) => endsAll.has(error.code));
  if (fatal) throw fatal;
  for (const error of failures) addWarning(warnings, error.message);
  const [first, ...others] = results;
  if (first === undefined)
    throw (
      failures[0] ?? new FootnoteError('invalid-media', `No document was found. ${warnings[0] ?? 'The file is empty.'}`)
    );
  return [{ ...first, warnings: [...first.warnings, ...warnings] }, ...others];
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { record, stores, clock } = options;
  const maxFileBytes = options.maxFileBytes ?? defaultMaxFileBytes;
  const ports = { record, parsers: options.parsers, clock, chunking: options.chunking };
  const intake = createIntake(ports);
  const { onChange = (): void => undefined } = options;
  const writerWith = (lingerMs: number): Writer => {
    const writer = createWriter({ record, stores, clock, lingerMs });
    return {
      ...writer,
      put: (prepared) => writer.put(prepared).finally(onChange),
      delete: (documentIds, signal) => writer.delete(documentIds, signal).finally(onChange),
    };
  };

  async function sourceFor(document: DirectDocument): Promise<{ source: Source; isNew: boolean }> {
    const name = document.source ?? 'uploads';
    const present = await record.sources.get(name);
    if (present?.connector)
      throw new FootnoteError(
        'conflict',
        `Source "${name}" mirrors ${present.connector.path}: what is added by hand would vanish with the next sync. Put the file there, or name another source.`,
      );
    if (present) return { source: present, isNew: false };
    return { source: { name, type: document.sourceType ?? 'docs' }, isNew: true };
  }

  /** Brings an unchanged document to the stores that were asked for and lack it. */
  async function completeDeliveries(
    id: string,
    names: readonly string[] | undefined,
    signal?: AbortSignal,
  ): Promise<Deliveries> {
    const known = await record.documents.deliveries(id);
    for (const store of stores) {
      if (names && !names.includes(store.name)) continue;
      const delivery = known.find((one) => one.store === store.name);
      if (delivery?.status === 'delivered') continue;
      await deliverDocument({ record, clock }, { store, documentId: id }, signal).finally(onChange);
    }
    return (await record.documents.deliveries(id)).map(({ store, status }) => ({ store, status }));
  }

  return {
    async addDocument(document, { signal } = {}) {
      const bytes = readBytes(document, maxFileBytes);
      const { source, isNew } = await sourceFor(document);
      const uri = document.uri ?? document.name ?? `text:${sha256(bytes).slice(0, 24)}`;
      const name = document.name ?? document.uri ?? 'text.txt';
      const mime = document.mime ?? (document.bytes || document.name !== undefined ? undefined : 'text/plain');
      const facts = { ...document, ...(mime !== undefined && { mime }) };
      const file: IncomingFile = { source, uri, name, bytes, facts };
      const along = { ...(document.stores && { stores: document.stores }), ...(isNew && { newSource: source }) };
      const written = async (write: DocumentWrite, deliveries: Deliveries): Promise<DirectResult> => {
        const isDelivered = deliveries.every((delivery) => delivery.status === 'delivered');
        return toResult(
          write.document,
          write.document.revision > 1 ? 'updated' : 'created',
          isDelivered ? deliveries : await completeDeliveries(write.document.id, document.stores, signal),
        );
      };
      const unchanged = async (present: DocumentRecord): Promise<DirectResult> =>
        toResult(present, 'unchanged', await completeDeliveries(present.id, document.stores, signal));

      if (await isCollection(file)) {
        const warnings: string[] = [];
        const { settled } = await takeCollection<DirectResult | FootnoteError>(
          {
            ...ports,
            file,
            warnings,
            along,
            intake,
            writer: writerWith(50),
            mayBeKnown: !isNew,
            stopsAt: endsAll,
            arrived: () => false,
            isUnchanged: (incoming, present) => isUnchanged(present, incoming),
            async settle(_, taken) {
              try {
                if (taken.status === 'unchanged') return await unchanged(taken.present);
                if (taken.status === 'written') return await written(taken.write, taken.deliveries);
                return taken.status === 'failed'
                  ? taken.error
                  : new FootnoteError('internal', 'A document was taken for known that nobody knows.');
              } catch (error) {
                return toFootnoteError(error);
              }
            },
          },
          signal,
        );
        return collectResults(await settled, warnings);
      }
      const incoming = toSingle(file);
      return intake.begin([incoming], async (presentByUri) => {
        const present = presentByUri.get(uri);
        if (present && isUnchanged(present, incoming)) return [await unchanged(present)];
        const write = await intake.prepare(incoming, presentByUri, signal);
        const [outcome] = await writerWith(0).put([{ ...along, write }]);
        if (outcome instanceof FootnoteError) throw outcome;
        return [await written(write, outcome ?? [])];
      }).done;
    },

    async syncFolder({ source, connector, ingestion, signal, onProgress }) {
      const reader = openFolder(connector, options.skipFolders);
      const writer = writerWith(50);
      const final = await syncSource(
        { source, reader, ingestion, onProgress, maxFileBytes, intake, writer, ...ports },
        signal,
      );
      for (const store of stores) {
        if (store.within || signal?.aborted) continue;
        // What a store did not take now stays pending, and `stores sync` brings it later.
        await deliverPending({ record, clock }, store, signal).catch((error: unknown) => toFootnoteError(error));
      }
      return final;
    },

    async deleteDocument(id, signal) {
      if ((await record.documents.get(id)) === undefined) return false;
      return (await writerWith(0).delete([id], signal)) > 0;
    },

    async removeSource(name, signal) {
      let removed = 0;
      for (let round = 1; ; round += 1) {
        const ids: string[] = [];
        for await (const { id } of record.documents.listUris(name)) ids.push(id);
        removed += await writerWith(0).delete(ids, signal);
        try {
          await record.transact((transaction) => transaction.deleteSource(name));
          return removed;
        } catch (error) {
          // Something came in meanwhile: it goes too. What this caller may not see stays, and so does the source.
          if (toFootnoteError(error).code !== 'conflict' || ids.length === 0 || round === 10) throw error;
        }
      }
    },

    deliverPending: (store, signal) => deliverPending({ record, clock }, store, signal).finally(onChange),
  };
}
