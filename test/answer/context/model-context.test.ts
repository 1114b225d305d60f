import { describe, expect, it } from 'vitest';
import { numberBlocks, renderPassage, renderPassages } from '../../../src/answer/context/evidence.ts';
import { assembleForModel } from '../../../src/answer/context/model-context.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

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
    const wide = assembleForModel({ question, evidence: [chunk], budgetTokens: 1_000 });
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
      reason: expect.stringMatching(/^part: .* \d+ of its \d+ characters$/),
    });
  });

  it('shows chunks whole where they fit, a list with what leads into it and all its items', () => {
    const items = Array.from({ length: 40 }, (_, at) => `- Bollard ${at} of the pier is checked on day ${at}.`);
    const list = `The bollards of the pier of Brenna are checked on these days:\n\n${items.join('\n')}`;
    const evidence = [chunk, evidenceOf({ id: 'list', documentId: 'doc-l', title: 'Bollards', text: list, score: 4 })];
    const { blocks, tokens, dropped } = assembleForModel({ question, evidence, budgetTokens: 8_000 });
    expect(blocks.map((block) => block.evidence.text)).toEqual([long, list]);
    expect(tokens).toBeLessThanOrEqual(8_000);
    expect(dropped).toEqual([]);
    // The better one first, where there is room for one alone.
    const one = assembleForModel({ question, evidence, budgetTokens: 2_000 });
    expect(one.blocks.find((block) => block.evidence.chunkId === 'long')?.evidence.text).toBe(long);
  });

  it('shows nothing that is headings and links alone', () => {
    const lone = ['# The pier of Brenna', '## Pier\n\n- [The pier of Brenna](pier.md)\n- [Contact](contact.md)'];
    const evidence = [
      chunk,
      ...lone.map((text, at) => evidenceOf({ id: `lone-${at}`, title: 'Pier', text, score: 9 })),
    ];
    const { blocks, dropped } = assembleForModel({ question, evidence, budgetTokens: 8_000 });
    expect(blocks.map((block) => block.evidence.chunkId)).toEqual(['long']);
    expect(dropped.map(({ chunkId }) => chunkId)).toEqual(['lone-0', 'lone-1']);
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

  const volumes = Array.from({ length: 12 }, (_, at) =>
    evidenceOf({
      id: `v${at}`,
      title: `Volume ${at}`,
      text: `${filler(at * 20, 12)} In volume ${at} the pier of Brenna is ${at + 3} metres long. ${filler(at * 20 + 300, 12)}`,
      start: 1_000 * at,
      score: 9 - at / 10,
    }),
  );

  it('shows a sentence of each chunk that has no room, after the passages, within the budget', () => {
    const { blocks, dropped } = assembleForModel({ question, evidence: volumes, budgetTokens: 1_200 });
    const firstSummary = blocks.findIndex(({ isSummary }) => isSummary);
    expect(firstSummary).toBeGreaterThan(0);
    expect(blocks.slice(firstSummary).every(({ isSummary }) => isSummary)).toBe(true);
    expect(countTokens(renderPassages(numberBlocks(blocks)))).toBeLessThanOrEqual(1_200);
    for (const { evidence, isSummary } of blocks) {
      const volume = volumes.find(({ chunkId }) => chunkId === evidence.chunkId);
      expect(volume?.text.slice(evidence.start - volume.start, evidence.end - volume.start)).toBe(evidence.text);
      if (!isSummary) continue;
      expect(evidence.text).toMatch(/^In volume \d+ the pier of Brenna is \d+ metres long\.$/u);
      expect(dropped.find(({ chunkId }) => chunkId === evidence.chunkId)?.reason).toMatch(
        /^summary: .* of its \d+ characters$/u,
      );
    }
    const [shown] = numberBlocks(blocks.slice(firstSummary));
    expect(shown && renderPassage(shown)).toContain('part="one sentence"');
  });

  it('shows more of what is asked for at equal tokens, and none where told so', () => {
    const holding = (summaryCharacters: number): number =>
      assembleForModel({ question, evidence: volumes, budgetTokens: 1_200, summaryCharacters }).blocks.filter(
        ({ evidence }) => evidence.text.includes('metres long'),
      ).length;
    expect(holding(600)).toBeGreaterThan(holding(0) + 2);
    const none = assembleForModel({ question, evidence: volumes, budgetTokens: 1_200, summaryCharacters: 0 });
    expect(none.blocks.some(({ isSummary }) => isSummary)).toBe(false);
    expect(none.dropped.some(({ reason }) => reason.startsWith('budget: needs'))).toBe(true);
  });

  it('has no summaries where everything has room', () => {
    const { blocks } = assembleForModel({ question, evidence: volumes.slice(0, 2), budgetTokens: 4_000 });
    expect(blocks.some(({ isSummary }) => isSummary)).toBe(false);
  });

  it('shows of a long chunk a row that lies far below the names of its columns, and a record with the line that names it', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `MS Number${at} | 13:${10 + at} | P${100 + at}`);
    const records = Array.from(
      { length: 40 },
      (_, at) => `Course${at} workshop\n\nStart: 2027-01-10\nOrganizer: Host${at} Lee`,
    );
    const shown = (text: string, asked: string): string =>
      assembleForModel({ question: asked, evidence: [evidenceOf({ id: 'a', text })], budgetTokens: 400 })
        .blocks.map(({ evidence }) => evidence.text)
        .join('\n');
    const table = `Ferries run daily from each pier.\n\nFerry | Departure | Pier\n\n${rows.join('\n')}`;
    expect(shown(table, 'From which pier does the Number44 leave?')).toContain('MS Number44 |');
    expect(shown(records.join('\n\n'), 'Who is the organizer of the Course30 workshop?')).toContain('Host30 Lee');
  });

  it('counts as the model does', () => {
    const countDouble = (text: string): number => 2 * countTokens(text);
    const context = assembleForModel({ question, evidence: volumes, budgetTokens: 1_200, countTokens: countDouble });
    expect(countDouble(renderPassages(numberBlocks(context.blocks)))).toBeLessThanOrEqual(1_200);
    expect(context.tokens).toBeLessThanOrEqual(1_200);
    expect(context.blocks.length).toBeGreaterThan(0);
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
