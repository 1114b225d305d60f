// The embedding models of a tenant as its vectors follow them, whichever database keeps both. Invariant: vectors of a space that was dropped are gone before
// one of its name begins, where a kill had left them: they would count as its own.
import type { EmbeddingModels } from '../../db/repositories/vectors.ts';
import type { EngineView } from './engine.ts';
import type { VectorKeeping } from './vector-keeping.ts';

export interface SpacePlace {
  /** Lets go of the vectors of a space in memory. */
  forget(space: string): void;
  /** Drops the vectors of spaces that are gone, in pieces. */
  dropLeft(): Promise<void>;
  /** Which of these texts have a vector of the space. */
  known(space: string, hashes: readonly string[]): ReadonlySet<string> | Promise<ReadonlySet<string>>;
}

type Kept = Pick<VectorKeeping, 'models' | 'modelBytes' | 'begin' | 'activate' | 'drop' | 'unknown'>;

export function keepModels(models: EmbeddingModels, { forget, dropLeft, known }: SpacePlace): Kept {
  async function dropped(spaces: readonly string[]): Promise<void> {
    for (const space of spaces) forget(space);
    await dropLeft();
  }
  return {
    models: models.all,
    modelBytes: models.bytes,
    async begin(model, bytes) {
      await dropLeft();
      await dropped(await models.begin(model, bytes));
    },
    async activate(name) {
      await dropped(await models.activate(name));
    },
    async drop(name) {
      await models.drop(name);
      await dropped([name]);
    },
    async unknown(space, hashes) {
      const found = await known(space, hashes);
      return hashes.filter((hash) => !found.has(hash));
    },
  };
}

/** What the index holds, as of a revision of the corpus. */
export function indexedOf(
  { index, incomplete }: Pick<EngineView, 'index' | 'incomplete'>,
  revision: number,
): Awaited<ReturnType<VectorKeeping['indexed']>> {
  const { parts, entries } = index.state();
  return {
    parts: parts.map(({ segment, dead }) => ({ bytes: segment.bytes, dead })),
    chunks: entries,
    revision,
    incomplete: incomplete !== undefined,
  };
}
