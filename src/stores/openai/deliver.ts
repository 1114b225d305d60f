// Brings documents into a tenant's vector store and takes them out: one file each. A file is uploaded, indexed with what is known of its
// document, waited for, and only then are older files of the document taken out of the index and deleted. Invariants: whatever is cut off
// at any point, doing it again ends in exactly one file for each document that was delivered and none for one that was deleted; nothing
// that is found in the index again is uploaded twice; each document has its own outcome.
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { limitConcurrency } from '../../core/waiting/limit-concurrency.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { StoreDeletion, StoreDocument, StoreOutcome } from '../delivered.ts';
import { refusedApart } from '../in-halves.ts';
import { attributeNames, attributesOf, encodeText, hasAttributes } from './attributes.ts';
import { type CanonicalFile, canonicalFileOf } from './canonical-file.ts';
import type { AttachedFile, Attributes, VectorStoreClient } from './client.ts';
import { isMissing, wasRefused } from './errors.ts';
import { isOfItems, notIndexed, notIndexedYet, notYet, outcomeOf, throwIfAll, unlessMissing } from './outcomes.ts';
import { createPatience } from './patience.ts';
import { removeLeft, sweep } from './sweep.ts';
import {
  addHeld,
  addLoose,
  type Directory,
  forget,
  type HeldFile,
  heldOf,
  looseOf,
  type TenantPlace,
  toHeld,
} from './tenant-place.ts';

