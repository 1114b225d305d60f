// Rows of fingerprints and of links between texts that resemble each other. Invariant: a row that is not as it was sealed is as good as absent.
import { type DuplicateKind, duplicateOf, type Fingerprint, type VersionFacts } from '../core/documents/fingerprint.ts';
import type { DuplicateLink } from '../core/documents/runs.ts';
import { sha256 } from '../core/ids.ts';

/** Texts that are compared with a new one, best first. */
export const mostCandidates = 64;
/** Links of a document that are written with it; later copies link to it in turn. */
const mostLinks = 32;
export const mostShown = 100;

export interface FingerprintRow {
  readonly row: number;
  readonly tenant: string;
  readonly document_id: string;
  readonly words_hash: string;
  readonly runs: number;
  readonly sketch: Uint8Array;
  readonly seal: string;
}

export interface LinkRow {
  readonly tenant: string;
  readonly document_id: string;
  readonly other_id: string;
  readonly kind: string;
  readonly similarity: number;
  readonly seal: string;
}

export const sealOfFingerprint = (row: Omit<FingerprintRow, 'row' | 'seal'>): string =>
  sha256(JSON.stringify([row.tenant, row.document_id, row.words_hash, row.runs, sha256(row.sketch)]));

export const sealOfLink = (row: Omit<LinkRow, 'seal'>): string =>
  sha256(JSON.stringify([row.tenant, row.document_id, row.other_id, row.kind, row.similarity]));

/** Eight bytes a hash, little-endian as on every platform that Node runs on. */
export const toBlob = (sketch: Float64Array): Uint8Array =>
  new Uint8Array(sketch.buffer, sketch.byteOffset, sketch.byteLength);

export function toFingerprint(row: FingerprintRow): Fingerprint | undefined {
  if (!(row.sketch instanceof Uint8Array) || row.sketch.byteLength % 8 !== 0) return undefined;
  if (sealOfFingerprint(row) !== row.seal) return undefined;
  const sketch = new Float64Array(new Uint8Array(row.sketch).buffer);
  return { wordsHash: row.words_hash, runs: row.runs, sketch };
}

export interface LinkedDocument extends VersionFacts {
  readonly id: string;
}

export type CandidateRow = FingerprintRow & {
  readonly uri: string;
  readonly title: string;
  readonly version: string | null;
};

/** Documents with which one is to be linked, most similar first. */
export function linksOf(
  { document, fingerprint }: { readonly document: LinkedDocument; readonly fingerprint: Fingerprint },
  candidates: readonly CandidateRow[],
): readonly { readonly id: string; readonly kind: DuplicateKind; readonly similarity: number }[] {
  const links = candidates.flatMap((row) => {
    const other = row.document_id === document.id ? undefined : toFingerprint(row);
    const facts = { uri: row.uri, title: row.title, version: row.version ?? undefined };
    const duplicate = other && duplicateOf({ ...document, ...fingerprint }, { ...facts, ...other });
    return duplicate ? [{ id: row.document_id, ...duplicate }] : [];
  });
  links.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
  return links.slice(0, mostLinks);
}

/** Rows that share the most hashes with a text, the newest first of those that share as much. `shared`: how many, by row. */
export function mostAlike(shared: ReadonlyMap<number, number>, isCopy: (row: number) => boolean): readonly number[] {
  const rows = [...shared].filter(([row]) => !isCopy(row));
  rows.sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  return rows.slice(0, mostCandidates).map(([row]) => row);
}

interface Named {
  readonly title: string;
  readonly uri: string;
}

/** Sound rows of texts with the same words, as links. */
export const toCopies = (rows: readonly (FingerprintRow & Named)[]): readonly DuplicateLink[] =>
  rows
    .filter((row) => toFingerprint(row) !== undefined)
    .map(({ document_id, title, uri }) => ({ documentId: document_id, title, uri, kind: 'exact', similarity: 1 }));

/** The copies of a document, then its sound links with others. */
export function shownLinks(
  copies: readonly DuplicateLink[],
  linked: readonly (LinkRow & Named)[],
  limit: number,
): readonly DuplicateLink[] {
  const known = new Set(copies.map(({ documentId }) => documentId));
  const near = linked
    .filter((row) => sealOfLink(row) === row.seal && !known.has(row.other_id))
    .map(({ other_id, title, uri, kind, similarity }) => ({
      documentId: other_id,
      title,
      uri,
      kind: kind as DuplicateKind,
      similarity,
    }));
  return [...copies, ...near].slice(0, limit);
}

/** Every pair in both directions. */
export const pairsAmong = (ids: readonly string[]): readonly (readonly [string, string])[] =>
  ids.flatMap((id) => ids.filter((other) => other !== id).map((other) => [id, other] as const));

/** What is wrong with a fingerprint, as a list of none or one sentence. */
export const faultsOfFingerprint = (row: FingerprintRow): readonly string[] =>
  toFingerprint(row) === undefined ? [`The fingerprint of document ${row.document_id} is not what was recorded.`] : [];

/** What is wrong with a link, likewise. */
export const faultsOfLink = (row: LinkRow): readonly string[] =>
  sealOfLink(row) === row.seal
    ? []
    : [`The link of document ${row.document_id} with its duplicate ${row.other_id} is not what was recorded.`];
