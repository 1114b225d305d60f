// Documents to the index and out of it. The service answers before its searches show a write, so nothing is believed until it is seen:
// rows are written, then the index is asked what it holds of the documents, what should not be there is removed, and so on until it shows
// exactly what was sent. Invariant: the same, whatever was written before and whichever answers were lost; a batch that is not seen in
// time is told as failed, never as delivered.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { GivenVectors } from '../check-query.ts';
import type { StoreDeletion, StoreDocument, StoreOutcome } from '../delivered.ts';
import { inHalves, refusedApart } from '../in-halves.ts';
import type { HeldRow } from '../inventory.ts';
import type { AzureIndex, IndexedItem } from './connection.ts';
import { failed, unreadable } from './errors.ts';
import { literal, printAmong } from './odata.ts';
import { markerPrefix, type PreparedRow, rowsOf } from './rows.ts';

/** Of one request. The service takes 16 MB; a slow line has to carry it in the time of a call. */
const mostRows = 1000;
const mostBytes = 4_000_000;
const mostDocuments = 200;
/** What stands in the way of others no longer: whoever made it has ended. */
const oldMarkerMs = 3_600_000;
const slowestPollMs = 2000;

export interface DeliveryOptions {
  readonly tenant: string;
  readonly vectors?: GivenVectors | undefined;
  /** How long the index may take to show what it took. */
  readonly settleMs: number;
  readonly pollMs: number;
  readonly markers: PendingMarkers;
}

/** By id of a document that was taken away: the marker behind its deletion that the index did not show in time. The next try waits for that one too. */
export type PendingMarkers = Map<string, string>;

interface Prepared {
  readonly documentId: string;
  readonly rows: readonly PreparedRow[];
}

type Errors = Map<string, FootnoteError>;

export async function upsertInto(
  index: AzureIndex,
  batch: readonly StoreDocument[],
  { vectors, ...options }: DeliveryOptions & { readonly signal?: AbortSignal | undefined },
): Promise<readonly StoreOutcome[]> {
  const { tenant, markers, signal } = options;
  const errors: Errors = new Map();
  const prepared: Prepared[] = [];
  for (const one of batch)
    try {
      prepared.push({ documentId: one.document.id, rows: rowsOf(one, { tenant, vectors }) });
    } catch (thrown) {
      errors.set(one.document.id, toFootnoteError(thrown));
    }
  await inSlices(prepared, errors, async (slice) => {
    for (const { documentId, rows } of slice) if (rows.length > 0) markers.delete(documentId);
    for (const rows of requestsOf(slice.flatMap((one) => one.rows)))
      note(await uploaded(index, rows, signal), rows, errors);
    const written = slice.filter(({ documentId }) => !errors.has(documentId));
    const settling = { ...options, signal, errors };
    // Of a document without text nothing is written that could be waited for.
    const isSeen = written.every(({ rows }) => rows.length > 0);
    await (isSeen ? settle(index, written, settling) : settleBehindMarker(index, written, settling));
  });
  return batch.map(({ document }) => outcomeOf(document.id, errors));
}

export async function deleteFrom(
  index: AzureIndex,
  batch: readonly StoreDeletion[],
  options: DeliveryOptions & { readonly signal?: AbortSignal | undefined },
): Promise<readonly StoreOutcome[]> {
  const errors: Errors = new Map();
  const gone = batch.map(({ documentId }) => ({ documentId, rows: [] }));
  await inSlices(gone, errors, async (slice) => {
    await settleBehindMarker(index, slice, { ...options, signal: options.signal, errors });
  });
  return batch.map(({ documentId }) => outcomeOf(documentId, errors));
}

const outcomeOf = (documentId: string, errors: Errors): StoreOutcome => {
  const error = errors.get(documentId);
  return error ? { documentId, error } : { documentId };
};

const isRefused = ({ details }: FootnoteError): boolean => details['status'] === 400;

