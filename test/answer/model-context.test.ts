import { describe, expect, it } from 'vitest';
import { assembleForModel } from '../../src/answer/model-context.ts';
import { numberBlocks, renderPassages } from '../../src/answer/model-evidence.ts';
import { countTokens } from '../../src/text/tokens.ts';
import { evidenceOf } from './evidence-of.ts';

const filler = (from: number, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `Paragraph ${from + at} tells of other matters in the harbour records of that year.`,
  ).join(' ');
/** About 1,500 tokens, with what is asked for in the middle. */
const long = `${filler(0, 45)} The pier of Brenna is 340 metres long and was built in 1872. ${filler(100, 45)}`;
const chunk = evidenceOf({
  id: 'long',
  documentId: 'doc-a',
  title: 'Harbour records',
  text: long,
  start: 500,
  score: 5,
});
const question = 'How long is the pier of Brenna?';

describe('assembleForModel', () => {
  it.each([150, 400, 900, 2_000, 5_000])('stays within %i tokens as they stand in the prompt', (budgetTokens) => {
    const others = Array.from({ length: 12 }, (_, at) =>
      evidenceOf({
        id: `c${at}`,
        title: `Title ${at}`,
        text: `Line ${at} of the pier.\n${filler(at * 7, 6)}`,
        score: 4 - at / 10,
      }),
    );
    const context = assembleForModel({ question, evidence: [chunk, ...others], budgetTokens });
    expect(countTokens(renderPassages(numberBlocks(context.blocks)))).toBeLessThanOrEqual(budgetTokens);
    expect(context.tokens).toBeLessThanOrEqual(budgetTokens);
    // Nothing is left out without a word.
    const shown = new Set(context.blocks.map(({ evidence }) => evidence.chunkId));
    const named = new Set(context.dropped.map(({ chunkId }) => chunkId));
    for (const { chunkId } of [chunk, ...others]) expect(shown.has(chunkId) || named.has(chunkId), chunkId).toBe(true);
    expect(context.dropped.every(({ reason }) => reason.length > 10)).toBe(true);
  });

  it('widens a passage by the sentences around it while room is left, never over its chunk', () => {
    const tight = assembleForModel({ question, evidence: [chunk], budgetTokens: 310 });
    const wide = assembleForModel({ question, evidence: [chunk], budgetTokens: 1_400 });
    const length = (context: typeof wide): number =>
      context.blocks.reduce((sum, { evidence }) => sum + evidence.text.length, 0);
    expect(length(wide)).toBeGreaterThan(length(tight));
    for (const { evidence } of [...tight.blocks, ...wide.blocks]) {
      expect(evidence.text).toBe(long.slice(evidence.start - 500, evidence.end - 500));
      expect(evidence.text).toMatch(/^(?:Paragraph|The pier).*\.$/su);
    }
    expect(wide.blocks.some(({ evidence }) => evidence.text.includes('340 metres'))).toBe(true);
    expect(wide.dropped).toContainEqual({
      chunkId: 'long',
      reason: expect.stringMatching(/of its \d+ characters are shown/),
    });
  });

  it('keeps passages of one chunk apart', () => {
    const twice = evidenceOf({
      id: 'twice',
      text: `${filler(0, 30)} The pier is long. ${filler(40, 6)} The pier of Brenna is old. ${filler(60, 30)}`,
    });
    const spans = assembleForModel({ question, evidence: [twice], budgetTokens: 3_000 })
      .blocks.map(({ evidence }) => evidence)
      .sort((a, b) => a.start - b.start);
    for (const [at, span] of spans.entries()) expect(span.end).toBeLessThanOrEqual(spans[at + 1]?.start ?? Infinity);
  });

  it('is empty for no evidence, and the same each time', () => {
    expect(assembleForModel({ question, evidence: [], budgetTokens: 100 })).toEqual({
      blocks: [],
      tokens: 0,
      dropped: [],
    });
    const once = () => assembleForModel({ question, evidence: [chunk], budgetTokens: 900 });
    expect(once()).toEqual(once());
  });
});