export interface DeliveryOptions {
  readonly client: VectorStoreClient;
  readonly place: TenantPlace;
  readonly tenant: string;
  /** Uploads and deletions of one batch under way at once. */
  readonly callsAtOnce: number;
  /** How long indexing is waited for; afterwards the outcome says that it goes on. */
  readonly indexTimeoutMs: number;
  /** First pause between two looks at what is being indexed; it grows to eight times that. */
  readonly pollMs: number;
  readonly elapsedMs: () => number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface Delivering {
  upsert(batch: readonly StoreDocument[], signal?: AbortSignal): Promise<readonly StoreOutcome[]>;
  delete(batch: readonly StoreDeletion[], signal?: AbortSignal): Promise<readonly StoreOutcome[]>;
}

/** One document on its way. */
interface Item {
  readonly documentId: string;
  readonly attributes: Attributes;
  readonly file: CanonicalFile | undefined;
  /** The vendor's file that holds this text. */
  fileId?: string;
  /** The batch that it was indexed with. */
  batchId?: string;
  /** In the index and ready. */
  isReady?: boolean;
  error?: FootnoteError;
}

/** Of the 2,000 that the vendor takes: all of them are uploaded and indexed within the time of one call. */
export const mostInBatch = 500;
const slowestPolls = 8;
/** Of the time for indexing, in which the files of a batch must be known there. */
const comingShare = 0.25;

export function createDelivering(options: DeliveryOptions): Delivering {
  const { client, place, tenant, callsAtOnce, indexTimeoutMs, pollMs, elapsedMs, wait } = options;
  // What one call reads of the directory another must not be changing.
  const oneAtOnce = limitConcurrency(1);
  const patience = createPatience();
  /** The vendor takes no more: the others of the same step do not ask. */
  let limited: FootnoteError | undefined;

  /** What failed without a clear word of the vendor may have been done all the same. */
  function judged(thrown: unknown): FootnoteError {
    const error = toFootnoteError(thrown);
    if (!wasRefused(error)) place.doubt();
    if (!isMissing(error)) return error;
    // The file, or all of the vector store: the list that is read next tells.
    place.doubt();
    return new FootnoteError(
      'upstream-unavailable',
      'What was to be indexed is not at OpenAI any more. Deliver it again.',
    );
  }

  const opened = (signal?: AbortSignal): Promise<Directory> =>
    place.open(signal).catch((thrown: unknown) => {
      throw place.gone(thrown);
    });

  /** Ends when all have ended: nothing is left under way. */
  async function each<T>(items: readonly T[], work: (item: T) => Promise<void>, signal?: AbortSignal): Promise<void> {
    const lanes = limitConcurrency(callsAtOnce);
    limited = undefined;
    const ended = await Promise.allSettled(items.map((item) => lanes(() => work(item), signal)));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  /** The file's own failure; the caller's abort ends everything. */
  async function attempt(item: Item, work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    if (limited) item.error ??= limited;
    if (item.error) return;
    try {
      await work();
    } catch (thrown) {
      const error = judged(thrown);
      if (signal?.aborted) throw abortError(signal);
      if (error.code === 'rate-limited') limited = error;
      item.error = error;
    }
  }

  /** What is there no more is no error, once the vendor says so of the file itself too. */
  async function remove(directory: Directory, documentId: string, fileId: string, signal?: AbortSignal): Promise<void> {
    const { storeId } = directory;
    const wasIndexed = await client.detach(storeId, fileId, signal).then(() => true, unlessMissing);
    const wasThere = await place.taking(fileId, client.removeUploaded(fileId, signal)).then(() => true, unlessMissing);
    if (!wasIndexed && !wasThere && place.isComing(fileId)) throw notIndexedYet(documentId);
    if (!wasIndexed && !wasThere && (await client.attached(storeId, fileId, signal).then(() => true, unlessMissing)))
      throw new FootnoteError(
        'upstream-unavailable',
        'OpenAI reports a file as both present and missing. Deliver the document again.',
      );
    forget(directory, documentId, fileId);
  }

  /** Whoever brings again what is known to be there may have found that it is not. One word is not believed of that: such a file goes with the older ones. */
  async function isStillThere(
    { storeId }: Directory,
    { attributes }: Item,
    { fileId, attributes: held }: HeldFile,
    signal?: AbortSignal,
  ): Promise<boolean> {
    // A list may be of a moment ago; a file whose attributes change is asked for by that.
    return !hasAttributes(held, attributes) || client.attached(storeId, fileId, signal).then(() => true, unlessMissing);
  }

  /** Of a file that was waited for often enough: it is taken away, unless it is ready after all. */
  async function isStuck(
    directory: Directory,
    { documentId }: Item,
    { fileId, status }: HeldFile,
    signal?: AbortSignal,
  ): Promise<boolean> {
    if (status === 'completed' || !patience.isOver(documentId, fileId)) return false;
    if ((await client.attached(directory.storeId, fileId, signal)).status !== 'in_progress') return false;
    await remove(directory, documentId, fileId, signal);
    patience.sentAnew(documentId, fileId);
    return true;
  }

  /** A file with the item's text: in the index already, uploaded before, or uploaded now. */
  async function provide(directory: Directory, item: Item, file: CanonicalFile, signal?: AbortSignal): Promise<void> {
    const same = heldOf(directory, item.documentId).filter(
      ({ attributes, status }) =>
        attributes[attributeNames.textHash] === file.textHash && (status === 'completed' || status === 'in_progress'),
    );
    const ready = same.filter(({ status }) => status === 'completed');
    for (const indexed of [...ready, ...same.filter((one) => !ready.includes(one))]) {
      if (!(await isStillThere(directory, item, indexed, signal))) continue;
      if (await isStuck(directory, item, indexed, signal)) continue;
      const { fileId } = indexed;
      item.fileId = fileId;
      item.isReady = indexed.status === 'completed';
      if (hasAttributes(indexed.attributes, item.attributes)) return;
      const now = await client.describe(directory.storeId, { fileId, attributes: item.attributes }, signal);
      addHeld(directory, encodeText(item.documentId), toHeld({ ...now, attributes: { ...item.attributes } }));
      return;
    }
    const [uploaded] = directory.loose.get(file.name) ?? [];
    item.fileId = uploaded ?? (await client.upload(file, signal)).id;
    if (uploaded === undefined) place.noteUploaded(file.name, item.fileId);
    addLoose(directory, file.name, item.fileId);
  }

  /** Puts uploaded files into the index. */
  async function index(directory: Directory, items: readonly Item[], signal?: AbortSignal): Promise<void> {
    const { storeId } = directory;
    const isIndexed = ({ documentId, fileId }: Item): boolean =>
      heldOf(directory, documentId).some((held) => held.fileId === fileId);
    const fresh = items.filter((item) => !item.error && item.fileId !== undefined && !isIndexed(item));
    const toAttachment = ({ fileId = '', attributes }: Item) => ({ fileId, attributes });
    const note = (item: Item, held: HeldFile): void => {
      place.noteKnown(held.fileId);
      forget(directory, item.documentId, held.fileId);
      addHeld(directory, encodeText(item.documentId), held);
    };
    async function send(some: readonly Item[]): Promise<void> {
      const [first] = some;
      try {
        if (first && some.length === 1)
          return note(first, toHeld(await client.attach(storeId, toAttachment(first), signal)));
        const { id: batchId } = await client.attachAll(storeId, some.map(toAttachment), signal);
        for (const item of some) {
          const { fileId = '', attributes } = item;
          item.batchId = batchId;
          note(item, { fileId, attributes, status: 'in_progress' });
        }
      } catch (thrown) {
        throw judged(thrown);
      }
    }
    const failed = (some: readonly Item[], error: FootnoteError): true => {
      if (signal?.aborted) throw abortError(signal);
      for (const item of some) item.error = error;
      return true;
    };
    for (let at = 0; at < fresh.length; at += mostInBatch) {
      const some = fresh.slice(at, at + mostInBatch);
      // One that is refused costs the others of its batch nothing.
      await refusedApart(some, { send, isOfOne: isOfItems, note: failed }).catch((thrown: unknown) =>
        failed(some, toFootnoteError(thrown)),
      );
    }
  }

  /** Looks until all are ready, failed, or the time is over. */
  async function settle(directory: Directory, items: readonly Item[], signal?: AbortSignal): Promise<void> {
    const { storeId } = directory;
    const endsAt = elapsedMs() + indexTimeoutMs;
    const comesUntil = elapsedMs() + indexTimeoutMs * comingShare;
    const open = (): Item[] => items.filter((item) => !item.error && !item.isReady && item.fileId !== undefined);
    const look = async (item: Item, seen?: AttachedFile): Promise<void> => {
      const { fileId = '', documentId } = item;
      const now =
        seen ??
        (await client.attached(storeId, fileId, signal).catch((thrown: unknown) => {
          if (!isMissing(thrown)) throw thrown;
          // The files of a batch may come into the index later than its answer.
          if (item.batchId !== undefined && elapsedMs() < comesUntil) return undefined;
          throw notIndexed(documentId, 'its file was not taken');
        }));
      if (now === undefined) return;
      addHeld(directory, encodeText(documentId), { ...toHeld(now), attributes: item.attributes });
      if (now.status === 'completed') {
        item.isReady = true;
        patience.ready(documentId, fileId);
      }
      if (now.status === 'completed' || now.status === 'in_progress') return;
      // What the vendor cannot read is not left there; what it failed at is tried with a new file.
      await remove(directory, documentId, fileId, signal);
      const isFinal = now.last_error?.code === 'unsupported_file' || now.last_error?.code === 'invalid_file';
      throw notIndexed(documentId, isFinal ? 'it cannot read the file' : 'indexing failed there', isFinal);
    };
    /** Files of a batch are listed together; one that is not listed is asked for by itself. */
    const lookAtBatches = async (): Promise<ReadonlyMap<string, AttachedFile>> => {
      const ids = new Set(open().flatMap(({ batchId }) => batchId ?? []));
      const lists = [...ids].map((batchId) =>
        client.batchFiles(storeId, batchId, signal).catch((): readonly AttachedFile[] => {
          if (signal?.aborted) throw abortError(signal);
          // Each is asked for by itself then.
          return [];
        }),
      );
      return new Map((await Promise.all(lists)).flat().map((file) => [file.id, file]));
    };
    for (let round = 0; ; round += 1) {
      const seen = await lookAtBatches();
      await each(open(), (item) => attempt(item, () => look(item, seen.get(item.fileId ?? '')), signal), signal);
      const left = open();
      if (left.length === 0) return;
      const pauseMs = Math.min(pollMs * 1.5 ** round, pollMs * slowestPolls);
      if (elapsedMs() + pauseMs > endsAt) {
        for (const item of left) {
          const { documentId, fileId = '' } = item;
          patience.waitedInVain(fileId);
          item.error = notYet(documentId, indexTimeoutMs);
        }
        return;
      }
      await wait(pauseMs, signal);
      if (signal?.aborted) throw abortError(signal);
    }
  }

  async function deliver(batch: readonly StoreDocument[], signal?: AbortSignal): Promise<readonly StoreOutcome[]> {
    const directory = await opened(signal);
    // Of a document that is there twice, the last counts.
    const items = new Map<string, Item>();
    for (const { document, chunks } of batch) {
      const file = canonicalFileOf(directory.storeId, document.id, chunks);
      const facts = { chunks: chunks.length, textHash: file?.textHash ?? '' };
      items.set(document.id, { documentId: document.id, file, attributes: attributesOf(tenant, document, facts) });
    }
    const all = [...items.values()];
    const wanted = new Set(all.map(({ file }) => file?.name));
    await sweep({ client, tenant, directory, place }, { isWanted: (name) => wanted.has(name), each }, signal);
    await each(
      all,
      (item) =>
        attempt(item, async () => (item.file ? provide(directory, item, item.file, signal) : undefined), signal),
      signal,
    );
    await index(directory, all, signal);
    const refused = all.find(({ error }) => error && isOfItems(error))?.error;
    const whole = refused && (await place.expired(refused, signal));
    if (whole !== refused) throw whole;
    await settle(directory, all, signal);
    await each(
      all,
      (item) =>
        attempt(
          item,
          async () => {
            const held = heldOf(directory, item.documentId).map(({ fileId }) => fileId);
            const others = [...held, ...looseOf(directory, item.documentId)].filter((id) => id !== item.fileId);
            for (const fileId of others) await remove(directory, item.documentId, fileId, signal);
          },
          signal,
        ),
      signal,
    );
    throwIfAll(all);
    return batch.map(({ document: { id } }) => outcomeOf(items.get(id) as Item));
  }

  async function withdraw(batch: readonly StoreDeletion[], signal?: AbortSignal): Promise<readonly StoreOutcome[]> {
    if ((await place.find(signal)) === undefined) return removeLeft(client, batch, signal);
    const directory = await opened(signal);
    const items = new Map<string, Item & { readonly hint: string | undefined }>();
    for (const { documentId, storeDocumentId: hint } of batch)
      items.set(documentId, { documentId, attributes: {}, file: undefined, hint });
    await sweep({ client, tenant, directory, place }, { isWanted: () => false, each }, signal);
    await each(
      [...items.values()],
      (item) =>
        attempt(
          item,
          async () => {
            const { documentId } = item;
            const files = new Set([
              ...heldOf(directory, documentId).map(({ fileId }) => fileId),
              ...looseOf(directory, documentId),
            ]);
            if (
              item.hint !== undefined &&
              !files.has(item.hint) &&
              (await isOf(directory, item.hint, documentId, signal))
            )
              files.add(item.hint);
            for (const fileId of files) await remove(directory, documentId, fileId, signal);
          },
          signal,
        ),
      signal,
    );
    throwIfAll([...items.values()]);
    return batch.map(({ documentId }) => outcomeOf(items.get(documentId) as Item));
  }

  /** A hint is believed where the vendor says the same. */
  async function isOf(
    { storeId }: Directory,
    fileId: string,
    documentId: string,
    signal?: AbortSignal,
  ): Promise<boolean> {
    if (!/^[\w-]{1,200}$/u.test(fileId)) return false;
    try {
      const { attributes } = await client.attached(storeId, fileId, signal);
      return (
        attributes[attributeNames.tenant] === encodeText(tenant) &&
        attributes[attributeNames.documentId] === encodeText(documentId)
      );
    } catch (thrown) {
      if (isMissing(thrown)) return false;
      throw thrown;
    }
  }

  const inTurn = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (signal?.aborted) throw abortError(signal);
    try {
      return await oneAtOnce(work, signal);
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      // Cut off anywhere: what stands there is looked at anew.
      if (signal?.aborted || !wasRefused(error)) place.doubt();
      throw signal?.aborted ? abortError(signal) : error;
    }
  };

  return {
    upsert: (batch, signal) => inTurn(async () => (batch.length === 0 ? [] : deliver(batch, signal)), signal),
    delete: (batch, signal) => inTurn(async () => (batch.length === 0 ? [] : withdraw(batch, signal)), signal),
  };
}
