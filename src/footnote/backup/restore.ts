// A record out of a backup. Invariants: nothing of the folder changes before the whole backup was read and is what its manifest says; whatever
// happens after that, either the old record stands, or the new one, or the folder is refused as one whose record is missing until this is run again.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from '@footnote/readers/containers/archive-tar';
import { FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import { ballastPath } from '../../db/erasure/ballast.ts';
import { readRecordFacts } from '../../db/sqlite/copy-record.ts';
import { applicationId, schemaVersion } from '../../db/sqlite/migrations.ts';
import { openSqliteRecord } from '../../db/sqlite/sqlite.ts';
import { exists } from '../../models/files.ts';
import { acquireLock } from '../lock.ts';
import { type Manifest, manifestName, manifestSchema } from './backup.ts';
import { recordName, settleOnDisk } from './record-file.ts';

const mostManifestBytes = 1024 * 1024;

export interface Restored {
  readonly manifest: Manifest;
  /** Where the record that was there is kept. */
  readonly kept?: string;
}

export interface RestoreOptions {
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

interface Unpacking {
  readonly folder: string;
  readonly file: string;
  readonly signal: AbortSignal;
}

/** What `work` makes of a record that was read whole and is what its manifest says, in a room within the folder. */
async function unpacked<T>(
  { folder, file, signal }: Unpacking,
  work: (manifest: Manifest, fresh: string) => Promise<T>,
): Promise<T> {
  const room = join(folder, 'restoring');
  // What one that was killed left.
  await rm(room, { recursive: true, force: true });
  await mkdir(room, { mode: 0o700 });
  try {
    const fresh = join(room, recordName);
    const manifest = await unpack(file, fresh, signal);
    assertFits(file, manifest, fresh);
    await settleOnDisk(fresh);
    return await work(manifest, fresh);
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

/** What can be done where a sound record cannot go into a database as it is: what was unpacked of it goes. */
function toRestorable(error: unknown): unknown {
  const what = isFootnoteError(error) ? error.details['unready'] : undefined;
  if (!isFootnoteError(error) || typeof what !== 'string') return error;
  return new FootnoteError(
    error.code,
    `${what} The backup is sound, but cannot go into a database as it is. Without FOOTNOTE_DATABASE_URL, run "footnote restore FILE --data ./new" and start Footnote over that folder until "footnote doctor" finds nothing to do; then run "footnote move --to postgres --data ./new" with the address of a new database.`,
    { cause: error },
  );
}

/**
 * Into an empty database, or one that this was begun in before; `folder`: the data folder, in which the backup is unpacked. Throws `not-found`, `conflict`,
 * `already-running`, `invalid-media`, `migration-needed`.
 */
export async function restoreToPostgres({ folder, file, signal }: Unpacking, address: string): Promise<Manifest> {
  if (!(await exists(file))) throw new FootnoteError('not-found', `There is no backup at ${file}.`);
  const lock = await acquireLock(folder, 'footnote restore');
  try {
    return await unpacked({ folder, file, signal }, async (manifest, fresh) => {
      // One of an older Footnote is brought forward.
      await openSqliteRecord({ folder: dirname(fresh) }).close();
      const { fillPostgres } = await import('./move.ts');
      await fillPostgres(fresh, { address, isResumed: true, signal }).catch((error: unknown) => {
        throw toRestorable(error);
      });
      return manifest;
    });
  } catch (error) {
    throw signal.aborted ? toFootnoteError(signal.reason) : toFootnoteError(error);
  } finally {
    await lock.release();
  }
}

/** Throws `conflict` where the folder holds a record and nothing was said of replacing it, `already-running`, `invalid-media`, `migration-needed`. */
export async function restore(folder: string, file: string, { replace, signal }: RestoreOptions): Promise<Restored> {
  if (!(await exists(file))) throw new FootnoteError('not-found', `There is no backup at ${file}.`);
  const lock = await acquireLock(folder, 'footnote restore');
  try {
    const record = join(folder, recordName);
    const old = [record, `${record}-wal`, `${record}-shm`];
    const present = await Promise.all([...old, ballastPath(folder)].map(exists));
    if (present.includes(true) && !replace)
      throw new FootnoteError(
        'conflict',
        `${folder} is in use as a data folder. Restore into an empty one, or say --replace: what is there is kept beside.`,
      );
    return await unpacked({ folder, file, signal }, async (manifest, fresh) => {
      if (!present.includes(true)) {
        await rename(fresh, record);
        await settleOnDisk(folder);
        return { manifest };
      }
      const kept = join(folder, `replaced-${new Date().toISOString().replace(/\W/gu, '-').slice(0, -1)}`);
      await mkdir(kept, { mode: 0o700 });
      // A folder with a reserve and without a record is refused: no kill from here on lets an old journal be laid over the new record.
      await writeFile(ballastPath(folder), '', { flag: 'a', mode: 0o600 });
      for (const [at, path] of old.entries())
        if (present[at]) await rename(path, join(kept, path.slice(folder.length + 1)));
      await rename(fresh, record);
      await settleOnDisk(kept);
      await settleOnDisk(folder);
      return { manifest, kept };
    });
  } catch (error) {
    throw signal.aborted ? toFootnoteError(signal.reason) : toFootnoteError(error);
  } finally {
    await lock.release();
  }
}

const damaged = (file: string, what: string, cause?: unknown): FootnoteError =>
  new FootnoteError('invalid-media', `${file} was not restored: ${what}. Nothing was changed. Take another backup.`, {
    cause,
  });

/** Writes the record of a backup to `target`; the only names that are taken are those that a backup has. */
async function unpack(file: string, target: string, signal: AbortSignal): Promise<Manifest> {
  const entries = extract();
  const feeding = pipeline(createReadStream(file), entries, { signal });
  feeding.catch(() => undefined);
  let manifest: Manifest | undefined;
  let isWhole = false;
  try {
    for await (const entry of entries) {
      const { name, type, size = 0 } = entry.header;
      if (type === 'file' && name === manifestName && manifest === undefined && size <= mostManifestBytes)
        manifest = await readManifest(file, entry as AsyncIterable<Uint8Array>);
      else if (type === 'file' && name === recordName && manifest !== undefined && !isWhole) {
        await takeRecord(file, entry as AsyncIterable<Uint8Array>, { manifest, size, target });
        isWhole = true;
      } else throw damaged(file, `it holds ${JSON.stringify(name)}, which no backup has at that place`);
    }
    await feeding;
  } catch (error) {
    if (isFootnoteError(error) || signal.aborted) throw error;
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw damaged(file, `it is cut off or damaged (${(error as Error).message})`, error);
  } finally {
    entries.destroy();
  }
  if (manifest === undefined || !isWhole) throw damaged(file, 'it is cut off, or no backup of Footnote');
  return manifest;
}

async function readManifest(file: string, entry: AsyncIterable<Uint8Array>): Promise<Manifest> {
  const pieces: Uint8Array[] = [];
  for await (const piece of entry) pieces.push(piece);
  let given: unknown;
  try {
    given = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (error) {
    throw damaged(file, 'its manifest is not JSON', error);
  }
  const { formatVersion } = given as { readonly formatVersion?: unknown };
  if (typeof formatVersion === 'number' && formatVersion > 1)
    throw new FootnoteError('migration-needed', `${file} was made by a newer Footnote. Update Footnote to restore it.`);
  const parsed = manifestSchema.safeParse(given);
  if (!parsed.success) throw damaged(file, 'its manifest is not one of a backup', parsed.error);
  if (parsed.data.schema > schemaVersion) throw newer(file, parsed.data.schema);
  return parsed.data;
}

const newer = (file: string, schema: number): FootnoteError =>
  new FootnoteError(
    'migration-needed',
    `${file} was made by a newer Footnote (schema ${schema}; this one knows ${schemaVersion}). Update Footnote to restore it.`,
    { details: { found: schema, known: schemaVersion } },
  );

interface Taking {
  readonly manifest: Manifest;
  readonly size: number;
  readonly target: string;
}

async function takeRecord(
  file: string,
  entry: AsyncIterable<Uint8Array>,
  { manifest, size, target }: Taking,
): Promise<void> {
  const { bytes, sha256 } = manifest.record;
  if (size !== bytes) throw damaged(file, `its record has ${size} bytes and not ${bytes}, as the manifest says`);
  const sum = createHash('sha256');
  const summed = async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      sum.update(piece);
      yield piece;
    }
  };
  await pipeline(entry, summed, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  if (sum.digest('hex') !== sha256) throw damaged(file, 'its record is not what the manifest says (SHA-256)');
}

/** The manifest may have been written by anybody: what counts is what the record itself says. */
function assertFits(file: string, manifest: Manifest, record: string): void {
  const { schema, application } = readRecordFacts(record);
  if (application !== applicationId) throw damaged(file, 'its record is a database of another program');
  if (schema > schemaVersion) throw newer(file, schema);
  if (schema !== manifest.schema) throw damaged(file, `its record has schema ${schema} and not ${manifest.schema}`);
}
