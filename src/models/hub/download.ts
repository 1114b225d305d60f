// One file from the hub to the disk: into `*.part`, from where it broke off, and under its name once every byte of it is right. Invariant: what stands
// under its name was checked.
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { hashFile } from '../files.ts';
import type { Hub, HubFile, HubListing } from './hub.ts';

export interface DownloadOptions {
  readonly hub: Pick<Hub, 'open'>;
  readonly listing: HubListing;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that are there now. */
  readonly onBytes?: (done: number) => void;
  /** Longest silence before the connection is made anew. */
  readonly idleMs?: number;
  /** Before a connection that follows one which brought nothing; longer each time. */
  readonly pauseMs?: number | undefined;
}

/** Connections in a row that bring nothing. */
const mostTries = 4;

/** Nothing, where there is none. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => -1,
  );

/** Throws `upstream-invalid` where the bytes are others than the hub lists, what the hub throws, `storage-full`, `cancelled`. */
export async function downloadFile(file: HubFile, target: string, options: DownloadOptions): Promise<void> {
  const part = `${target}.part`;
  if (await isRight(file, target, options.signal)) return;
  await rm(target, { force: true });
  await mkdir(dirname(target), { recursive: true });
  // What lies there may be of another revision: then it begins anew, once.
  for (let from = await sizeOf(part); ; from = -1) {
    await fetchAll(file, part, options);
    if (await isRight(file, part, options.signal)) return rename(part, target);
    await rm(part);
    if (from <= 0)
      throw new FootnoteError(
        'upstream-invalid',
        `${file.path} of ${options.listing.repository} came with other bytes than the hub lists (its checksum differs). They were removed. Run the command again; where that does not help, something on the way changes files.`,
        { details: { file: file.path } },
      );
  }
}

async function isRight(file: HubFile, path: string, signal?: AbortSignal): Promise<boolean> {
  if ((await sizeOf(path)) !== file.bytes) return false;
  if (file.sha256 !== undefined) return (await hashFile(path, signal)) === file.sha256;
  // Of small files the hub tells the id of their object in git alone.
  return (await hashFile(path, signal, { kind: 'sha1', before: `blob ${file.bytes}\0` })) === file.gitId;
}

async function fetchAll(file: HubFile, part: string, options: DownloadOptions): Promise<void> {
  const { signal, pauseMs = 500 } = options;
  for (let tries = 0; (await sizeOf(part)) !== file.bytes; ) {
    const before = await sizeOf(part);
    try {
      await fetchMore(file, part, options);
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      tries = (await sizeOf(part)) > before ? 0 : tries + 1;
      if (signal?.aborted || error.code !== 'upstream-unavailable' || tries === mostTries) throw error;
      if (tries > 0) await sleep(pauseMs * 2 ** tries, undefined, { ...(signal && { signal }) });
    }
  }
}

/** Writes what comes behind what is there, and tells the disk before it ends, however it ends. */
async function fetchMore(file: HubFile, part: string, options: DownloadOptions): Promise<void> {
  const { hub, listing, signal, onBytes, idleMs = 60_000 } = options;
  const there = await sizeOf(part);
  const { from, body, discard } = await hub.open(listing, file, there < file.bytes ? Math.max(0, there) : 0, signal);
  const written = await open(part, from === 0 ? 'w' : 'r+');
  let at = from;
  let watch = setTimeout(discard, idleMs);
  signal?.addEventListener('abort', discard, { once: true });
  try {
    signal?.throwIfAborted();
    for await (const piece of body()) {
      clearTimeout(watch);
      if (at + piece.length > file.bytes)
        throw new FootnoteError('upstream-invalid', `More bytes came than ${file.path} has. They were left out.`);
      await written.write(piece, 0, piece.length, at);
      at += piece.length;
      onBytes?.(at);
      watch = setTimeout(discard, idleMs);
    }
    if (at < file.bytes)
      throw new FootnoteError('upstream-unavailable', `${file.path} broke off after ${at} of ${file.bytes} bytes.`);
  } catch (thrown) {
    throw signal?.aborted ? signal.reason : thrown;
  } finally {
    clearTimeout(watch);
    signal?.removeEventListener('abort', discard);
    discard();
    await written.sync().catch(() => undefined);
    await written.close();
  }
}
