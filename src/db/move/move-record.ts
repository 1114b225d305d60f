// Carries a record from one database to the other, table by table and in slices. Invariants: the source is never changed; what the target notes of its
// progress is written with the rows themselves, so that a move that was killed goes on behind them, and only where what was carried before is still what the
// source says; a target counts as whole when each of its tables was read again and is what the source gave.
import { FootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import {
  type ChunkRow,
  chunkColumns,
  type DocumentRow,
  documentColumns,
  toChunk,
  toDocument,
} from '../document-rows.ts';
import { type IndexWithin, sealRow } from '../repositories/index-log.ts';
import { first, rows, run, runEach, type Steps } from '../statements.ts';
import type { MovedRow, MovedTable } from './moved-tables.ts';
import { progressTable, type Side, type Target } from './sides.ts';

export interface MovePorts {
  /** What the index within the record keeps of a document. */
  readonly index: IndexWithin;
  readonly signal: AbortSignal;
  /** Told what is done next. */
  readonly tell?: ((what: string) => void) | undefined;
  /** Called when the target was compared, before it may be used. */
  readonly whole?: ((moved: Moved) => Promise<void>) | undefined;
}

export interface MovedCount {
  readonly rows: number;
  /** Over all of them in their order: the same in both databases. */
  readonly seal: string;
}

export interface Moved {
  /** By table, as PostgreSQL calls it. */
  readonly tables: Readonly<Record<string, MovedCount>>;
  readonly rows: number;
  /** Over the seals of all tables. */
  readonly seal: string;
}

interface Noted {
  readonly carried: number;
  readonly seal: string;
}

const nothing: Noted = { carried: 0, seal: '' };
const indexStep = 'index';
/** Chunks that are analysed and written together. */
const chunksTogether = 400;

function* noteProgress(step: string, { carried, seal }: Noted): Steps<void> {
  const sql = `INSERT INTO ${progressTable} (step, carried, seal) VALUES (?, ?, ?)
    ON CONFLICT (step) DO UPDATE SET carried = excluded.carried, seal = excluded.seal`;
  yield* run(sql, step, carried, seal);
}

const notedOf = (target: Target, step: string): Promise<Noted> =>
  target.look(
    async (side) =>
      (await side.read(() => first<Noted>(`SELECT carried, seal FROM ${progressTable} WHERE step = ?`, step))) ??
      nothing,
  );

/** The seal over all rows up to this one. */
const sealAfter = (seal: string, { sealed }: MovedTable, row: MovedRow): string =>
  sha256(
    JSON.stringify([
      seal,
      ...sealed.map((name) => {
        const value = row[name];
        return value instanceof Uint8Array ? { bytes: sha256(value) } : (value ?? null);
      }),
    ]),
  );

/** Work that is done one after another, while the next is prepared. */
function createLane() {
  let last = Promise.resolve();
  return {
    /** Resolves when the work before is done. Rejects with what that threw. */
    async begin(work: () => Promise<void>): Promise<void> {
      await last;
      last = work();
      // It is told to whoever waits for it.
      last.catch(() => undefined);
    },
    end: () => last,
  };
}

async function carry(
  table: MovedTable,
  { source, target, signal }: { readonly source: Side; readonly target: Target; readonly signal: AbortSignal },
): Promise<MovedCount> {
  const before = await notedOf(target, table.name);
  let { carried: count, seal } = nothing;
  const assertSame = (): void => {
    if (count === before.carried ? seal === before.seal : count > before.carried) return;
    throw new FootnoteError(
      'conflict',
      `What was moved of ${table.name} before is not what the source holds now: it was changed since. Move it anew, into an empty database or folder.`,
    );
  };
  const writing = createLane();
  for await (const slice of source.slices(table)) {
    signal.throwIfAborted();
    const fresh: MovedRow[] = [];
    for (const row of slice) {
      seal = sealAfter(seal, table, row);
      count += 1;
      if (count > before.carried) fresh.push(table.numbered === undefined ? row : { ...row, [table.numbered]: count });
      else if (count === before.carried) assertSame();
    }
    if (fresh.length > 0) {
      const progress = { carried: count, seal };
      await writing.begin(() =>
        target.write(function* () {
          yield* target.insert(table, fresh);
          yield* noteProgress(table.name, progress);
        }),
      );
    }
    await nextTurn();
  }
  await writing.end();
  if (count < before.carried) assertSame();
  return { rows: count, seal };
}

interface Entry {
  readonly tenant: string;
  readonly document_id: string;
  readonly first_row: number;
  readonly last_row: number;
}

const damaged = ({ document_id }: Entry): FootnoteError =>
  new FootnoteError(
    'data-corrupt',
    `Document ${document_id} is not what its index says. Run "footnote doctor --repair" over the source, then move it anew.`,
  );

/** What the log says of the chunks of documents of one tenant, each under the row that it has. */
async function logRows(
  side: Side,
  entries: readonly Entry[],
  index: IndexWithin,
): Promise<Parameters<typeof runEach>[1]> {
  const tenant = entries[0]?.tenant ?? '';
  const ids = entries.map((entry) => entry.document_id);
  const of = await side.read(function* () {
    const documentsSql = `SELECT ${documentColumns} FROM document AS d WHERE d.tenant = ? AND d.id = ANY(?)`;
    const documents = yield* rows<DocumentRow>(documentsSql, tenant, ids);
    const chunksSql = `SELECT ${chunkColumns} FROM chunk AS c WHERE c.tenant = ? AND c.document_id = ANY(?) ORDER BY c.document_id, c.ordinal`;
    const chunks = Map.groupBy(yield* rows<ChunkRow>(chunksSql, tenant, ids), (chunk) => chunk.document_id);
    return new Map(documents.map((row) => [row.id, { row, chunks: chunks.get(row.id) ?? [] }]));
  });
  return entries.flatMap((entry) => {
    const found = of.get(entry.document_id);
    if (found?.chunks.length !== entry.last_row - entry.first_row + 1) throw damaged(entry);
    const document = toDocument(found.row);
    const [printed] = index.print([{ document, chunks: found.chunks.map(toChunk) }]);
    return (printed?.chunks ?? []).map(({ chunkId, terms }, at) => {
      const row = entry.first_row + at;
      const text = { documentId: entry.document_id, chunkId, terms };
      return [tenant, row, entry.document_id, chunkId, terms, sealRow(tenant, row, text)];
    });
  });
}

/** Entries of one tenant, of some hundred chunks. */
function* together(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let some: Entry[] = [];
  let chunks = 0;
  for (const entry of entries) {
    if (some.length > 0 && (chunks >= chunksTogether || some[0]?.tenant !== entry.tenant)) {
      yield some;
      some = [];
      chunks = 0;
    }
    some.push(entry);
    chunks += entry.last_row - entry.first_row + 1;
  }
  if (some.length > 0) yield some;
}

/** Makes the log of the index anew from what was carried. An index of another version is left to whoever opens the record. */
async function makeIndex(table: MovedTable, target: Target, { index, signal }: MovePorts): Promise<void> {
  const { log, entries, languages, state } = target.index;
  const { carried } = await notedOf(target, indexStep);
  await target.look(async (side) => {
    const current = await side.read(() => rows<{ readonly tenant: string }>(state, index.version));
    const tenants = new Set(current.map(({ tenant }) => tenant));
    let done = 0;
    const writing = createLane();
    for await (const slice of side.slices(table)) {
      const all = slice as unknown as readonly Entry[];
      for (const some of together(all.filter(({ tenant }) => tenants.has(tenant)))) {
        signal.throwIfAborted();
        done += some.length;
        if (done <= carried) continue;
        const made = await logRows(side, some, index);
        const progress = { carried: done, seal: '' };
        await writing.begin(() =>
          target.write(function* () {
            yield* runEach(
              `INSERT INTO ${log} (tenant, row, document_id, chunk_id, terms, seal) VALUES (?, ?, ?, ?, ?, ?)`,
              made,
            );
            yield* noteProgress(indexStep, progress);
          }),
        );
        await nextTurn();
      }
    }
    await writing.end();
  });
  await target.write(function* () {
    yield* run(`DELETE FROM ${languages}`);
    yield* run(`INSERT INTO ${languages} (tenant, language, chunks) SELECT tenant, language, sum(last_row - first_row + 1)
      FROM ${entries} WHERE last_row >= first_row GROUP BY tenant, language`);
    yield* run(`UPDATE vector_space SET revision = coalesce((SELECT max(b.sequence) FROM vector_block AS b
      WHERE b.tenant = vector_space.tenant AND b.space = vector_space.space), 0)`);
  });
}

async function sealed(table: MovedTable, side: Side, signal: AbortSignal): Promise<MovedCount> {
  let seal = nothing.seal;
  let count = 0;
  for await (const slice of side.slices(table)) {
    signal.throwIfAborted();
    for (const row of slice) seal = sealAfter(seal, table, row);
    count += slice.length;
    await nextTurn();
  }
  return { rows: count, seal };
}

/**
 * Carries all of it, or goes on with what was begun. Throws `conflict` where the source was changed since, `data-corrupt` where the target is not what the source
 * gave, or the source not what it was written as; a target is of no use until this has returned.
 */
export async function moveRecord(
  tables: readonly MovedTable[],
  { source, target }: { readonly source: Side; readonly target: Target },
  ports: MovePorts,
): Promise<Moved> {
  const { signal, tell } = ports;
  const given: Record<string, MovedCount> = {};
  for (const table of tables) {
    tell?.(table.name.replaceAll('_', ' '));
    given[table.name] = await carry(table, { source, target, signal });
  }
  tell?.('the index, made anew');
  for (const table of tables) if (table.name === 'ix_document') await makeIndex(table, target, ports);
  await target.count(await source.counters());
  tell?.('the comparison of both');
  await target.look(async (side) => {
    for (const table of tables) {
      const found = await sealed(table, side, signal);
      const wanted = given[table.name];
      if (found.rows !== wanted?.rows || found.seal !== wanted.seal)
        throw new FootnoteError(
          'data-corrupt',
          `${table.name} is not in the target what it is in the source (${found.rows} rows of ${wanted?.rows ?? 0}). The target is of no use; the source was not changed. Move it anew, into an empty database or folder.`,
        );
    }
  });
  const moved: Moved = {
    tables: given,
    rows: Object.values(given).reduce((sum, one) => sum + one.rows, 0),
    seal: sha256(JSON.stringify(tables.map(({ name }) => [name, given[name]]))),
  };
  await ports.whole?.(moved);
  await target.complete();
  return moved;
}
