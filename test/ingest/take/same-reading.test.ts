// Comparing a long document with what is recorded of it holds nobody up.
import { expect, it } from 'vitest';
import { isSameReading } from '../../../src/ingest/take/same-reading.ts';
import { turnsWhile } from '../../../testkit/event-loop-turns.ts';
import { createWrite } from '../../../testkit/record-fixture.ts';

it('lets others have their turn while many chunks are compared, and finds the one that differs', async () => {
  const write = createWrite('A line of a long text.\n'.repeat(8000), { id: 'long', uri: 'long.md' });
  const { chunks } = write;
  expect(chunks.length).toBeGreaterThan(900);
  const recorded = (of: typeof chunks) => ({ structure: async () => write.structure, chunks: async () => of });
  const { value, turns } = await turnsWhile(() => isSameReading(recorded(chunks), write.document, write));
  expect(value).toBe(true);
  // At most 200 are compared in one go.
  expect(turns).toBeGreaterThanOrEqual(4);
  const other = chunks.map((chunk, at) => (at === 700 ? { ...chunk, tokens: chunk.tokens + 1 } : chunk));
  expect(await isSameReading(recorded(other), write.document, write)).toBe(false);
});
