// The meaning of memories by the encoder that comes with Footnote, for tests and benches that open no Footnote; what was encoded once is kept in the process.

import { type Meaning, meaningBy } from '../../src/memory/facts/fitted/meaning.ts';
import { createRecentVectors, withKeptVectors } from '../../src/models/encoder/kept-vectors.ts';
import { openLocalEncoder } from '../../src/models/encoder/local-encoder.ts';

export interface OpenedMeaning {
  readonly meaning: Meaning;
  close(): Promise<void>;
}

/** Throws `config-invalid` where nothing here can run the encoder. */
export async function openMeaning(): Promise<OpenedMeaning> {
  const encoder = await openLocalEncoder();
  await encoder.warm();
  const kept = withKeptVectors(encoder, { tenant: 'test', recent: createRecentVectors(20_000) });
  return { meaning: meaningBy(kept, 60_000), close: () => encoder.close() };
}
