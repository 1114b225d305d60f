// Long-term memory: what one user said about themselves or wished, kept beyond its session. Invariant: a memory is in the words of its
// user, names the turns it was said in, and is never taken from a document.

export const memoryTypes = ['episodic', 'semantic', 'procedural', 'preference'] as const;
/** What happened; what is so; how something is done; what is liked or wished. */
export type MemoryType = (typeof memoryTypes)[number];

/** Where a memory was said. Without a session it was said in a single question, without an answer it was written down by its user. */
export interface MemoryOrigin {
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly answerId?: string;
  readonly at: string;
}

export interface Memory {
  readonly id: string;
  readonly type: MemoryType;
  /** In the user's words. */
  readonly text: string;
  readonly tags: readonly string[];
  /** Oldest first. */
  readonly origins: readonly MemoryOrigin[];
  readonly createdAt: string;
  /** When it was last said again or edited. */
  readonly updatedAt: string;
  /** Since when it holds. */
  readonly validFrom: string;
  /** Until when it held; absent: it holds. */
  readonly validUntil?: string;
  /** The memory that took its place. */
  readonly supersededBy?: string;
  readonly usageCount: number;
  readonly lastAccessedAt?: string;
}

export interface RecalledMemory extends Memory {
  /** Share of the query's idf that the memory covers, 0..1, and 0.05 for each tag that matches. */
  readonly similarity: number;
}

/** Counts are of memories that hold. */
export interface MemoryStats {
  readonly total: number;
  readonly byType: Readonly<Record<MemoryType, number>>;
  /** Memories whose place another one took. */
  readonly superseded: number;
}

export const memoryDefaults = {
  recallK: 5,
  minSimilarity: 0.6,
  pruneAgeDays: 90,
  pruneUsageCount: 2,
  tagBoost: 0.05,
} as const;

export const memoryLimits = { textCharacters: 2_000, tags: 20, recallK: 100 } as const;

/** What a citation is headed with: nobody takes it for a document. */
export const memoryTitle = ({ type, createdAt }: Pick<Memory, 'type' | 'createdAt'>): string =>
  `Memory (${type}): what the user said on ${createdAt.slice(0, 10)}`;
