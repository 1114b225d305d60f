// Documents as they are handed over, checked before they are written: text, offsets and hashes fit. Long ones are checked and sealed ahead of
// their transaction, in short pieces.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chunk } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';
import { type ChunkRow, toChunkRow } from './document-rows.ts';
import { packAhead } from './packed.ts';
import type { DocumentWrite } from './repositories/changes.ts';

/** A record that does not hold together is refused before it is written: a mistake of ours, never of a file. */
export function assertSound(write: DocumentWrite): void {
  assertSoundText(write);
  const wellFormed = write.text.isWellFormed();
  for (const chunk of write.chunks) assertSoundChunk(write, chunk, wellFormed);
}

function unsound({ document }: DocumentWrite, what: string): FootnoteError {
  return new FootnoteError('internal', `Document ${document.id} cannot be recorded: ${what}.`);
}

function assertSoundText(write: DocumentWrite): void {
  const { document, text, chunks } = write;
  if (text.length !== document.textLength || sha256(text) !== document.textHash)
    throw unsound(write, 'its text is not the one it names');
  if (chunks.length !== document.chunkCount)
    throw unsound(write, `it names ${document.chunkCount} chunks and brings ${chunks.length}`);
}

function assertSoundChunk(write: DocumentWrite, chunk: Chunk, wellFormed: boolean): void {
  const { document, text } = write;
  if (chunk.documentId !== document.id) throw unsound(write, `chunk ${chunk.id} belongs to another document`);
  if (chunk.text !== text.slice(chunk.start, chunk.end))
    throw unsound(write, `chunk ${chunk.id} is not its span of the text`);
  if (wellFormed && !chunk.text.isWellFormed()) throw unsound(write, `chunk ${chunk.id} cuts a character in two`);
  const hash = chunk.text === text ? document.textHash : sha256(chunk.text);
  if (hash !== chunk.hash) throw unsound(write, `the hash of chunk ${chunk.id} is not that of its text`);
}

/** Chunks that are checked and sealed without a turn for others: some 1 ms. Documents of fewer need no preparation. */
const chunksTogether = 150;

interface Ahead {
  readonly tenant: string;
  readonly write: DocumentWrite;
  readonly rows: readonly ChunkRow[];
}
/** Rows of documents that were found sound, by their chunks. */
const ahead = new WeakMap<readonly Chunk[], Ahead>();

export function rowsAhead(tenant: string, { document, text, chunks }: DocumentWrite): readonly ChunkRow[] | undefined {
  const found = ahead.get(chunks);
  if (found?.tenant !== tenant || found.write.document !== document || found.write.text !== text) return undefined;
  return found.rows;
}

/**
 * Checks and seals the chunks of a long document in short pieces, so that its transaction only writes. The write must not change any
 * more. What is not sound is left to the transaction, which refuses it.
 */
async function prepareChunks(tenant: string, write: DocumentWrite): Promise<void> {
  const { chunks } = write;
  if (chunks.length < chunksTogether) return;
  const rows: ChunkRow[] = [];
  try {
    assertSoundText(write);
    const wellFormed = write.text.isWellFormed();
    for (const chunk of chunks) {
      assertSoundChunk(write, chunk, wellFormed);
      rows.push(toChunkRow(tenant, chunk));
      if (rows.length % chunksTogether === 0) await nextTurn();
    }
  } catch {
    return;
  }
  ahead.set(chunks, { tenant, write, rows });
}

/** Does beforehand what takes long and needs no transaction. */
export async function prepareWrites(tenant: string, writes: readonly DocumentWrite[]): Promise<void> {
  for (const write of writes) await prepareChunks(tenant, write);
  await packAhead(writes.map(({ structure }) => structure));
}
