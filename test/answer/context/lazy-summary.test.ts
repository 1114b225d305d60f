import { describe, expect, it } from 'vitest';
import { createSummarizer } from '../../../src/answer/context/lazy-summary.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

const question = 'When was the pier of Brenna built?';
const text =
  '# The pier\n\nMany boats lie at the pier. The harbour of Brenna, where the pier was built in 1872, is deep. It rains.';
const chunk = evidenceOf({ id: 'a', text, start: 700 });
const others = Array.from({ length: 5 }, (_, at) =>
  evidenceOf({ id: `o${at}`, text: `Volume ${at} tells when a pier was opened, and where.` }),
);

describe('a summary', () => {
  it('is the sentence that speaks most of the question, as it stands in the document', () => {
    const summary = createSummarizer(question, [chunk, ...others], { characters: 600 }).summarize(chunk);
    expect(summary?.text).toBe('The harbour of Brenna, where the pier was built in 1872, is deep.');
    expect(text.slice((summary?.start ?? 0) - 700, (summary?.end ?? 0) - 700)).toBe(summary?.text);
    expect(summary).toMatchObject({ chunkId: 'a', documentId: chunk.documentId });
  });

  it('is no heading and no longer than asked for', () => {
    const { summarize } = createSummarizer(question, [chunk, ...others], { characters: 40 });
    expect(summarize(chunk)?.text).toBe('Many boats lie at the pier.');
    expect(createSummarizer(question, [chunk], { characters: 5 }).summarize(chunk)).toBeUndefined();
  });

  it('is not made of text that says nothing of the question', () => {
    const beside = evidenceOf({ id: 'b', text: 'Cheese is made of milk. Bread is not.' });
    expect(createSummarizer(question, [chunk, beside], { characters: 600 }).summarize(beside)).toBeUndefined();
  });
});
