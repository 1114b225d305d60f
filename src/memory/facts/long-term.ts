// Long-term memory of one principal, by user: what is remembered, recalled, edited and forgotten. Invariants: every memory says where it was
// said; what says the same is merged, what contradicts supersedes what held before; a secret is never kept.

import { FootnoteError } from '../../core/errors.ts';
import type { Clock, Ids } from '../../core/ids.ts';
import { madeBefore } from '../../core/keyed/effects.ts';
import {
  type AddMemory,
  type Memory,
  type MemoryChange,
  type MemoryOrigin,
  type MemoryStats,
  type MemoryType,
  memoryDefaults,
  memoryLimits,
  type OfUser,
  type PruneMemories,
  type PruneReport,
  type RecalledMemory,
  type RecallMemories,
} from '../../core/memory.ts';
import { dot } from '../../core/values/dot.ts';
import { isUnmet } from '../../db/repositories/changes.ts';
import type {
  MemoriesOf,
  MemoryListRequest,
  MemoryPage,
  RecallRequest,
  WrittenMemory,
} from '../../db/repositories/memories.ts';
import { type Meaning, noMeaning } from './fitted/meaning.ts';
import { memoryTerms } from './fitted/terms.ts';
import { keysOf, supersedes } from './keys.ts';
import { nearnessOf, similarityOf, wordsNeeded } from './similarity.ts';
import { holdsSecret } from './statements/secrets.ts';
import { keptAs } from './statements/statements.ts';

/** What a caller may do with memories. Throws FootnoteError only. */
export interface Memories {
  /** Throws `invalid-request` for a text that holds a secret, or nothing. */
  add(memory: AddMemory): Promise<WrittenMemory>;
  get(id: string, of?: OfUser): Promise<Memory>;
  list(request: MemoryListRequest & OfUser): Promise<MemoryPage>;
  edit(id: string, change: MemoryChange, of?: OfUser): Promise<Memory>;
  delete(id: string, of?: OfUser): Promise<void>;
  /** Best first; each counts as used. */
  recall(request: RecallMemories): Promise<readonly RecalledMemory[]>;
  prune(request?: PruneMemories): Promise<PruneReport>;
  stats(of?: OfUser): Promise<MemoryStats>;
  /** Takes all of a user away; how many there were. */
  erase(of?: OfUser): Promise<number>;
}

interface Said {
  readonly text: string;
  readonly type: MemoryType;
  readonly tags?: readonly string[];
}

/** What requests do besides. */
export interface LongTermMemory extends Memories {
  /** As `recall`, and nothing is counted. */
  find(request: RecallMemories): Promise<readonly RecalledMemory[]>;
  countUse(memories: readonly Memory[], of?: OfUser): Promise<void>;
  /** Writes what was said in a turn; undefined where it is not kept. */
  remember(said: Said, origin: Omit<MemoryOrigin, 'at'>, of?: OfUser): Promise<WrittenMemory | undefined>;
}

export interface LongTermMemoryOptions {
  readonly memoriesOf: MemoriesOf;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  /** Default: words alone. */
  readonly meaning?: Meaning;
  /** Default of `prune`. */
  readonly pruneAgeDays?: number;
}

const dayMs = 86_400_000;
const prunedTogether = 1_000;
/** The newest memories of a user are looked at by their meaning, older ones by their words. */
const mostByMeaning = 1_000;
/** Found by words, of which meaning makes its choice. */
const mostByWords = 64;