/** What fails all is thrown; what fails after some were delivered is told of the rest. */
async function inSlices(
  all: readonly Prepared[],
  errors: Errors,
  work: (slice: readonly Prepared[]) => Promise<void>,
): Promise<void> {
  const slices: Prepared[][] = [];
  let rows = 0;
  for (const one of all) {
    const last = slices.at(-1);
    if (last && rows + one.rows.length <= mostRows && last.length < mostDocuments) last.push(one);
    else {
      slices.push([one]);
      rows = 0;
    }
    rows += one.rows.length;
  }
  for (const [at, slice] of slices.entries())
    try {
      await refusedApart(slice, {
        send: work,
        isOfOne: isRefused,
        note(some, error) {
          if (isRefused(error)) for (const { documentId } of some) errors.set(documentId, error);
          return isRefused(error);
        },
      });
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      if (at === 0 || error.code === 'cancelled') throw error;
      for (const { documentId } of slices.slice(at).flat()) errors.set(documentId, error);
      return;
    }
}

function requestsOf(rows: readonly PreparedRow[]): readonly (readonly PreparedRow[])[] {
  const requests: PreparedRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const last = requests.at(-1);
    if (last && last.length < mostRows && bytes + row.bytes <= mostBytes) last.push(row);
    else {
      requests.push([row]);
      bytes = 0;
    }
    bytes += row.bytes;
  }
  return requests;
}

/** A row that is too large by itself costs its document alone. */
const uploaded = (
  index: AzureIndex,
  all: readonly PreparedRow[],
  signal: AbortSignal | undefined,
): Promise<readonly IndexedItem[]> =>
  inHalves(all, {
    send: (rows) =>
      index.upload(
        rows.map(({ row }) => row),
        signal,
      ),
    tooLarge: ({ key }, error) => [{ key, error }],
  });

function note(items: readonly IndexedItem[], rows: readonly PreparedRow[], errors: Errors): void {
  for (const [at, { error }] of items.entries()) if (error) errors.set(String(rows[at]?.row['documentId']), error);
}

interface SettleOptions {
  readonly tenant: string;
  readonly settleMs: number;
  readonly pollMs: number;
  readonly markers: PendingMarkers;
  readonly signal: AbortSignal | undefined;
  readonly errors: Errors;
  readonly marker?: { readonly key: string };
}

/** Until the index shows of each document its rows and no others; what it does not show in time is noted as failed. */
async function settle(index: AzureIndex, documents: readonly Prepared[], options: SettleOptions): Promise<void> {
  const { settleMs, pollMs, markers, signal, errors, marker } = options;
  const start = performance.now();
  let open = documents;
  for (let pauseMs = pollMs; open.length > 0; pauseMs = Math.min(pauseMs * 1.5, slowestPollMs)) {
    const shown = await listed(index, open, options);
    const seen = new Set(shown.map(({ key }) => key));
    /** Of what has rows, these tell: whatever was written before them is seen with them. */
    const isMarked = ({ documentId, rows }: Prepared): boolean =>
      rows.length > 0 || marker === undefined || seen.has(marker.key) || seen.has(markers.get(documentId) ?? '');
    const wanted = new Map(open.flatMap(({ rows }) => rows.map(({ key, stamp }) => [key, stamp] as const)));
    const old = Date.now() - oldMarkerMs;
    const stale = shown.filter(({ key }) =>
      key.startsWith(markerPrefix) ? key !== marker?.key && Number(key.split('-')[1]) < old : !wanted.has(key),
    );
    for (let at = 0; at < stale.length; at += mostRows) {
      const part = stale.slice(at, at + mostRows);
      const items = await index.remove(
        part.map(({ key }) => key),
        signal,
      );
      for (const [place, { error }] of items.entries()) if (error) errors.set(part[place]?.documentId ?? '', error);
    }
    const stamps = new Map(shown.map(({ key, stamp }) => [key, stamp]));
    const unsettled = new Set(stale.map(({ documentId }) => documentId));
    open = open.filter((one) => {
      const { documentId, rows } = one;
      if (errors.has(documentId)) return false;
      return !isMarked(one) || unsettled.has(documentId) || rows.some(({ key, stamp }) => stamps.get(key) !== stamp);
    });
    if (open.length === 0) return;
    if (performance.now() - start + pauseMs > settleMs) break;
    try {
      await sleep(pauseMs, undefined, { ...(signal && { signal }) });
    } catch {
      throw abortError(signal);
    }
  }
  for (const { documentId } of open)
    errors.set(
      documentId,
      failed('upstream-unavailable', `took the document ${documentId} but its searches do not show it yet.`, {
        retryAfterMs: 5000,
        unseen: true,
      }),
    );
}

