// What tests of readers borrow of the program around them: how spans are cited, what is left out of archives, how passages are cut, and the
// box in which readers run. The readers themselves import none of it.
export { placeOf } from '../../../src/core/documents/places.ts';
export { neverRead } from '../../../src/ingest/connectors/walk.ts';
export { createParserPool } from '../../../src/ingest/read/parser-pool.ts';
export { segmentPieces } from '../../../src/text/sentences.ts';