export function createLongTermMemory(options: LongTermMemoryOptions): LongTermMemory {
  const { memoriesOf, clock, ids, meaning = noMeaning } = options;
  const of = ({ user = '' }: OfUser = {}) => memoriesOf(user);
  const daysAgo = (days: number): string => new Date(Date.parse(clock.now()) - days * dayMs).toISOString();
  const missing = (id: string): FootnoteError => new FootnoteError('not-found', `There is no memory "${id}".`);

  const write = async (
    { tags = [], ...said }: Said & { readonly isTypeAsked?: boolean },
    origin: Omit<MemoryOrigin, 'at'>,
    user: OfUser,
  ): Promise<WrittenMemory | undefined> => {
    const at = clock.now();
    const memory = { id: ids.next('mem'), ...said, tags: [...new Set(tags)], at, origin: { ...origin, at } };
    const keys = keysOf(said.text);
    const memories = of(user);
    for (;;) {
      const { memories: near, mark } = await memories.near(keys);
      const [vector, ...vectors] = (await meaning.ofMemories([said.text, ...near.map(({ text }) => text)])) ?? [];
      // What happened once is not over because something else happened.
      const superseded = near.flatMap(({ id, text, type }, at) =>
        type !== 'episodic' && supersedes({ text, vector: vectors[at] }, { text: said.text, vector }) ? [id] : [],
      );
      try {
        return await memories.write({ ...memory, ...keys }, { mark, superseded });
      } catch (thrown) {
        // It failed because another one was written.
        if (!isUnmet(thrown)) throw thrown;
      }
    }
  };
  const find = async (request: RecallMemories): Promise<readonly RecalledMemory[]> => {
    const { query, type, sessionId, tags = [], maxAgeDays, minSimilarity = memoryDefaults.minSimilarity } = request;
    const k = Math.min(request.k ?? memoryDefaults.recallK, memoryLimits.recallK);
    const asked: Omit<RecallRequest, 'k' | 'minSimilarity'> = {
      terms: memoryTerms(query),
      ...(type !== undefined && { types: [type] }),
      ...(sessionId !== undefined && { sessionId }),
      ...(maxAgeDays !== undefined && { since: daysAgo(maxAgeDays) }),
    };
    const memories = of(request);
    const [vector] = (await meaning.ofSaid([query])) ?? [];
    const newest = vector ? await memories.newest({ ...asked, k: mostByMeaning }) : [];
    const vectors = vector && (await meaning.ofMemories(newest.map(({ text }) => text)));
    if (!vector || !vectors) return memories.recall({ ...asked, tags, k, minSimilarity });
    const boostOf = (own: readonly string[]): number =>
      tags.filter((tag) => own.includes(tag)).length * memoryDefaults.tagBoost;
    const least = wordsNeeded(minSimilarity - tags.length * memoryDefaults.tagBoost);
    const byWords = await memories.recall({ ...asked, k: mostByWords, minSimilarity: least });
    const shares = new Map(byWords.map(({ id, similarity }) => [id, similarity]));
    const nearness = nearnessOf(vectors.map((one) => dot(vector, one)));
    const near = newest.map(({ id, tags: own, updatedAt }, at) => ({
      id,
      updatedAt,
      similarity: Math.min(1, similarityOf(shares.get(id) ?? 0, nearness[at] ?? [0, 0]) + boostOf(own)),
    }));
    const seen = new Set(near.map(({ id }) => id));
    const older = byWords.flatMap(({ id, tags: own, updatedAt, similarity }) =>
      seen.has(id) ? [] : [{ id, updatedAt, similarity: Math.min(1, similarityOf(similarity, [0, 0]) + boostOf(own)) }],
    );
    const best = [...near, ...older]
      .filter(({ similarity }) => similarity >= minSimilarity)
      .sort((a, b) => b.similarity - a.similarity || (a.updatedAt < b.updatedAt ? 1 : -1))
      .slice(0, k);
    const whole = new Map((await memories.several(best.map(({ id }) => id))).map((one) => [one.id, one]));
    return best.flatMap(({ id, similarity }) => {
      const memory = whole.get(id);
      return memory ? [{ ...memory, similarity }] : [];
    });
  };
  const countUse: LongTermMemory['countUse'] = async (memories, user) => {
    if (memories.length === 0) return;
    await of(user).countUse(
      memories.map(({ id }) => id),
      clock.now(),
    );
  };

  const get: Memories['get'] = async (id, user) => {
    const memory = await of(user).get(id);
    if (!memory) throw missing(id);
    return memory;
  };

  return {
    async add({ text, type: asked, tags, sessionId, user }) {
      const made = madeBefore('memory');
      if (made !== undefined) {
        const { id, ...told } = JSON.parse(made) as Omit<WrittenMemory, 'memory'> & Pick<Memory, 'id'>;
        return { memory: await get(id, user === undefined ? {} : { user }), ...told };
      }
      const origin = sessionId === undefined ? {} : { sessionId };
      // Who names no type is told apart as in a conversation; who does is believed, also of what is remembered already.
      const checked = checkedText(text);
      const [vector] = asked === undefined ? ((await meaning.ofMemories([checked])) ?? []) : [];
      const type = asked ?? typeOf(checked, vector);
      const said = { text: checked, type, isTypeAsked: asked !== undefined, ...(tags && { tags }) };
      const written = await write(said, origin, user === undefined ? {} : { user });
      if (!written) throw new FootnoteError('internal', 'The memory was not written.');
      return written;
    },
    get,
    list: ({ user, ...request }) => of(user === undefined ? {} : { user }).list(request),
    async edit(id, { text, type, tags }, user) {
      const given = text === undefined ? undefined : checkedText(text);
      const edited = await of(user).edit(id, {
        ...(given !== undefined && { text: given, keys: keysOf(given) }),
        ...(type !== undefined && { type }),
        ...(tags && { tags: [...new Set(tags)] }),
        at: clock.now(),
      });
      if (!edited) throw missing(id);
      return edited;
    },
    async delete(id, user) {
      if (!(await of(user).delete(id))) throw missing(id);
    },
    async recall(request) {
      const found = await find(request);
      await countUse(found, request);
      return found;
    },
    async prune({ maxAgeDays, minUsageCount = memoryDefaults.pruneUsageCount, dryRun = false, ...user } = {}) {
      const memories = of(user);
      const before = daysAgo(maxAgeDays ?? options.pruneAgeDays ?? memoryDefaults.pruneAgeDays);
      const asked = { before, usedLessThan: minUsageCount, limit: prunedTogether };
      const named: string[] = [];
      let pruned = 0;
      for (;;) {
        const unused = await memories.unused(asked);
        if (named.length === 0) named.push(...unused.map(({ id }) => id));
        if (dryRun) return { dryRun, pruned: await memories.countUnused(asked), memories: named };
        for (const { id } of unused) if (await memories.delete(id)) pruned += 1;
        if (unused.length < prunedTogether) return { dryRun, pruned, memories: named };
      }
    },
    stats: (user) => of(user).stats(),
    erase: (user) => of(user).deleteAll(),
    find,
    countUse,
    remember: async (said, origin, user = {}) => (holdsSecret(said.text) ? undefined : write(said, origin, user)),
  };
}

/** Throws `invalid-request`. */
function checkedText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > memoryLimits.textCharacters)
    throw new FootnoteError(
      'invalid-request',
      `text has ${trimmed.length} characters: a memory has 1 to ${memoryLimits.textCharacters}.`,
    );
  if (holdsSecret(trimmed))
    throw new FootnoteError(
      'invalid-request',
      'text looks as if it held a password, a key or another secret, which memories never keep. Leave it out.',
    );
  return trimmed;
}

/** Of what is no statement of its user it is said that it is so. */
function typeOf(text: string, vector: Float32Array | undefined): MemoryType {
  const { type, chance } = keptAs(text, vector);
  return chance >= 0.5 ? type : 'semantic';
}
