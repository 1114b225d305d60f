// Who may write what, and when a commit is refused: the same in every database. Pure.
import type { DocumentRecord } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import { documentIdOf } from '../core/ids.ts';
import { assertEverySource, hasRole, hasSource, mayReadDocument, type Principal } from '../core/scope.ts';
import { type DocumentRow, isSealed, toDocument } from './document-rows.ts';
import { type Expectation, unmetDetail } from './repositories/changes.ts';

/** A document as its row tells of it. */
export interface Existing extends Pick<DocumentRecord, 'id' | 'source' | 'uri' | 'access' | 'revision'> {
  readonly isDamaged?: true;
}

/** A damaged entry can still be replaced or deleted, or nobody could repair it; who may read it is then not known any more. */
export function toExisting(row: DocumentRow): Existing {
  if (isSealed(row)) return toDocument(row);
  return { id: row.id, source: row.source, uri: row.uri, revision: row.revision, access: [], isDamaged: true };
}

/** Throws `forbidden` for who may only read. */
export function assertWriter(principal: Principal): void {
  if (!hasRole(principal, 'writer'))
    throw new FootnoteError('forbidden', 'This key may read only. Use a key with the role writer or admin.');
}

export function assertOwn(principal: Principal, source: string): void {
  if (!hasSource(principal, source)) assertEverySource(principal);
}

/** Whoever writes a document can read it afterwards. */
export function assertReadable(principal: Principal, document: DocumentRecord): void {
  assertOwn(principal, document.source);
  if (mayReadDocument(principal, document)) return;
  const readers = document.access?.join(', ') || 'nobody';
  throw new FootnoteError(
    'forbidden',
    `This key is in none of the groups that may read the document (${readers}). Name one of its own groups too, or use an admin key.`,
  );
}

/** Throws `conflict` where the entry of this id, or that of this place, is not the writer's to replace. */
export function assertReplaceable(
  principal: Principal,
  document: DocumentRecord,
  { sameId, sameUri }: { readonly sameId: Existing | undefined; readonly sameUri: Existing | undefined },
): void {
  for (const other of [sameId, sameUri])
    if (other && !mayReadDocument(principal, other))
      throw new FootnoteError(
        'conflict',
        other.isDamaged
          ? `The entry of document ${other.id} is damaged, so nobody knows who may change it. Ingest it again with an admin key.`
          : `A document ${document.id} exists that this key may not change.`,
      );
  // A damaged entry is of the same document where its id is made of this place, or its uri is this one.
  const isOwn =
    sameId?.isDamaged &&
    (sameId.uri === document.uri.toWellFormed() || documentIdOf(document.source, document.uri) === document.id);
  if (sameId && sameId.source !== document.source && !isOwn)
    throw new FootnoteError(
      'conflict',
      `Source ${sameId.source} already holds a document ${document.id}. Give the one of source ${document.source} another id.`,
    );
  if (sameUri && sameUri.id !== document.id && !sameUri.isDamaged)
    throw new FootnoteError(
      'conflict',
      `${document.uri} is already recorded in source ${document.source} as document ${sameUri.id}. Delete that one first, or write under its id.`,
    );
}

/** A delivery of a document that is not there, or that the writer may not read. */
export const undeliverable = (documentId: string): FootnoteError =>
  new FootnoteError('not-found', `No document ${documentId}: its delivery cannot be recorded.`);

export const stillHolds = (source: string): FootnoteError =>
  new FootnoteError('conflict', `Source ${source} still holds documents. Remove them first.`);

export const noIndex = (store: string): FootnoteError =>
  new FootnoteError('internal', `No store within the record is called ${store}.`);

const unmet = (expected: Expectation, message: string): FootnoteError =>
  new FootnoteError('conflict', message, { details: { [unmetDetail]: expected } });

type ExpectedSource = Extract<Expectation, { readonly kind: 'source' }>;
type ExpectedDocument = Extract<Expectation, { readonly kind: 'document' }>;

export function assertSourceThere(expected: ExpectedSource, isThere: boolean): void {
  if (!isThere) throw unmet(expected, `Source ${expected.name} was removed meanwhile: nothing is added to it.`);
}

export function assertUnchanged(principal: Principal, expected: ExpectedDocument, found: Existing | undefined): void {
  const seen = found && mayReadDocument(principal, found) ? found.revision : 'none';
  if (found?.isDamaged !== true && seen === expected.revision) return;
  throw unmet(expected, `Document ${expected.id} was changed meanwhile: nothing is written on what it was before.`);
}
