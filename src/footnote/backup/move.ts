// The whole record from the data folder into PostgreSQL, and back. Invariants: a folder is a data folder when its record is whole: until then the record is
// made in a room within it, and the folder is refused as one whose record is missing; what is moved from is owned meanwhile, so that nobody writes to it.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { ballastPath } from '../../db/erasure/ballast.ts';
import { type Moved, type MovePorts, moveRecord } from '../../db/move/move-record.ts';
import { readPostgres, writePostgres } from '../../db/move/postgres-side.ts';
import { endSqlite, readSqlite, writeSqlite } from '../../db/move/sqlite-side.ts';
import { exists } from '../../models/files.ts';
import { indexWithin } from '../../stores/embedded/index-within.ts';
import { acquireLock } from '../lock.ts';
import { recordName, settleOnDisk } from './record-file.ts';

export interface MoveOptions {
  /** The database, which is on one of the two ends. */
  readonly address: string;
  /** Whether a move into the target was begun before and is to go on. */
  readonly isResumed: boolean;
  readonly signal: AbortSignal;
  readonly tell?: ((what: string) => void) | undefined;
}

async function owned<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(folder, 'footnote move');
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? toFootnoteError(signal.reason) : toFootnoteError(error);
  } finally {
    await lock.release();
  }
}

/** Carries the record of a data folder into an empty database. Throws `not-found`, `conflict`, `already-running`, `migration-needed`, `data-corrupt`. */
export async function moveToPostgres(
  folder: string,
  { address, isResumed, signal, tell }: MoveOptions,
): Promise<Moved> {
  const record = join(folder, recordName);
  if (!(await exists(record)))
    throw new FootnoteError('not-found', `${folder} holds no record. Name the right data folder with --data.`);
  return owned(folder, signal, () => fillPostgres(record, { address, isResumed, signal, tell }));
}

/** The same of a record that is a file of its own. */
export const fillPostgres = (record: string, { address, isResumed, signal, tell }: MoveOptions): Promise<Moved> =>
  readSqlite(record, indexWithin.version, (source) =>
    writePostgres(address, { isResumed }, (target, tables) =>
      moveRecord(tables, { source, target }, { index: indexWithin, signal, tell }),
    ),
  );

export interface CopyOptions extends Omit<MoveOptions, 'isResumed'>, Pick<MovePorts, 'whole'> {
  /** Whether servers may go on with the database meanwhile. */
  readonly isServed: boolean;
  /** Called when the database can be read, before the file is begun. */
  begin?(): Promise<void>;
}

/** The record of a database in a file. */
export const copyPostgres = (record: string, { address, isServed, begin, ...ports }: CopyOptions): Promise<Moved> =>
  readPostgres(address, { isServed }, async (source, tables) => {
    await begin?.();
    return writeSqlite(record, (target) => moveRecord(tables, { source, target }, { index: indexWithin, ...ports }));
  });

/** Carries the record of a database into a data folder that is not there yet, or empty. Throws what `moveToPostgres` throws. */
export async function moveToFolder(folder: string, { address, isResumed, signal, tell }: MoveOptions): Promise<Moved> {
  return owned(folder, signal, async () => {
    const room = join(folder, 'moving');
    const isBegun = await exists(room);
    if (isBegun && !isResumed)
      throw new FootnoteError(
        'conflict',
        `A move into ${folder} was interrupted. Go on with it by --resume, or name another folder.`,
      );
    if (isBegun && (await exists(join(folder, recordName))))
      throw new FootnoteError(
        'conflict',
        `The move into ${folder} had ended: its record is whole, and was left alone.`,
      );
    const others = (await readdir(folder)).filter((name) => !/^lock-\d+$/u.test(name));
    if (!isBegun && others.length > 0)
      throw new FootnoteError(
        'conflict',
        `${folder} is not empty, and was left alone. Name a folder that is not there yet.`,
      );
    const fresh = join(room, recordName);
    // Stands there from when the record was found whole: what is not done then is to put it in its place.
    const ending = join(room, 'moved.json');
    let moved: Moved;
    if (await exists(ending)) {
      moved = JSON.parse(await readFile(ending, 'utf8')) as Moved;
      endSqlite(fresh);
    } else
      moved = await copyPostgres(fresh, {
        address,
        isServed: false,
        signal,
        tell,
        async begin() {
          // A folder with a reserve and without a record is refused by whoever opens it.
          await writeFile(ballastPath(folder), '', { flag: 'a', mode: 0o600 });
          await mkdir(room, { recursive: true, mode: 0o700 });
        },
        async whole(whole) {
          await writeFile(`${ending}.new`, JSON.stringify(whole), { mode: 0o600 });
          await settleOnDisk(`${ending}.new`);
          await rename(`${ending}.new`, ending);
          await settleOnDisk(room);
        },
      });
    await settleOnDisk(fresh);
    await rename(fresh, join(folder, recordName));
    await settleOnDisk(folder);
    await rm(room, { recursive: true, force: true });
    return moved;
  });
}