/** Writes whose answers were lost may still be on their way to the searches: once a marker that was written after them is seen, so are they. */
async function settleBehindMarker(
  index: AzureIndex,
  documents: readonly Prepared[],
  options: SettleOptions,
): Promise<void> {
  const { tenant, markers, signal, errors } = options;
  const stamp = randomUUID();
  const marker = { key: `${markerPrefix}${Date.now()}-${stamp}`, documentId: '', tenant, ordinal: -1, stamp };
  const [item] = await index.upload([marker], signal);
  if (item?.error) throw item.error;
  await settle(index, documents, { ...options, marker });
  const seen = new Set([marker.key]);
  let isWaited = false;
  for (const { documentId, rows } of documents) {
    const before = markers.get(documentId);
    const isOpen = rows.length === 0 && errors.get(documentId)?.details['unseen'] === true;
    if (isOpen && before === undefined) markers.set(documentId, marker.key);
    isWaited ||= markers.get(documentId) === marker.key;
    if (isOpen) continue;
    markers.delete(documentId);
    if (before !== undefined) seen.add(before);
  }
  if (isWaited) seen.delete(marker.key);
  // What is left of them is nobody's hit, and is removed by a later deletion.
  const waited = new Set(markers.values());
  const left = [...seen].filter((key) => !waited.has(key));
  if (left.length > 0) await index.remove(left, signal).catch(() => undefined);
}

/** All that the index shows of a tenant, without markers. */
export const listedOf = (index: AzureIndex, tenant: string, signal?: AbortSignal): Promise<readonly HeldRow[]> =>
  listedWhere(index, `(tenant eq ${literal(tenant)}) and (ordinal ge 0)`, signal);

/** All that the index shows of these documents, and the markers with it where one is waited for. */
async function listed(
  index: AzureIndex,
  documents: readonly Prepared[],
  { tenant, marker, signal }: SettleOptions,
): Promise<readonly HeldRow[]> {
  const among = printAmong(
    'documentId',
    documents.map(({ documentId }) => documentId),
  );
  const markers = marker ? ' or ordinal eq -1' : '';
  return listedWhere(index, `(tenant eq ${literal(tenant)}) and ((${among})${markers})`, signal);
}

async function listedWhere(
  index: AzureIndex,
  condition: string,
  signal: AbortSignal | undefined,
): Promise<readonly HeldRow[]> {
  const found: HeldRow[] = [];
  for (;;) {
    const after = found.at(-1);
    const { rows } = await index.search(
      {
        text: '*',
        filter: `${condition}${after ? ` and key gt ${literal(after.key)}` : ''}`,
        select: ['key', 'documentId', 'stamp'],
        orderBy: ['key asc'],
        top: mostRows,
      },
      signal,
    );
    for (const { row } of rows) found.push(listedRow(row));
    if (rows.length < mostRows) return found;
  }
}

function listedRow({ key, documentId, stamp }: Readonly<Record<string, unknown>>): HeldRow {
  if (typeof key !== 'string') throw unreadable('a row without its key');
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { key, documentId: textOf(documentId), stamp: textOf(stamp) };
}
