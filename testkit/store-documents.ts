// Small documents for tests of hosted stores, and what became of them.
import type { StoreDocument, StoreOutcome } from '../src/stores/delivered.ts';
import { createWrite } from './record-fixture.ts';

/** Its vectors have two dimensions. */
export const written = (name: string, text: string): StoreDocument => {
  const { document, chunks } = createWrite(text, { id: `doc_${name}`, uri: `${name}.md`, title: '', language: 'en' });
  return { document, chunks, vectors: Float32Array.from(chunks.flatMap((_, at) => [1, at])) };
};

/** `doc_d0`, `doc_d1`, … */
export const many = (count: number): readonly StoreDocument[] =>
  Array.from({ length: count }, (_, at) => written(`d${at}`, `Heron ${at} waits.`));

/** Document and code of each that failed. */
export const failures = (outcomes: readonly StoreOutcome[]) =>
  outcomes.flatMap(({ documentId, error }) => (error ? [[documentId, error.code]] : []));
