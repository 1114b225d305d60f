// The index of this store to a database that writes its rows itself: what the log says of each chunk, analysed before the commit.
import type { IndexedDocument } from '../../db/repositories/changes.ts';
import type { IndexWithin, PrintedDocument } from '../../db/repositories/index-log.ts';
import { createChunkAnalysis, printTerms } from '../../engine/threads/analysis.ts';
import { checkVectors } from '../../engine/vectors/prepare-vector.ts';
import { headingsOf, languageOf, preparedOf } from './prepare.ts';
import { indexVersion } from './tenant-index.ts';

function print(given: IndexedDocument): PrintedDocument {
  const { document, chunks } = given;
  const known = preparedOf(given);
  const language = known?.language ?? languageOf(given);
  const analyze = createChunkAnalysis(document.title, language);
  return {
    documentId: document.id.toWellFormed(),
    language,
    chunks: chunks.map((chunk, at) => ({
      chunkId: chunk.id,
      terms: known?.terms[at] ?? printTerms(analyze(headingsOf(chunk, document.title), chunk.text)),
    })),
  };
}

export const indexWithin: IndexWithin = {
  version: indexVersion,
  print(documents, space) {
    for (const { vectors } of documents) if (space && vectors) checkVectors(vectors, space.dimensions, space.metric);
    return documents.map(print);
  },
};
