// Long-term memory as a question uses it: what is recalled for it, what answers it where it is about its user, and what is written after it.
import type { MemoryOrigin, OfUser, RecalledMemory } from '../../core/memory.ts';
import type { Meaning } from './fitted/meaning.ts';
import { supersedes } from './keys.ts';
import type { LongTermMemory } from './long-term.ts';
import { chooseAnswers, isAboutUser, speaksOfSelf, wantsAll } from './questions.ts';
import { type ReadMessage, readMessage, type Statement } from './statements/statements.ts';

export interface RequestMemory {
  /** For what is to be planned and answered; nothing is counted. */
  recall(question: string): Promise<readonly RecalledMemory[]>;
  /** What answers a question of its user about themselves. */
  answersTo(question: string): Promise<readonly RecalledMemory[]>;
  countUse(memories: readonly RecalledMemory[]): Promise<void>;
  /** What a message says that is worth remembering. */
  read(message: string): Promise<ReadMessage>;
  write(statements: readonly Statement[], origin: Omit<MemoryOrigin, 'at'>): Promise<void>;
  /** Opens a memory. */
  readonly urlOf: (id: string) => string;
}

export interface RequestMemoryOptions {
  readonly memory: LongTermMemory;
  readonly meaning: Meaning;
  readonly recallK: number;
  readonly minSimilarity: number;
  readonly urlOf: (id: string) => string;
}

/** Memories that one answer tells. */
const mostTold = 3;
const mostToldOfAll = 10;
/** Memories that are looked at for a question about their user. */
const lookedAt = 20;

export function createRequestMemory(options: RequestMemoryOptions): (user: string | undefined) => RequestMemory {
  const { memory, meaning, recallK, minSimilarity, urlOf } = options;
  return (user) => {
    const of: OfUser = user === undefined ? {} : { user };
    return {
      urlOf,
      recall: async (question) =>
        recallK === 0 ? [] : memory.find({ ...of, query: question, k: recallK, minSimilarity }),
      async answersTo(question) {
        if (wantsAll(question)) {
          const { data } = await memory.list({ ...of, limit: mostToldOfAll });
          return data.map((one) => ({ ...one, similarity: 1 }));
        }
        if (!speaksOfSelf(question)) return [];
        const [vector] = (await meaning.ofSaid([question])) ?? [];
        if (!isAboutUser(question, vector)) return [];
        const found = await memory.find({ ...of, query: question, k: lookedAt, minSimilarity });
        const vectors = (await meaning.ofMemories(found.map(({ text }) => text))) ?? [];
        const saidOf = new Map(found.map(({ id, text }, at) => [id, { text, vector: vectors[at] }]));
        return chooseAnswers(found, mostTold, (before, after) =>
          supersedes(saidOf.get(before.id) ?? before, saidOf.get(after.id) ?? after),
        );
      },
      countUse: (memories) => memory.countUse(memories, of),
      read: (message) => readMessage(message, meaning),
      async write(statements, origin) {
        for (const statement of statements) await memory.remember(statement, origin, of);
      },
    };
  };
}
