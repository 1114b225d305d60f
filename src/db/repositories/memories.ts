// Port of long-term memories. A repository is built for one user of one principal of a tenant; what others said is never found in it.
// Invariant: a memory that was superseded keeps its words and the time until which it held, and is not recalled.
import type { Memory, MemoryOrigin, MemoryStats, MemoryType, RecalledMemory } from '../../core/memory.ts';

/** What a memory is found and compared by; made of its text where it is written. */
export interface MemoryKeys {
  /** Equal for texts that say the same. */
  readonly sameKey: string;
  /** Search terms, each once. */
  readonly terms: readonly string[];
}

export interface MemoryWrite extends MemoryKeys {
  readonly id: string;
  readonly type: MemoryType;
  /** Whoever says it named the type: a memory that says the same gets it too. */
  readonly isTypeAsked?: boolean;
  readonly text: string;
  readonly tags: readonly string[];
  readonly at: string;
  readonly origin: MemoryOrigin;
}

/** A memory as those that are written are compared with it. */
export interface ComparedMemory {
  readonly id: string;
  readonly type: MemoryType;
  readonly text: string;
}

/** A memory as it is looked at by its meaning. */
export interface NewestMemory {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly updatedAt: string;
}

/** The memories that a new one is compared with. */
export interface NearMemories {
  readonly memories: readonly ComparedMemory[];
  /** Another one as soon as they are others. */
  readonly mark: string;
}

/** What a new memory was compared with, and which of those it takes the place of. */
export interface MemoryComparison {
  readonly mark: string;
  readonly superseded: readonly string[];
}

export interface WrittenMemory {
  readonly memory: Memory;
  /** `merged`: the same was said before, and has one origin more now. */
  readonly change: 'created' | 'merged';
  readonly superseded: readonly string[];
}

export interface RecallRequest {
  /** Of the query, each once. */
  readonly terms: readonly string[];
  readonly k: number;
  readonly minSimilarity: number;
  readonly types?: readonly MemoryType[];
  readonly sessionId?: string;
  readonly tags?: readonly string[];
  /** Only what was said at this time or later. */
  readonly since?: string;
}

export interface MemoryPage {
  readonly data: readonly Memory[];
  readonly nextCursor?: string;
}

export interface MemoryListRequest {
  /** 1..1000, default 50. */
  readonly limit?: number;
  readonly cursor?: string;
  readonly type?: MemoryType;
  readonly tag?: string;
  /** Superseded ones, too. */
  readonly history?: boolean;
}

export interface MemoryEdit {
  readonly type?: MemoryType;
  readonly tags?: readonly string[];
  readonly text?: string;
  /** The keys that a search finds it by; given where the text is. */
  readonly keys?: MemoryKeys;
  readonly at: string;
}

export interface MemoryRepository {
  /**
   * Undefined where the turn of its origin is gone: its session was deleted meanwhile. Throws `conflict` (`isUnmet`) where it would be compared
   * with others by now than it was. Without a comparison it takes the place of none.
   */
  write(memory: MemoryWrite, compared?: MemoryComparison): Promise<WrittenMemory | undefined>;
  /** Those that a memory of these keys is to be compared with: the newest, and the newest that share its rarest words. */
  near(keys: MemoryKeys): Promise<NearMemories>;
  get(id: string): Promise<Memory | undefined>;
  /** Those of them that are sound. */
  several(ids: readonly string[]): Promise<readonly Memory[]>;
  /** The newest `k` that hold and are of the kind that is asked for, whatever their words. Damaged ones may be among them. */
  newest(request: Omit<RecallRequest, 'minSimilarity'>): Promise<readonly NewestMemory[]>;
  /** Newest first. */
  list(request: MemoryListRequest): Promise<MemoryPage>;
  edit(id: string, change: MemoryEdit): Promise<Memory | undefined>;
  delete(id: string): Promise<boolean>;
  /** All of this user, with their history; how many there were. */
  deleteAll(): Promise<number>;
  /** Best first; of equals the newest. Nothing is counted. */
  recall(request: RecallRequest): Promise<readonly RecalledMemory[]>;
  /** Counts that these were used. */
  countUse(ids: readonly string[], at: string): Promise<void>;
  /** Memories last said and used before this time and used less often, at most `limit`, oldest first. */
  unused(request: {
    readonly before: string;
    readonly usedLessThan: number;
    readonly limit: number;
  }): Promise<readonly Memory[]>;
  /** How many those are. */
  countUnused(request: { readonly before: string; readonly usedLessThan: number }): Promise<number>;
  stats(): Promise<MemoryStats>;
}

/** `''`: the owner of the key. */
export type MemoriesOf = (user: string) => MemoryRepository;
