// Chunks as documents of a collection, and the marks by which a scope finds what it may see. Invariant: a stamp tells all that a row holds; marks are
// hashes, so that no name can pass for another kind of mark.
import { sha256 } from '../../core/ids.ts';
import { accessNames, defaultTenant, type Scope } from '../../core/scope.ts';
import type { GivenVectors } from '../check-query.ts';
import type { StoreDocument } from '../delivered.ts';
import { factsOf } from '../document-facts.ts';
import { failed } from './errors.ts';

export interface Row {
  readonly id: string;
  readonly documentId: string;
  readonly stamp: string;
  /** Of the row as it is sent, hardly less. */
  readonly bytes: number;
  readonly fields: Readonly<Record<string, string | number | readonly string[]>>;
  /** As a list in JSON: numbers take longest to print, and are printed once. */
  readonly vector: string | undefined;
}

export const collectionOf = (base: string, tenant: string): string =>
  tenant === defaultTenant ? base : `${base}-${sha256(tenant).slice(0, 16)}`;

/** Numbers of one vector. */
const mostDimensions = 2048;
/** Of what is sent around each number of a vector. */
const numberBytes = 18;

const rowIdOf = (chunkId: string): string =>
  /^[A-Za-z0-9][\w-]{0,500}$/u.test(chunkId)
    ? chunkId
    : `id=${Buffer.from(chunkId.toWellFormed()).toString('base64url')}`;

const nameMark = (name: string): string => `to:${sha256(name).slice(0, 32)}`;

/** Marks of what a scope may see; any of them is enough. A hash cannot be mistaken for another kind of mark. */
export const marksOf = ({ tenant, principal }: Scope): readonly string[] =>
  principal.role === 'admin'
    ? [tenantMark(tenant)]
    : ['open', ...accessNames(principal).map(nameMark)].map((mark) => `${tenantMark(tenant)} ${mark}`);

const tenantMark = (tenant: string): string => `in:${sha256(tenant).slice(0, 32)}`;

export const fieldOf = ({ space, dimensions }: GivenVectors): string =>
  `vector_${sha256(`${space}\u0000${dimensions}`).slice(0, 12)}`;

export function rowsOf(
  { document, chunks, vectors: given }: StoreDocument,
  tenant: string,
  vectors: GivenVectors | undefined,
): readonly Row[] {
  const { access } = document;
  const own = tenantMark(tenant);
  const readers = access === undefined ? ['open'] : access.map(nameMark);
  const shared = {
    documentId: document.id,
    tenant,
    revision: document.revision,
    marks: [own, ...readers.map((reader) => `${own} ${reader}`)],
    facts: JSON.stringify(factsOf(document)),
  };
  if (given !== undefined && vectors !== undefined && given.length !== chunks.length * vectors.dimensions)
    throw failed(
      'invalid-request',
      `is given ${given.length} numbers for the ${chunks.length} chunks of ${document.id}, not ${vectors.dimensions} each.`,
      { isFinal: true },
    );
  if (vectors !== undefined && vectors.dimensions > mostDimensions)
    throw failed(
      'unsupported',
      `keeps vectors of at most ${mostDimensions} numbers, and the model gives ${vectors.dimensions}. Put @${mostDimensions} after its name in MODEL_EMBED.`,
      { isFinal: true },
    );
  return chunks.map((chunk, place) => {
    const vector =
      given && vectors && Array.from(given.subarray(place * vectors.dimensions, (place + 1) * vectors.dimensions));
    if (vector && !vector.every(Number.isFinite))
      throw failed('invalid-request', `is given a vector of ${document.id} that is none.`, { isFinal: true });
    // A text that the model knows nothing of is near to nothing.
    const isKnown = vector?.some((one) => one !== 0) === true;
    const fields = { ...shared, chunkId: chunk.id, ordinal: chunk.ordinal, text: chunk.text.toWellFormed() };
    const [printed, numbers] = [JSON.stringify(fields), vector && JSON.stringify(vector)];
    const stamp = sha256(`[${printed},${numbers ?? 'null'}]`).slice(0, 32);
    const near = isKnown && numbers !== undefined ? numbers : undefined;
    return {
      id: rowIdOf(chunk.id),
      documentId: document.id,
      stamp,
      bytes:
        Buffer.byteLength(printed) * 1.5 +
        (near === undefined ? 0 : near.length + numberBytes * (vectors?.dimensions ?? 0)),
      fields: { ...fields, stamp },
      vector: near,
    };
  });
}
