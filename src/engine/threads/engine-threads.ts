// The engine's heavy work, wherever it is cheapest: short searches in place, because waking a thread costs more than they
// do; everything else on a worker thread, and in place again (in slices where it is long) when no thread can be had.

import { isFootnoteError } from '../../core/errors.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import { type MergeSource, mergeSegments } from '../merge-segments.ts';
import type { LexicalQuery } from '../query.ts';
import type { SearchState } from '../search-state.ts';
import { openSegment, type Segment } from '../segment.ts';
import { createEnginePool, type EnginePool, type Job, type ThreadedIndex } from './pool.ts';
import type { AnalyzedText, AnalyzeResult, Results, Work } from './protocol.ts';
import { estimatePostings, expandTerms, type Found, readFound, searchState } from './search-work.ts';
import { digestInPieces, drive } from './slices.ts';
import {
  estimateComponents,
  type NearestRows,
  nearestRows,
  type ThreadedVectorQuery,
  type VectorSearched,
} from './vector-work.ts';

/** What is searched: the index as threads know it, and one state of it. */
export interface Searched {
  readonly index: ThreadedIndex;
  readonly state: SearchState;
}

export interface EngineThreads {
  /** The hits of one state and, for the first `explained`, where their scores come from. */
  find(
    on: Searched,
    query: LexicalQuery,
    options: { explained: number; signal?: AbortSignal | undefined },
  ): Promise<Found>;
  /** The rows whose vectors are nearest to one. */
  nearest(
    on: Searched & VectorSearched,
    query: ThreadedVectorQuery,
    signal?: AbortSignal | undefined,
  ): Promise<NearestRows>;
  /** What terms that no entry holds may have meant. */
  expand(on: Searched, terms: readonly string[], signal?: AbortSignal): Promise<Results['expand']>;
  /** Undefined where no thread could: the caller analyses by itself. */
  analyze(texts: readonly AnalyzedText[], signal?: AbortSignal): Promise<AnalyzeResult | undefined>;
  /** One segment of several, and the SHA-256 of its bytes. */
  merge(sources: readonly MergeSource[]): Promise<{ readonly segment: Segment; readonly sha256: string }>;
  /** SHA-256 of shared bytes. */
  digest(bytes: Uint8Array): Promise<string>;
  /** Makes threads forget what they hold of an index. */
  release(index: ThreadedIndex): void;
}

/**
 * Searches of fewer postings run in place: at some 5 ns each they take half a millisecond, and asking a thread took as much of a busy
 * server.
 */
const inPlacePostings = 100_000;
/** Terms of smaller dictionaries are looked up for what an unknown word may have meant in place. */
const inPlaceTerms = 60_000;
/**
 * Searches of fewer components run in place: 100,000 vectors by their bits, some 0.6 ms. A thread would answer half a
 * millisecond later.
 */
const inPlaceComponents = 4_000_000;

export interface EngineThreadsOptions {
  readonly inPlaceComponents?: number;
  readonly inPlacePostings?: number;
  readonly inPlaceTerms?: number;
  /** Whether searches wait for a thread even where none would start at once. */
  readonly patient?: boolean;
}

export function createEngineThreads(pool: () => EnginePool, options: EngineThreadsOptions = {}): EngineThreads {
  const postings = options.inPlacePostings ?? inPlacePostings;
  const components = options.inPlaceComponents ?? inPlaceComponents;
  const dictionary = options.inPlaceTerms ?? inPlaceTerms;

  /** Undefined where the threads are gone. */
  async function tryRun<W extends Work>(job: Job & { readonly work: W }): Promise<Results[W['kind']] | undefined> {
    try {
      return await pool().run(job);
    } catch (error) {
      if (isFootnoteError(error) && error.code === 'upstream-unavailable') return undefined;
      throw error;
    }
  }

  return {
    async find(on, query, { explained, signal }) {
      const cheap = estimatePostings(on.state, query, explained) <= postings;
      if (!cheap && (options.patient || pool().prompt())) {
        const work = { kind: 'search', index: on.index.number, query, explained } as const;
        const result = await tryRun({ work, on, signal });
        if (result) return readFound(on.state, result);
      }
      if (signal?.aborted) throw abortError(signal);
      return readFound(on.state, searchState(on.state, query, explained));
    },
    async nearest(on, query, signal) {
      const cheap = estimateComponents(on.snapshot, query.exact === true) <= components;
      if (!cheap && (options.patient || pool().prompt())) {
        const work = { kind: 'vectors', index: on.index.number, query } as const;
        const result = await tryRun({ work, on, signal });
        if (result) return result;
      }
      if (signal?.aborted) throw abortError(signal);
      return nearestRows(on, query);
    },
    async expand(on, terms, signal) {
      const size = on.state.parts.reduce((sum, { segment }) => sum + segment.sizes.terms, 0);
      if (size > dictionary && (options.patient || pool().prompt())) {
        const work = { kind: 'expand', index: on.index.number, terms } as const;
        const result = await tryRun({ work, on, signal });
        if (result) return result;
      }
      const found: Results['expand'][number][] = [];
      for (const term of terms) {
        if (signal?.aborted) throw abortError(signal);
        found.push(...expandTerms(on.state, [term]));
        if (size > dictionary) await nextTurn();
      }
      return found;
    },
    analyze: (texts, signal) => tryRun({ work: { kind: 'analyze', texts }, long: true, signal }),
    async merge(sources) {
      const shared = sources.map(({ segment, dead }) => ({ bytes: segment.bytes, dead }));
      const result = await tryRun({ work: { kind: 'merge', sources: shared }, long: true });
      if (result) return { segment: openSegment(result.bytes), sha256: result.sha256 };
      const segment = await drive(mergeSegments(sources));
      return { segment, sha256: await drive(digestInPieces(segment.bytes)) };
    },
    async digest(bytes) {
      return (await tryRun({ work: { kind: 'digest', bytes }, long: true })) ?? drive(digestInPieces(bytes));
    },
    release: (index) => pool().release(index),
  };
}

let shared: EnginePool | undefined;

/** The threads of this process; none is started before it is needed. */
export const engineThreads: EngineThreads = createEngineThreads(() => (shared ??= createEnginePool()));

/** For tests and an orderly end: stops the threads; later work starts new ones. */
export async function closeEngineThreads(): Promise<void> {
  const closing = shared;
  shared = undefined;
  await closing?.close();
}
