// A document that is handed over directly: text, or the bytes of a file with everything that is inside it. Durable and searchable when
// it returns; what could not be taken of many is told with the first of those that could.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isLikelyArchive } from '@footnote/readers/archive-kind';
import { overLimit } from '@footnote/readers/file-size';
import { refusedByName } from '@footnote/readers/sniff';
import type { Demand } from '../../core/demand.ts';
import type { AttachedFile, Delivery, DocumentRecord, Source, SourceType } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import type { DocumentWrite } from '../../db/record.ts';
import type { WrittenStore } from '../../stores/embedded/port.ts';
import { isReadAgain } from '../read/reading-editions.ts';
import { createReadingStamps } from '../read/reading-stamps.ts';
import { isSameReading } from '../read/same-reading.ts';
import { deliverDocument } from '../write/outbox.ts';
import { isUnchanged, type PreparePorts } from '../write/prepare.ts';
import { placeErrors, type Writer } from '../write/writer.ts';
import { takeCollection } from './collection.ts';
import { createInHand } from './in-hand.ts';
import { addWarning, type IncomingFacts, type IncomingFile, isCollection, toSingle } from './incoming.ts';
import { attachedFiles, filesOfArchive, type InnerFile, isInside } from './inside.ts';
import type { Intake } from './intake.ts';
import { blamed, createParking, failuresOf, isParked, maxTries, readers, toKeptWarning } from './parking.ts';

/** A document handed over directly: either `text` or the `bytes` of a file. */
export interface DirectDocument extends IncomingFacts {
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly name?: string;
  readonly uri?: string;
  readonly source?: string;
  readonly sourceType?: SourceType;
  readonly stores?: readonly string[];
  /**
   * Whether it is read although its bytes are those that were read before, to be written where something else comes out. Absent: where its
   * reader was improved since.
   */
  readonly reread?: boolean;
}

export interface DirectResult {
  readonly id: string;
  readonly uri: string;
  readonly status: 'created' | 'updated' | 'unchanged';
  readonly chunks: number;
  readonly warnings: readonly string[];
  readonly deliveries: readonly Pick<Delivery, 'store' | 'status'>[];
}

export interface DirectPorts extends PreparePorts {
  readonly stores: readonly WrittenStore[];
  readonly intake: Intake;
  readonly maxFileBytes: number;
  readonly demand?: Demand | undefined;
  writerWith(lingerMs: number): Writer;
  readonly onChange: () => void;
}

type Deliveries = readonly Pick<Delivery, 'store' | 'status'>[];
type Outcome = DirectResult | FootnoteError;

/** Documents of an archive that are read without a turn for others: some 3 ms. */
const documentsTogether = 200;
/** Files of one archive that are read or wait for their write at the same time: so many share a commit. */
const innerInHand = 256;
/** Their bytes, as soon as there is more than one. */
const innerBytesInHand = 16 * 1024 * 1024;

/** Of many documents: each may be damaged in a record that takes the others. */
const endsAll: ReadonlySet<string> = new Set([...placeErrors].filter((code) => code !== 'data-corrupt'));

const toResult = (document: DocumentRecord, status: DirectResult['status'], deliveries: Deliveries): DirectResult => ({
  id: document.id,
  uri: document.uri,
  status,
  chunks: document.chunkCount,
  warnings: document.warnings,
  deliveries,
});

function readBytes(document: DirectDocument, maxBytes: number): Uint8Array {
  if ((document.text === undefined) === (document.bytes === undefined))
    throw new FootnoteError('invalid-request', 'A document needs either `text` or a file, and not both.');
  const bytes = document.bytes ?? new TextEncoder().encode(document.text);
  if (bytes.byteLength === 0) throw new FootnoteError('invalid-media', 'The document is empty. Send one with text.');
  if (bytes.byteLength > maxBytes)
    throw toFootnoteError(
      refusedByName(document.name ?? '') ??
        new FootnoteError(
          'too-large',
          `The document has ${overLimit(bytes.byteLength, maxBytes)} (setting MAX_FILE_BYTES).`,
        ),
    );
  return bytes;
}

/** One bad document does not stop the others: its fault stands with the first result. Throws if nothing could be taken. */
function collectResults(outcomes: readonly Outcome[], warnings: string[]): DirectResult[] {
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
  return warnings.length === 0 ? results : [{ ...first, warnings: [...first.warnings, ...warnings] }, ...others];
}

/** Until it is declared again nobody knows whether it mirrors a folder. */
export function damagedSource(name: string): FootnoteError {
  return new FootnoteError(
    'data-corrupt',
    `The declaration of source "${name}" is damaged; its documents are whole. Declare it again: "footnote ingest FOLDER --source ${name}", or POST /v1/sources.`,
    { details: { source: name } },
  );
}

