// A backup: one TAR with the record, as it is at one moment, and a manifest that says what must come out of it. It reads the data folder beside a
// server that writes. All else in that folder is made anew or waits for nobody: reserve, locks, passes, files on their way in.

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from '@footnote/readers/containers/archive-tar';
import { z } from 'zod';
import { version } from '../../config/version.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { copyRecord, readRecordFacts } from '../../db/sqlite/copy-record.ts';
import { exists, hashFile } from '../../models/files.ts';
import type { Finding } from '../doctor.ts';
import { recordName, settleOnDisk } from './record-file.ts';

export const manifestName = 'manifest.json';
const noteName = 'last-backup.json';

export const manifestSchema = z.object({
  format: z.literal('footnote-backup'),
  formatVersion: z.literal(1),
  /** Of the Footnote that made it. */
  footnote: z.string(),
  schema: z.int().min(1),
  createdAt: z.iso.datetime(),
  record: z.object({ bytes: z.int().min(1), sha256: z.string().regex(/^[\da-f]{64}$/u) }),
  counts: z.record(z.string(), z.int()),
});
export type Manifest = z.infer<typeof manifestSchema>;

async function writeTar(path: string, manifest: Manifest, { copy, signal }: { copy: string; signal: AbortSignal }) {
  const tar = pack();
  const written = pipeline(tar, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  const filled = async (): Promise<void> => {
    tar.entry({ name: manifestName, mode: 0o600 }, `${JSON.stringify(manifest, undefined, 2)}\n`);
    await pipeline(createReadStream(copy), tar.entry({ name: recordName, mode: 0o600, size: manifest.record.bytes }));
    tar.finalize();
  };
  await Promise.all([written, filled()]);
  await settleOnDisk(path);
}

/** Where a record is: in a data folder, or at the address of a database. */
export type RecordPlace = { readonly folder: string } | { readonly address: string };

async function copyTo(copy: string, place: RecordPlace, signal: AbortSignal) {
  if ('folder' in place) return copyRecord(join(place.folder, recordName), copy, signal);
  const { copyPostgres } = await import('./move.ts');
  await copyPostgres(copy, { address: place.address, isServed: true, signal });
  return readRecordFacts(copy);
}

/** Throws `not-found` without a record, `conflict` where the file is there already, and what the record and the disk throw. */
export async function backUp(place: RecordPlace, file: string, signal: AbortSignal): Promise<Manifest> {
  if ('folder' in place && !(await exists(join(place.folder, recordName))))
    throw new FootnoteError('not-found', `${place.folder} holds no record. Name the right data folder with --data.`);
  if (await exists(file))
    throw new FootnoteError('conflict', `${file} is there already and was left alone. Name another file.`);
  const room = `${file}.footnote-part`;
  try {
    // What one that was killed left.
    await rm(room, { recursive: true, force: true });
    await mkdir(room, { mode: 0o700 });
    const copy = join(room, recordName);
    const createdAt = new Date().toISOString();
    const facts = await copyTo(copy, place, signal);
    const { size: bytes } = await stat(copy);
    const manifest = manifestSchema.parse({
      format: 'footnote-backup',
      formatVersion: 1,
      footnote: version,
      createdAt,
      record: { bytes, sha256: await hashFile(copy, signal) },
      ...facts,
    });
    const whole = join(room, 'backup.tar');
    await writeTar(whole, manifest, { copy, signal });
    await rename(whole, file);
    await settleOnDisk(dirname(file));
    if ('folder' in place)
      await writeFile(join(place.folder, noteName), JSON.stringify({ at: createdAt, file }), { mode: 0o600 });
    return manifest;
  } catch (error) {
    if (signal.aborted) throw toFootnoteError(signal.reason);
    throw toFootnoteError(error);
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

const noteSchema = z.object({ at: z.iso.datetime(), file: z.string() });

/** When the folder was last backed up, and where to; undefined if never, as far as is known. */
export async function readLastBackup(folder: string): Promise<z.infer<typeof noteSchema> | undefined> {
  const text = await readFile(join(folder, noteName), 'utf8').catch(() => '');
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A schedule of backups that stands still is noticed after so long. */
const lateMs = 7 * 86_400_000;

export async function examineBackup(folder: string, nowMs = Date.now()): Promise<Finding[]> {
  if (!(await exists(join(folder, recordName)))) return [];
  const area = 'backup';
  const last = await readLastBackup(folder);
  if (last === undefined)
    return [{ area, state: 'ok', detail: 'none was made yet; make one with "footnote backup FILE"' }];
  const ageMs = nowMs - Date.parse(last.at);
  const age =
    ageMs < 2 * 86_400_000 ? `${Math.floor(ageMs / 3_600_000)} hours` : `${Math.floor(ageMs / 86_400_000)} days`;
  const detail = `the last was made ${age} ago: ${last.file}`;
  return ageMs <= lateMs
    ? [{ area, state: 'ok', detail }]
    : [
        {
          area,
          state: 'warning',
          detail,
          advice: 'Run: footnote backup FILE, and look why its schedule stands still.',
        },
      ];
}
