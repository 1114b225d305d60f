// A document that is handed over directly: text, or the bytes of a file with everything that is inside it. Durable and searchable when
// it returns; what could not be taken of many is told with the first of those that could.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { overLimit } from '@footnote/readers/file-size';
import { refusedByName } from '@footnote/readers/registry/sniff';
import { refuseAddressSecrets } from '../../core/addresses.ts';
import { shownPlace } from '../../core/connector.ts';
import type { Delivery, DocumentRecord, Source, SourceType } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { defined } from '../../core/values/defined.ts';
import type { Demand } from '../../core/waiting/demand.ts';
import { limitByKey } from '../../core/waiting/limit-concurrency.ts';
import type { WrittenStore } from '../../stores/embedded/port.ts';
import type { Opening } from '../read/passwords.ts';
import { isReadAgain } from '../read/reading-editions.ts';
import { createReadingStamps } from '../read/reading-stamps.ts';
import { bringDocument, queueDocument } from '../write/bring-within.ts';
import { type DocumentFacts, isUnchanged, type PreparePorts } from '../write/prepare.ts';
import { placeErrors, type Writer } from '../write/writer.ts';
import { addWarning, type IncomingFile } from './incoming.ts';
import { isBelowAny } from './inside.ts';
import type { Intake } from './intake.ts';
import { createParking, failuresOf, maxTries } from './parking.ts';
import { takeFile } from './take-file.ts';
import { isBad, type Known, type Taken } from './taking.ts';