/** Adds one document with all that is inside it. */
export function createDirectIntake(ports: DirectPorts) {
  const { record, stores, clock, intake, maxFileBytes, onChange } = ports;
  const { readings } = record;
  const parking = createParking({ readings, clock });

  async function sourceFor(document: DirectDocument): Promise<{ source: Source; isNew: boolean }> {
    const name = document.source ?? 'uploads';
    const present = await record.sources.get(name);
    if (present?.damaged) throw damagedSource(name);
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

  return async (document: DirectDocument, signal?: AbortSignal): Promise<readonly DirectResult[]> => {
    const bytes = readBytes(document, maxFileBytes);
    const { source, isNew } = await sourceFor(document);
    const uri = document.uri ?? document.name ?? `text:${sha256(bytes).slice(0, 24)}`;
    const name = document.name ?? document.uri ?? 'text.txt';
    const mime = document.mime ?? (document.bytes || document.name !== undefined ? undefined : 'text/plain');
    const { reread, ...said } = document;
    const facts = { ...said, ...(mime !== undefined && { mime }), ...(reread && { retry: true }) };
    const isCurrent = (present: DocumentRecord): boolean =>
      !isReadAgain(present.reading, { reread, editionOf: ports.editionOf });
    const stamps = createReadingStamps(record);
    /** Of what was read again: whether nothing has to be written. */
    const isAsRecorded = async (present: DocumentRecord, write: DocumentWrite): Promise<boolean> => {
      if (!(await isSameReading(record.documents, present, write))) return false;
      await stamps.add(present, write.document.reading);
      return true;
    };
    const along = { ...(document.stores && { stores: document.stores }), ...(isNew && { newSource: source }) };
    /** Lines that could not be read, and files inside. */
    const warnings: string[] = [];
    // Files out of one file share transactions: a commit waits for the disk, and others with it.
    const [atOnce, together] = [ports.writerWith(0), ports.writerWith(100)];

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

    async function addLines(file: IncomingFile): Promise<readonly Outcome[]> {
      const { settled } = await takeCollection<Outcome>(
        {
          ...ports,
          file,
          warnings,
          along,
          intake,
          writer: ports.writerWith(50),
          mayBeKnown: !isNew && !reread,
          failures: isNew ? [] : await failuresOf(readings, source.name, { at: file.uri }),
          stopsAt: endsAll,
          arrived: () => false,
          isUnchanged: (incoming, present) => isCurrent(present) && isUnchanged(present, incoming),
          isSameReading: isAsRecorded,
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
      return settled;
    }

    /** Failures name the file, and end nothing but themselves unless every other file would fail too. */
    async function addInner(inner: InnerFile, contentHash: string): Promise<readonly Outcome[]> {
      const innerUri = 'file' in inner ? inner.file.uri : inner.refused.uri;
      try {
        if ('file' in inner) return await addFile(inner.file);
        await parking.park({ source, ...inner.refused, contentHash }, inner.error);
        return [toInnerError(innerUri, inner.error, true)];
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        if (endsAll.has(error.code)) throw error;
        return [toInnerError(innerUri, error, isParked(error))];
      }
    }

    const mark = (container: string, contentHash: string, isComplete: boolean): Promise<void> =>
      readings.putContainer({ source: source.name, uri: container, contentHash, readers, isComplete });
    const isSettled = (outcome: Outcome): boolean => !(outcome instanceof FootnoteError) || isParked(outcome);

    /** Archives in an archive wait for each other: each is taken apart by a process of its own. */
    function addArchive(file: IncomingFile): Promise<readonly Outcome[]> {
      const deep = file.inside?.archivesDeep ?? 0;
      const added = (archives.get(deep) ?? Promise.resolve([])).then(
        () => openArchive(file),
        () => openArchive(file),
      );
      archives.set(deep, added);
      return added;
    }
    const archives = new Map<number, Promise<readonly Outcome[]>>();

    async function openArchive(file: IncomingFile): Promise<readonly Outcome[]> {
      const contentHash = sha256(file.bytes);
      const outcomes: (readonly Outcome[])[] = [];
      await mark(file.uri, contentHash, false);
      try {
        await parking.attempt({ ...file.facts, ...file, contentHash }, async () => {
          const inHand = createInHand({ most: innerInHand, mostBytes: innerBytesInHand });
          let place = 0;
          for await (const inner of filesOfArchive(ports, file, signal)) {
            const at = place++;
            const work = addInner(inner, contentHash).then((added) => {
              outcomes[at] = added;
            });
            await inHand.take(work, 'file' in inner ? inner.file.bytes.length : 0);
          }
          await inHand.rest();
        });
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        if (!('document' in error.details)) throw error;
        await readings.forget(source.name, [file.uri]);
        return addOne(file);
      }
      const all = outcomes.flat();
      await mark(file.uri, contentHash, all.every(isSettled));
      return all;
    }

    const insideOf = ({ uri: outer, inside }: IncomingFile): Promise<readonly DocumentRecord[]> =>
      documentsInside(ports, { source: source.name, uri: outer, container: inside?.container ?? outer });

    async function addOne(file: IncomingFile): Promise<readonly Outcome[]> {
      const incoming = toSingle(file);
      const { contentHash } = incoming;
      let attachments: readonly AttachedFile[] = [];
      /** Of a file that is left as it is: what it brought, unchanged too. */
      let inside: readonly DocumentRecord[] | undefined;
      /** What an earlier edition made of the same file. */
      let earlier: DocumentRecord | undefined;
      const state = await readings.container(source.name, file.uri);
      const isWhole = state === undefined || (state.isComplete && state.contentHash === contentHash);
      const own = await intake
        .begin([incoming], async (presentByUri): Promise<Outcome> => {
          const present = presentByUri.get(file.uri);
          const isSame = present !== undefined && isUnchanged(present, incoming);
          if (isSame && isWhole && isCurrent(present)) {
            inside = state === undefined ? [] : await insideOf(file);
            if (inside.every(isCurrent)) return unchanged(present);
          }
          if (isSame && !reread && !isCurrent(present)) earlier = present;
          const prepared = await intake.prepare(incoming, presentByUri, signal);
          attachments = prepared.attachments;
          if (attachments.length > 0) await mark(file.uri, contentHash, false);
          const { write } = prepared;
          if (write instanceof FootnoteError) return isSame ? unchanged(present) : write;
          if (isSame && (isCurrent(present) || (await isAsRecorded(present, write)))) return unchanged(present);
          const [outcome] = await (file.inside ? together : atOnce).put([{ ...along, write }]);
          if (outcome instanceof FootnoteError) throw outcome;
          return written(write, outcome ?? []);
        })
        .done.catch(async (thrown: unknown) => {
          const error = toFootnoteError(thrown);
          if ('archive' in error.details) return undefined;
          if (earlier === undefined || !blamed.has(error.code)) throw error;
          const kept = await unchanged(earlier);
          return { ...kept, warnings: [...kept.warnings, toKeptWarning(error)] };
        });
      if (own === undefined) return addArchive(file);
      if (inside?.every(isCurrent)) return [own, ...(await Promise.all(inside.map(unchanged)))];
      if (attachments.length === 0) return [own];
      const files = attachedFiles(file, attachments, maxFileBytes);
      const outcomes = (await Promise.all(files.map((inner) => addInner(inner, contentHash)))).flat();
      await mark(file.uri, contentHash, outcomes.every(isSettled));
      return [own, ...outcomes];
    }

    const addFile = async (file: IncomingFile): Promise<readonly Outcome[]> => {
      if (await isCollection(file)) return addLines(file);
      return isLikelyArchive(file) ? addArchive(file) : addOne(file);
    };

    /** What an earlier version of the file held, and this one does not. */
    async function deleteVanished(outcomes: readonly Outcome[]): Promise<void> {
      if ((await readings.container(source.name, uri)) === undefined) return;
      // What could not be read this time keeps its last revision.
      const failed = new Set(
        outcomes.flatMap((one) => (one instanceof FootnoteError ? [String(one.details['uri'])] : [])),
      );
      const there = new Set(outcomes.map((one) => (one instanceof FootnoteError ? one.details['uri'] : one.uri)));
      const gone = (await documentsInside(ports, { source: source.name, uri })).filter(
        (one) => !there.has(one.uri) && !isInside(one.uri, failed),
      );
      if (gone.length > 0)
        await ports.writerWith(0).delete(
          gone.map(({ id }) => id),
          signal,
        );
    }

    const outcomes = await addFile({ source, uri, name, bytes, facts });
    const results = collectResults(outcomes, warnings);
    await deleteVanished(outcomes);
    await stamps.flush();
    return results;
  };
}

function toInnerError(uri: string, error: FootnoteError, isGivenUp: boolean): FootnoteError {
  const details = { ...error.details, uri, ...(isGivenUp && { parked: true, tries: maxTries }) };
  return new FootnoteError(error.code, `${uri}: ${error.message}`, { details, cause: error });
}

/** Documents that came out of the file `uri`, however deep. */
export async function documentsInside(
  { record, demand }: Pick<PreparePorts, 'record'> & { readonly demand?: Demand | undefined },
  { source, uri, container = uri }: { readonly source: string; readonly uri: string; readonly container?: string },
): Promise<readonly DocumentRecord[]> {
  const found: DocumentRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await record.documents.list({
      limit: documentsTogether,
      filter: {
        op: 'and',
        filters: [
          { op: 'eq', field: 'source', value: source },
          { op: 'eq', field: 'metadata.container', value: container },
        ],
      },
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...page.data.filter((one) => one.uri.startsWith(`${uri}/`)));
    cursor = page.nextCursor;
    if (cursor !== undefined) {
      await nextTurn();
      await demand?.giveWay();
    }
  } while (cursor !== undefined);
  return found;
}
