// What an answer was composed from, read again for judges. Chunks that were deleted or replaced since are left out.
import type { Answer } from '../../core/answer.ts';
import { asAbsent } from '../../core/errors.ts';
import type { JudgedContext } from '../../evals/judges/judged-answer.ts';
import type { DocumentCalls } from '../facade/documents.ts';

/** In the order in which the answer names its sources: best first. */
export async function readContext(
  documents: Pick<DocumentCalls, 'chunks'>,
  { sources }: Pick<Answer, 'sources'>,
): Promise<readonly JudgedContext[]> {
  const texts = new Map<string, string>();
  for (const documentId of new Set(sources.map((source) => source.documentId))) {
    const chunks = await documents.chunks(documentId).catch(asAbsent);
    for (const { id, text } of chunks ?? []) texts.set(id, text);
  }
  return sources.flatMap(({ chunkId, documentId }) => {
    const text = texts.get(chunkId);
    return text === undefined ? [] : [{ chunkId, documentId, text }];
  });
}
