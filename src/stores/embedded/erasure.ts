// What a deletion leaves in the embedded store: entries in segments, vectors kept by text, terms in models that were learned from the
// corpus. Invariant: what still stands in a document stays, and everything may be repeated.
import { prepared } from '../../db/sqlite/file/connection.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
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

const chunksTogether = 100;
const textsTogether = 500;

export function openEmbeddedErasure(database: SqliteRecordDatabase, tenant: string): EmbeddedErasure {
  return {
    purgeIndex: () => engineOf(database, tenant).upkeep.purge(),

    async forgetTexts(hashOf, pause) {
      const any = database.read((connection) =>
        prepared(connection, 'SELECT 1 FROM embedding_memo WHERE tenant = ? LIMIT 1').get(tenant),
      );
      if (!any) return;
      const living = new Set<string>();
      const chunks = `SELECT c.row, c.heading_path AS headings, c.text, d.title FROM chunk AS c
        JOIN document AS d ON d.tenant = c.tenant AND d.id = c.document_id
        WHERE c.row > ? AND +c.tenant = ? ORDER BY c.row LIMIT ?`;
      for (let after = 0; ; ) {
        const rows = database.read((connection) => prepared(connection, chunks).all(after, tenant, chunksTogether));
        for (const { headings, text, title } of rows)
          living.add(
            hashOf(
              { title: String(title) },
              { headingPath: JSON.parse(String(headings)) as string[], text: String(text) },
            ),
          );
        if (rows.length < chunksTogether) break;
        after = Number(rows.at(-1)?.['row']);
        await pause();
      }
      const texts =
        'SELECT rowid AS row, tenant, lower(hex(text_hash)) AS hash FROM embedding_memo WHERE rowid > ? ORDER BY rowid LIMIT ?';
      for (let after = 0; ; ) {
        const rows = database.read((connection) => prepared(connection, texts).all(after, textsTogether));
        const gone = rows.filter((row) => row['tenant'] === tenant && !living.has(String(row['hash'])));
        if (gone.length > 0)
          await database.write((connection) => {
            const remove = prepared(connection, 'DELETE FROM embedding_memo WHERE rowid = ?');
            for (const { row } of gone) remove.run(row as number);
          });
        if (rows.length < textsTogether) return;
        after = Number(rows.at(-1)?.['row']);
        await pause();
      }
    },

    async forgetTerms(blank, pause) {
      const { engine } = engineOf(database, tenant);
      const models = modelsIn(database, tenant);
      let isChanged = false;
      for (const { space } of (await models.all()).filter(({ kind }) => kind === 'corpus')) {
        await engine.opening(database, engineThreads);
        const state = database.read((connection) => engine.sync(connection)).index.state();
        const bytes = await models.bytes(space.name);
        if (!bytes) continue;
        const left = await blank(bytes, (term) => countLiving(state, term) > 0, pause);
        if (left) isChanged = (await models.rewrite(space.name, { from: bytes, to: left })) || isChanged;
      }
      return isChanged;
    },
  };
}
