// Long-term memory as a question uses it: what is recalled for it, what answers it where it is about its user, and what is written after it.
import type { MemoryOrigin, OfUser, RecalledMemory } from '../../core/memory.ts';
import type { LongTermMemory } from './long-term.ts';
import { chooseAnswers, questionAboutSelf } from './questions.ts';
import { extractStatements, isAllStatements, type Statement } from './statements/statements.ts';

export interface RequestMemory {
  /** For what is to be planned and answered; nothing is counted. */
  recall(question: string): Promise<readonly RecalledMemory[]>;
  /** What answers a question of its user about themselves. */
  answersTo(question: string): Promise<readonly RecalledMemory[]>;
  countUse(memories: readonly RecalledMemory[]): Promise<void>;
  /** What a message says that is worth remembering; `isAll`: it says nothing else. */
  read(message: string): { readonly statements: readonly Statement[]; readonly isAll: boolean };
  write(statements: readonly Statement[], origin: Omit<MemoryOrigin, 'at'>): Promise<void>;
  /** Opens a memory. */
  readonly urlOf: (id: string) => string;
}

export interface RequestMemoryOptions {
  readonly memory: LongTermMemory;
  readonly recallK: number;
  readonly minSimilarity: number;
  readonly urlOf: (id: string) => string;
}

/** Memories that one answer tells. */
const mostTold = 3;
const mostToldOfAll = 10;
/** Memories that are looked at for a question about their user. */
const lookedAt = 20;

export function readStatements(message: string): ReturnType<RequestMemory['read']> {
  const statements = extractStatements(message);
  return { statements, isAll: statements.length > 0 && isAllStatements(message) };
}

export function createRequestMemory(options: RequestMemoryOptions): (user: string | undefined) => RequestMemory {
  const { memory, recallK, minSimilarity, urlOf } = options;
  return (user) => {
    const of: OfUser = user === undefined ? {} : { user };
    return {
      urlOf,
      recall: async (question) =>
        recallK === 0 ? [] : memory.find({ ...of, query: question, k: recallK, minSimilarity }),
      async answersTo(question) {
        const asked = questionAboutSelf(question);
        if (!asked) return [];
        if (asked.wantsAll) {
          const { data } = await memory.list({ ...of, limit: mostToldOfAll });
          return data.map((one) => ({ ...one, similarity: 1 }));
        }
        const found = await memory.find({ ...of, query: asked.query, k: lookedAt, minSimilarity });
        return chooseAnswers(asked, found, mostTold);
      },
      countUse: (memories) => memory.countUse(memories, of),
      read: readStatements,
      async write(statements, origin) {
        for (const statement of statements) await memory.remember(statement, origin, of);
      },
    };
  };
}