/** A document handed over directly: either `text` or the `bytes` of a file. */
export interface DirectDocument extends Omit<DocumentFacts, 'language' | 'updatedAt'>, Opening {
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

export interface DirectOptions {
  readonly signal?: AbortSignal | undefined;
  /** In the place of the one of all documents: some of the bytes may have been counted before. */
  readonly countBytes?: PreparePorts['countBytes'];
  /** Told of documents before they are written, also where the whole ends early. */
  readonly onWritten?: (documents: readonly DocumentRecord[]) => void;
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

/** After so many documents of an archive, some 3 ms, the event loop serves others. */
const documentsTogether = 200;

/** Of many documents: each may be damaged in a record that takes the others. */
const endsAll: ReadonlySet<string> = new Set([...placeErrors].filter((code) => code !== 'data-corrupt'));

function readBytes(document: DirectDocument, maxBytes: number): Uint8Array {
  if ((document.text === undefined) === (document.bytes === undefined))
    throw new FootnoteError('invalid-request', 'A document needs either `text` or a file, and not both.');
  const bytes = document.bytes ?? new TextEncoder().encode(document.text);
  if (bytes.byteLength === 0)
    throw new FootnoteError('invalid-media', 'The document is empty. Send one with text.', {
      details: { reason: 'no-text' },
    });
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

interface TakenOne {
  readonly taken: Taken;
  readonly isInner: boolean;
}

/** The file itself, then what came out of it, in order. */
function* everyOf(taken: Taken, isInner = false): Generator<TakenOne> {
  yield { taken, isInner };
  for (const inner of taken.inside ?? []) yield* everyOf(inner, true);
}

export const usualSource = 'uploads';

async function sourceFor(
  { record }: DirectPorts,
  document: DirectDocument,
): Promise<{ source: Source; isNew: boolean }> {
  const name = document.source ?? usualSource;
  const present = await record.sources.get(name);
  if (present?.damaged) throw damagedSource(name);
  if (present?.connector)
    throw new FootnoteError(
      'conflict',
      `Source "${name}" mirrors ${shownPlace(present.connector)}: what is added by hand would vanish with the next sync. Put it there, or name another source.`,
    );
  if (present) return { source: present, isNew: false };
  return { source: { name, type: document.sourceType ?? 'docs' }, isNew: true };
}

/** What the record knows, asked where it is needed. */
function knownOf(ports: DirectPorts, source: Source, reread: boolean | undefined): Omit<Known, 'mayHoldLines'> {
  const isCurrent = (present: DocumentRecord): boolean =>
    !isReadAgain(present.reading, { reread, editionOf: ports.editionOf });
  return {
    container: (uri) => ports.record.readings.container(source.name, uri),
    isSame: (document, recorded) => isUnchanged(recorded, document),
    async stays({ uri, contentHash, origin }, recorded, state) {
      const isWhole = state === undefined || (state.isComplete && state.contentHash === contentHash);
      if (!isWhole || !isCurrent(recorded)) return undefined;
      const outermost = origin?.['container'];
      const container = typeof outermost === 'string' ? outermost : uri;
      const inside = state === undefined ? [] : await documentsInside(ports, { source: source.name, uri, container });
      if (!inside.every(isCurrent)) return undefined;
      const [own, ...others] = [recorded, ...inside].map(
        (document): Taken => ({ uri: document.uri, state: 'unchanged', document, isComplete: true }),
      );
      return own && { ...own, inside: others };
    },
  };
}

/** Brings a document to the stores that were asked for and lack it. Throws why one within the record could not take it. */
async function completeDeliveries(
  { record, stores, clock, onChange }: DirectPorts,
  { id, names }: { readonly id: string; readonly names: readonly string[] | undefined },
  signal?: AbortSignal,
): Promise<Deliveries> {
  const known = await record.documents.deliveries(id);
  for (const store of stores) {
    if (names && !names.includes(store.name)) continue;
    const delivery = known.find((one) => one.store === store.name);
    if (delivery?.status === 'delivered') continue;
    const { name, entries, prepare } = store;
    if (entries && prepare) {
      const within = { store: { name, entries, prepare }, documentId: id };
      const error = await bringDocument({ record, clock }, within, signal).finally(onChange);
      if (error) throw error;
    } else if (delivery?.status !== 'pending') await queueDocument({ record, clock }, id, name).finally(onChange);
  }
  return (await record.documents.deliveries(id)).map(({ store, status }) => ({ store, status }));
}

/** What is told of each document; undefined of what is none. */
async function toOutcome(
  ports: DirectPorts,
  { taken, isInner, names }: TakenOne & { readonly names: readonly string[] | undefined },
  signal?: AbortSignal,
): Promise<Outcome | undefined> {
  const { uri, state, document, deliveries = [], error, warnings = [] } = taken;
  if (error) return isInner && !taken.isLine ? toInnerError(uri, error, taken.isComplete) : error;
  if (document === undefined) return undefined;
  const isDelivered = state === 'done' && deliveries.every((delivery) => delivery.status === 'delivered');
  try {
    return {
      id: document.id,
      uri,
      status: state === 'unchanged' ? 'unchanged' : document.revision > 1 ? 'updated' : 'created',
      chunks: document.chunkCount,
      warnings: [...document.warnings, ...warnings],
      deliveries: isDelivered ? deliveries : await completeDeliveries(ports, { id: document.id, names }, signal),
    };
  } catch (thrown) {
    return toFootnoteError(thrown);
  }
}

/** What an earlier version of the file held, and this one does not. */
async function deleteVanished(ports: DirectPorts, source: string, taken: Taken, signal?: AbortSignal): Promise<void> {
  const all = [...everyOf(taken)].map((one) => one.taken);
  // What could not be read this time keeps its last revision.
  const unsure = new Set(
    all.filter((one) => isBad(one) || (one.chunks !== undefined && !one.isComplete)).map(({ uri }) => uri),
  );
  const there = new Set(all.map(({ uri }) => uri));
  const gone = (await documentsInside(ports, { source, uri: taken.uri })).filter(
    ({ uri }) => !there.has(uri) && !isBelowAny(uri, unsure),
  );
  if (gone.length > 0)
    await ports.writerWith(0).delete(
      gone.map(({ id }) => id),
      signal,
    );
}

function fileOf(document: DirectDocument, source: Source, bytes: Uint8Array): IncomingFile {
  const { text: _, bytes: given, source: __, sourceType: ___, stores: ____, reread, ...said } = document;
  const { name, uri, password, passwords, retry, ...facts } = said;
  if (uri !== undefined) refuseAddressSecrets(uri);
  const mime = facts.mime ?? (given || name !== undefined ? undefined : 'text/plain');
  return {
    source,
    uri: uri ?? name ?? `text:${sha256(bytes).slice(0, 24)}`,
    name: name ?? uri ?? 'text',
    bytes,
    facts: { ...facts, ...(mime !== undefined && { mime }) },
    opening: defined({ password, ...(passwords && { passwords }), ...((retry || reread) && { retry: true }) }),
  };
}

/** Adds one document with all that is inside it. */
export function createDirectIntake(ports: DirectPorts) {
  const { record, clock, maxFileBytes } = ports;
  const { readings } = record;
  const parking = createParking({ readings, clock });
  /** Of one uri: what one version of a file brought, another must not be taking away meanwhile. */
  const inTurn = limitByKey();

  async function take(
    document: DirectDocument,
    { bytes, signal, onWritten, countBytes = ports.countBytes }: DirectOptions & { readonly bytes: Uint8Array },
  ): Promise<readonly DirectResult[]> {
    const { source, isNew } = await sourceFor(ports, document);
    const file = fileOf(document, source, bytes);
    const { uri } = file;
    const { reread, stores: names } = document;
    // Files out of one file share transactions: a commit waits for the disk, and others with it.
    const writerWith = (lingerMs: number): Writer => {
      const writer = ports.writerWith(lingerMs);
      const put: Writer['put'] = (prepared) => {
        onWritten?.(prepared.map(({ write }) => write.document));
        return writer.put(prepared);
      };
      return { ...writer, put };
    };
    const [atOnce, together] = [writerWith(0), writerWith(100)];
    const stamps = createReadingStamps(record);
    const wasContainer = (await readings.container(source.name, uri)) !== undefined;
    const begun = await takeFile(
      {
        ...ports,
        countBytes,
        source,
        parking,
        stamps,
        reread,
        endsAll,
        along: { ...(names && { stores: names }), ...(isNew && { newSource: source }) },
        failures: isNew ? [] : await failuresOf(readings, source.name, { at: uri }),
        known: { ...knownOf(ports, source, reread), mayHoldLines: !isNew },
        tellsLines: true,
        writerOf: ({ inside }, what) => (what === 'lines' ? writerWith(50) : inside ? together : atOnce),
      },
      file,
      signal,
    );
    const taken = await begun.outcome;
    /** Lines that could not be read, and files inside. */
    const warnings: string[] = [];
    const outcomes: Outcome[] = [];
    for (const one of everyOf(taken)) {
      const outcome = await toOutcome(ports, { ...one, names }, signal);
      if (outcome) outcomes.push(outcome);
      else for (const warning of one.taken.warnings ?? []) addWarning(warnings, warning);
      if (outcomes.length % documentsTogether === documentsTogether - 1) await giveWay(ports.demand);
    }
    const results = collectResults(outcomes, warnings);
    if (wasContainer) await deleteVanished(ports, source.name, taken, signal);
    await stamps.flush();
    return results;
  }

  return async (document: DirectDocument, options: DirectOptions = {}): Promise<readonly DirectResult[]> => {
    const bytes = readBytes(document, maxFileBytes);
    const { source = usualSource, uri = document.name } = document;
    const work = (): Promise<readonly DirectResult[]> => take(document, { ...options, bytes });
    return uri === undefined ? work() : inTurn(`${source}\u0000${uri}`, work, options.signal);
  };
}

async function giveWay(demand: Demand | undefined): Promise<void> {
  await nextTurn();
  await demand?.giveWay();
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
  for await (const documents of record.documents.inside({ source, uri, container })) {
    found.push(...documents);
    await giveWay(demand);
  }
  return found;
}
