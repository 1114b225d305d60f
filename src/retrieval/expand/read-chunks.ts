// Reads chunks so that one damaged row does not silence the others: where a read of all fails for damage, each is read by itself.
import { type FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { DocumentRepository } from '../../db/repositories/documents.ts';

type Documents = Pick<DocumentRepository, 'chunksById'>;

/** The chunks that are there and sound; `onDamage` is told of each that is not. */
export async function readChunks(
  documents: Documents,
  ids: readonly string[],
  onDamage?: (error: FootnoteError) => void,
): ReturnType<Documents['chunksById']> {
  const isDamage = (error: unknown): error is FootnoteError => isFootnoteError(error) && error.code === 'data-corrupt';
  try {
    return await documents.chunksById(ids);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const rows: Awaited<ReturnType<Documents['chunksById']>>[number][] = [];
  for (const id of ids)
    try {
      rows.push(...(await documents.chunksById([id])));
    } catch (error) {
      if (!isDamage(error)) throw error;
      onDamage?.(error);
    }
  return rows;
}
