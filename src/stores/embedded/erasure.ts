// What a deletion leaves in the embedded store: entries in segments, vectors kept by text, terms in models that were learned from the
// corpus. Invariant: what still stands in a document stays, and everything may be repeated.
import type { EmbeddingModels, ErasableTexts } from '../../db/repositories/vectors.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import type { SearchState } from '../../engine/search-state.ts';
import { countLiving } from '../../engine/term-places.ts';
import { engineThreads } from '../../engine/threads/engine-threads.ts';
import { engineOf } from './shared.ts';
import { modelsIn } from './spaces.ts';

/** Called between pieces of work; waits where others are to have their turn. */
type Pause = () => Promise<void> | undefined;

export interface EmbeddedErasure {
  /** Rewrites segments that hold deleted entries. False: to be tried again. */
  purgeIndex(): Promise<boolean>;
  /** Forgets vectors of texts that no chunk has any more. */
  forgetTexts(
    hashOf: (document: { readonly title: string }, chunk: { headingPath: readonly string[]; text: string }) => string,
    pause: Pause,
  ): Promise<void>;
  /**
   * Takes terms that no chunk has any more out of models that were learned here. `blank` gives bytes of the same length without them,
   * undefined where there are none. True if a model was changed. Nobody may build a model meanwhile.
   */
  forgetTerms(
    blank: (bytes: Uint8Array, isKept: (term: string) => boolean, pause: Pause) => Promise<Uint8Array | undefined>,
    pause: Pause,
  ): Promise<boolean>;
}

type HashOf = Parameters<EmbeddedErasure['forgetTexts']>[0];

/** All rows of pages that are read one after another, each of this many but the last. */
async function* pagesOf<Row extends { readonly place: unknown }>(
  read: (after: Row['place'] | undefined, limit: number) => Promise<readonly Row[]>,
  { limit, pause }: { readonly limit: number; readonly pause: Pause },
): AsyncGenerator<readonly Row[]> {
  for (let after: Row['place'] | undefined; ; ) {
    const rows = await read(after, limit);
    yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1)?.place;
    await pause();
  }
}

const chunksTogether = 100;
const textsTogether = 500;

/** Forgets vectors of texts that no chunk has any more. */
export async function forgetTexts<ChunkPlace, Place>(
  texts: ErasableTexts<ChunkPlace, Place>,
  hashOf: HashOf,
  pause: Pause,
): Promise<void> {
  if (!(await texts.hasRemembered())) return;
  const living = new Set<string>();
  for await (const rows of pagesOf(texts.chunks, { limit: chunksTogether, pause }))
    for (const { headings, text, title } of rows)
      living.add(hashOf({ title }, { headingPath: JSON.parse(headings) as string[], text }));
  for await (const rows of pagesOf(texts.remembered, { limit: textsTogether, pause })) {
    const gone = rows.filter(({ hash }) => hash !== null && !living.has(hash));
    if (gone.length > 0) await texts.forget(gone.map(({ place }) => place));
  }
}

/** `stateOf`: the index as of now. */
export async function forgetTerms(
  models: EmbeddingModels,
  stateOf: () => Promise<SearchState>,
  [blank, pause]: Parameters<EmbeddedErasure['forgetTerms']>,
): Promise<boolean> {
  let isChanged = false;
  for (const { space } of (await models.all()).filter(({ kind }) => kind === 'corpus')) {
    const state = await stateOf();
    const bytes = await models.bytes(space.name);
    if (!bytes) continue;
    const left = await blank(bytes, (term) => countLiving(state, term) > 0, pause);
    if (left) isChanged = (await models.rewrite(space.name, { from: bytes, to: left })) || isChanged;
  }
  return isChanged;
}

const chunksSql = `SELECT c.row AS place, c.heading_path AS headings, c.text, d.title FROM chunk AS c
  JOIN document AS d ON d.tenant = c.tenant AND d.id = c.document_id WHERE c.row > ? AND +c.tenant = ? ORDER BY c.row LIMIT ?`;
const rememberedSql = `SELECT rowid AS place, CASE WHEN tenant = ?2 THEN lower(hex(text_hash)) END AS hash FROM embedding_memo
  WHERE rowid > ?1 ORDER BY rowid LIMIT ?3`;

export function openEmbeddedErasure(database: SqliteRecordDatabase, tenant: string): EmbeddedErasure {
  const { engine, upkeep } = engineOf(database, tenant);
  const read = async <Row>(sql: string, ...values: readonly (string | number)[]): Promise<readonly Row[]> =>
    database.read((connection) => prepared(connection, sql).all(...values)) as unknown as readonly Row[];
  return {
    purgeIndex: () => upkeep.purge(),
    forgetTexts: (...given) =>
      forgetTexts<number, number>(
        {
          hasRemembered: async () =>
            (await read('SELECT 1 FROM embedding_memo WHERE tenant = ? LIMIT 1', tenant)).length > 0,
          chunks: (after = 0, limit) => read(chunksSql, after, tenant, limit),
          remembered: (after = 0, limit) => read(rememberedSql, after, tenant, limit),
          forget: (places) =>
            database.write((connection) => {
              const remove = prepared(connection, 'DELETE FROM embedding_memo WHERE rowid = ?');
              for (const row of places) remove.run(row);
            }),
        },
        ...given,
      ),
    async forgetTerms(...given) {
      const stateOf = async (): Promise<SearchState> => {
        await engine.opening(database, engineThreads);
        return database.read((connection) => engine.sync(connection)).index.state();
      };
      return forgetTerms(modelsIn(database, tenant), stateOf, given);
    },
  };
}
