// Documents as the store keeps them: facts and access list of each, and of its chunks the terms with how often they stand there. No text is kept: a
// hit is looked up in the record. Invariant: a stamp tells all that a row holds, so that what stands there can be compared with what was sent.
import type { Chunk, DocumentRecord } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { toInstant } from '../../db/instant.ts';
import { encodeText } from '../../db/postgres/client/text.ts';
import { createChunkAnalysis } from '../../engine/threads/analysis.ts';
import type { GivenVectors } from '../check-query.ts';
import type { StoreDocument } from '../delivered.ts';
import { type DocumentFacts, factsOf } from '../document-facts.ts';
import { headingsOf, languageOf } from '../embedded/prepare.ts';
import { isTerm } from '../terms.ts';
import { countedLength } from './pack.ts';

/** Of how texts are read and kept: part of every stamp, so that another edition is delivered anew. */
const edition = 1;

export interface PreparedChunk {
  readonly id: string;
  readonly language: string;
  /** In terms, those of the title twice. */
  readonly length: number;
  readonly frequencies: ReadonlyMap<string, number>;
  /** Of length 1; absent where none was given, or the model knows nothing of the text. */
  readonly vector?: Float32Array;
  /** One was given, and cannot be kept. */
  readonly isBare: boolean;
  readonly stamp: string;
}

export interface PreparedDocument {
  readonly id: string;
  readonly stamp: string;
  readonly access: readonly string[] | undefined;
  /** As JSON that PostgreSQL takes. */
  readonly facts: string;
  readonly chunks: readonly PreparedChunk[];
}

/** Facts as filters read them in SQL: fields and their instants, and of metadata the values of each key, texts with theirs. */
export function toStoredFacts({ fields, metadata, keys }: DocumentFacts): string {
  const instantOf = (text: string | undefined) => (text === undefined ? undefined : toInstant(text));
  const element = (value: string | number | boolean) =>
    typeof value === 'string' ? { t: encodeText(value), i: instantOf(value) } : value;
  const byKey = Map.groupBy(metadata, ([key]) => encodeText(key));
  return JSON.stringify({
    f: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, encodeText(value)])),
    i: Object.fromEntries((['publishedAt', 'updatedAt'] as const).map((name) => [name, instantOf(fields[name])])),
    k: keys.map(encodeText),
    m: Object.fromEntries([...byKey].map(([key, all]) => [key, all.map(([, value]) => element(value))])),
  });
}

/** The vector with length 1, so that half the bits of each number hold it well; undefined where it has no direction. */
export function unitVector(given: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const one of given) squares += one * one;
  const length = Math.sqrt(squares);
  return length === 0 ? undefined : given.map((one) => one / length);
}

export const printVector = (vector: Float32Array): string => `[${vector.join(',')}]`;

function vectorsOf({ document, chunks, vectors: given }: StoreDocument, vectors: GivenVectors | undefined) {
  if (vectors === undefined || given === undefined) return () => undefined;
  const { dimensions } = vectors;
  const refused = (what: string): FootnoteError =>
    new FootnoteError('invalid-request', `The document ${document.id} ${what}.`, { details: { isFinal: true } });
  if (given.length !== chunks.length * dimensions)
    throw refused(`has ${given.length} numbers of vectors; its ${chunks.length} chunks need ${dimensions} each`);
  return (place: number): Float32Array | undefined => {
    const own = given.subarray(place * dimensions, (place + 1) * dimensions);
    if (!own.every(Number.isFinite)) throw refused('has a vector that is no vector');
    return unitVector(own);
  };
}

function prepareChunk(
  chunk: Chunk,
  analyze: (chunk: Chunk) => readonly string[],
  given: Pick<PreparedChunk, 'language' | 'vector' | 'isBare'> & { readonly space: string },
): PreparedChunk {
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const term of analyze(chunk)) {
    if (!isTerm(term)) continue;
    length += 1;
    const formed = term.toWellFormed();
    frequencies.set(formed, (frequencies.get(formed) ?? 0) + 1);
  }
  const printed = [...frequencies].map(([term, many]) => `${term} ${many}`).join('\n');
  const { language, vector, isBare, space } = given;
  const of = isBare ? 'bare' : vector === undefined ? '' : `${space} ${sha256(new Uint8Array(vector.buffer))}`;
  const stamp = sha256([edition, chunk.id, language, of, printed].join('\u0000')).slice(0, 32);
  return {
    id: chunk.id,
    language,
    length: countedLength(length),
    frequencies,
    stamp,
    isBare,
    ...(vector && { vector }),
  };
}

/** `vectors`: which are kept; `bare`: such are given, and there is no place for them. Throws for a document that cannot be kept; the others of its batch can. */
export function prepareDocument(given: StoreDocument, vectors: GivenVectors | 'bare' | undefined): PreparedDocument {
  const { document, chunks } = given;
  const language = encodeText(languageOf(given).toWellFormed());
  const analysis = createChunkAnalysis(document.title, language);
  const kept = vectors === 'bare' ? undefined : vectors;
  const isBare = vectors === 'bare' && given.vectors !== undefined;
  const vectorAt = vectorsOf(given, kept);
  const analyze = (chunk: Chunk): readonly string[] => {
    const { fields, extra } = analysis(headingsOf(chunk, document.title), chunk.text);
    return [...fields.flat(), ...extra];
  };
  const facts = toStoredFacts(factsOf(document));
  return {
    id: document.id,
    ...accessOf(document),
    facts,
    stamp: sha256([edition, facts, JSON.stringify(document.access ?? null)].join('\u0000')).slice(0, 32),
    chunks: chunks.map((chunk, place) => {
      const vector = vectorAt(place);
      return prepareChunk(chunk, analyze, { language, isBare, space: kept?.space ?? '', ...(vector && { vector }) });
    }),
  };
}

/** Names as the database can hold them, and as they are compared. */
const accessOf = ({ access }: DocumentRecord): Pick<PreparedDocument, 'access'> => ({
  access: access?.map((name) => encodeText(name.toWellFormed())),
});

/** What `held` tells of a document, as SQL makes it of its rows. */
export function hashOf({ stamp, chunks }: PreparedDocument): string {
  const lines = chunks.map((chunk) => ({ key: Buffer.from(encodeText(chunk.id)), stamp: chunk.stamp }));
  const ordered = lines.toSorted((left, right) => Buffer.compare(left.key, right.key));
  return sha256([stamp, ...ordered.map((one) => `${one.key.toString()} ${one.stamp}`)].join('\n'));
}
