// What the main thread says to the engine's worker threads, and what comes of it. Segments and bitmaps are shared memory, never
// copied; messages to one worker arrive in order, so work always finds the state that was published before it.
import type { Expansion } from '../expand-term.ts';
import type { PairContribution } from '../proximity.ts';
import type { LexicalQuery } from '../query.ts';
import type { RankedEntries } from '../ranked.ts';
import type { TermContribution } from '../score.ts';
import type { VectorSnapshot } from '../vectors/vector-snapshot.ts';
import type { NearestRows, ThreadedVectorQuery } from './vector-work.ts';

/** A segment of a published state; `bytes` where the worker has not seen it yet. */
export interface PublishedPart {
  readonly segment: number;
  readonly bytes?: Uint8Array;
  readonly dead: Uint32Array | undefined;
  readonly deadCount: number;
}

export interface PublishedState {
  readonly parts: readonly PublishedPart[];
  readonly entries: number;
  readonly norms: Float64Array;
  readonly k1: number;
  readonly b: number;
}

export interface SearchWork {
  readonly kind: 'search';
  readonly index: number;
  readonly query: Omit<LexicalQuery, 'cancelled'>;
  /** How many of the first hits to explain. */
  readonly explained: number;
}

/** Terms that no entry holds: what they may have meant. */
export interface ExpandWork {
  readonly kind: 'expand';
  readonly index: number;
  readonly terms: readonly string[];
}

export interface ChunkText {
  readonly key: string;
  readonly headings: string;
  readonly text: string;
}

/** Consecutive chunks of a document. */
export interface AnalyzedText {
  readonly group: string;
  readonly title: string;
  readonly language: string;
  readonly chunks: readonly ChunkText[];
}

export interface AnalyzeWork {
  readonly kind: 'analyze';
  readonly texts: readonly AnalyzedText[];
}

export interface MergeWork {
  readonly kind: 'merge';
  readonly sources: readonly { readonly bytes: Uint8Array; readonly dead: Uint32Array | undefined }[];
}

/** SHA-256 of shared bytes. */
export interface DigestWork {
  readonly kind: 'digest';
  readonly bytes: Uint8Array;
}

export interface VectorWork {
  readonly kind: 'vectors';
  readonly index: number;
  readonly query: ThreadedVectorQuery;
}

export type Work = SearchWork | VectorWork | ExpandWork | AnalyzeWork | MergeWork | DigestWork;

export interface HitExplanation {
  readonly terms: readonly TermContribution[];
  /** Occurrences in each field, by term. */
  readonly fields: readonly (readonly number[])[];
  readonly near: readonly PairContribution[];
}

/** Hits by place in the state that was searched; keys are read from that state by whoever asked. */
export interface SearchResult {
  readonly ranked: RankedEntries;
  readonly explanations: readonly HitExplanation[];
}

export interface AnalyzeResult {
  /** Terms of each chunk as the log keeps them. */
  readonly terms: readonly string[];
  /** A segment of the chunks; its rows count from 1. */
  readonly bytes: Uint8Array;
}

export interface MergeResult {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

export interface Results {
  readonly search: SearchResult;
  readonly vectors: NearestRows;
  readonly expand: readonly (readonly Expansion[])[];
  readonly analyze: AnalyzeResult;
  readonly merge: MergeResult;
  readonly digest: string;
}

export type Order =
  | { readonly kind: 'publish'; readonly index: number; readonly state: PublishedState }
  | { readonly kind: 'publish-vectors'; readonly index: number; readonly snapshot: VectorSnapshot }
  | { readonly kind: 'drop'; readonly index: number }
  /** `cancel` holds one once nobody waits for the result any more. */
  | { readonly kind: 'work'; readonly task: number; readonly work: Work; readonly cancel: Int32Array | undefined };
