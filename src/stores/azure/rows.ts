// Chunks as rows of the index. Invariant: a row's stamp tells all that it holds, so that what the service shows can be compared with what
// was sent, after lost answers and with other revisions beside it.

import type { Chunk } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { toInstant } from '../../db/instant.ts';
import type { GivenVectors } from '../check-query.ts';
import type { StoreDocument } from '../delivered.ts';
import { factsOf } from '../document-facts.ts';
import { termsOf } from '../terms.ts';
import type { AzureRow } from './connection.ts';
import { edition, vectorFieldOf } from './definition.ts';

export interface PreparedRow {
  readonly key: string;
  readonly stamp: string;
  readonly bytes: number;
  readonly row: AzureRow;
}

/** Elements of collections that one row may have. */
const mostElements = 3000;

/** A key as the service takes it: letters, digits, `_`, `-` and `=`. */
export const keyOfChunk = (chunkId: string): string =>
  /^[A-Za-z0-9][\w-]{0,500}$/u.test(chunkId) && !chunkId.startsWith(markerPrefix)
    ? chunkId
    : `id=${Buffer.from(chunkId.toWellFormed()).toString('base64url')}`;

export const markerPrefix = 'marker-';

/** Throws for a document that cannot be kept; the others of its batch can. */
export function rowsOf(
  given: StoreDocument,
  { tenant, vectors }: { readonly tenant: string; readonly vectors?: GivenVectors | undefined },
): readonly PreparedRow[] {
  const { document, chunks } = given;
  const { fields, metadata, keys } = factsOf(document);
  const { id: _, ...plain } = fields;
  if (metadata.length > mostElements)
    throw new FootnoteError(
      'too-large',
      `The document ${document.id} has ${metadata.length} values of metadata; Azure AI Search takes ${mostElements}.`,
      { details: { isFinal: true } },
    );
  const shared = {
    ...plain,
    documentId: document.id,
    tenant,
    isOpen: document.access === undefined,
    access: document.access ?? [],
    revision: document.revision,
    publishedMs: instantOf(fields.publishedAt),
    updatedMs: instantOf(fields.updatedAt),
    metadataKeys: keys,
    metadata: metadata.map(([key, value]) => ({
      key,
      ...(typeof value === 'number' && { number: value }),
      ...(typeof value === 'boolean' && { truth: value }),
      ...(typeof value === 'string' && { text: value, instant: instantOf(value) }),
    })),
    facts: JSON.stringify({ fields, metadata, keys }),
  };
  return chunks.map((chunk, place) => {
    const { terms, language } = termsOf(document, chunk);
    const content = {
      ...shared,
      key: keyOfChunk(chunk.id),
      chunkId: chunk.id,
      ordinal: chunk.ordinal,
      text: chunk.text.toWellFormed(),
      terms,
      termsLanguage: language,
      ...vectorOf(given, { chunk, place, vectors }),
    };
    const printed = JSON.stringify(content);
    const stamp = sha256(`${edition}\u0000${printed}`).slice(0, 32);
    return { key: content.key, stamp, bytes: Buffer.byteLength(printed) + 128, row: { ...content, stamp } };
  });
}

const instantOf = (text: string | undefined): number | null => (text === undefined ? null : (toInstant(text) ?? null));

function vectorOf(
  { document, chunks, vectors: given }: StoreDocument,
  { place, vectors }: { readonly chunk: Chunk; readonly place: number; readonly vectors?: GivenVectors | undefined },
): Readonly<Record<string, readonly number[]>> {
  if (vectors === undefined || given === undefined) return {};
  const { dimensions } = vectors;
  if (given.length !== chunks.length * dimensions)
    throw new FootnoteError(
      'invalid-request',
      `The document ${document.id} has ${given.length} numbers of vectors; its ${chunks.length} chunks need ${dimensions} each.`,
      { details: { isFinal: true } },
    );
  const vector = Array.from(given.subarray(place * dimensions, (place + 1) * dimensions));
  if (!vector.every(Number.isFinite))
    throw new FootnoteError('invalid-request', `The document ${document.id} has a vector that is no vector.`, {
      details: { isFinal: true },
    });
  // The service compares by cosines, which a text that the model knows nothing of has none of.
  return vector.every((one) => one === 0) ? {} : { [vectorFieldOf(vectors)]: vector };
}
