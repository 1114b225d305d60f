import { parsedDocument } from '@footnote/readers/canonical/canonical-text';
import { parseFile } from '@footnote/readers/registry/registry';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk, ParsedDocument } from '../../../src/core/document.ts';
import { sha256 } from '../../../src/core/ids.ts';
import { chunkDocument } from '../../../src/ingest/chunk/chunk.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';

const limits = { maxTokens: 120, overlapTokens: 20, minTokens: 30 };

function chunksOf(parsed: ParsedDocument, options: Partial<typeof limits> = limits): Chunk[] {
  return chunkDocument(parsed, { documentId: 'doc_1', textHash: sha256(parsed.text), ...options });
}

function markdown(source: string, name = 'a.md'): Promise<ParsedDocument> {
  return parseFile({ bytes: new TextEncoder().encode(source), name });
}

function uncovered(text: string, chunks: readonly Chunk[]): string {
  const covered = new Uint8Array(text.length);
  for (const chunk of chunks) covered.fill(1, chunk.start, chunk.end);
  return [...text].length === 0
    ? ''
    : Array.from(text, (_, index) => index)
        .filter((index) => covered[index] === 0 && /\S/.test(text[index] ?? ''))
        .map((index) => text[index])
        .join('');
}

const word = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('alpha', 'beta', 'gamma', 'delta.', 'Omega', '3.14', 'e.g.', 'naïve') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('漢字かな交じり文。', '😀👩‍👩‍👧‍👦', '🏽', 'e\u0301', 'x'.repeat(400), '語'.repeat(90)),
  },
);
const paragraph = fc.array(word, { minLength: 1, maxLength: 60 }).map((parts) => parts.join(' '));
const element = fc.oneof(
  paragraph,
  fc.tuple(fc.integer({ min: 1, max: 4 }), word).map(([level, title]) => `${'#'.repeat(level)} ${title}`),
  fc.array(paragraph, { minLength: 1, maxLength: 5 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
  fc.constant('```\ncode();\n\nmore();\n```'),
  fc.constant('| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |'),
);
const sources = fc.array(element, { minLength: 1, maxLength: 20 }).map((parts) => parts.join('\n\n'));

describe('chunkDocument', () => {
  it('keeps to the limit where a run without spaces ends a chunk', async () => {
    const runs = `e.g. alpha ${'語'.repeat(86)} e.g. alpha`;
    const source = `- 漢字かな交じり文。 😀👩‍👩‍👧‍👦 é alpha e.g. naïve\n- e.g. alpha\n- alpha alpha 3.14 alpha alpha e.g. ${runs}`;
    for (let maxTokens = 60; maxTokens <= 140; maxTokens++)
      for (const chunk of chunksOf(await markdown(source), { ...limits, maxTokens }))
        expect(countTokens(chunk.text)).toBeLessThanOrEqual(maxTokens);
  });

  it('never repeats a whole piece, however short it is', async () => {
    const source = `\`\`\`\ncode();\n\nmore();\n\`\`\`\n\n${'語'.repeat(90)} alpha\n\n- 😀👩‍👩‍👧‍👦\n- 漢字かな交じり文。`;
    const starts = chunksOf(await markdown(source)).map((chunk) => chunk.start);
    expect(new Set(starts).size).toBe(starts.length);
  });

  it('yields slices that cover all text, within the limit, in order, without a broken character', async () => {
    await fc.assert(
      fc.asyncProperty(sources, async (source) => {
        const parsed = await markdown(source);
        const chunks = chunksOf(parsed);
        for (const chunk of chunks) {
          expect(chunk.text).toBe(parsed.text.slice(chunk.start, chunk.end));
          expect(chunk.text).toBe(chunk.text.trim());
          expect(chunk.text.isWellFormed()).toBe(true);
          expect(chunk.hash).toBe(sha256(chunk.text));
          expect(chunk.tokens).toBe(countTokens(chunk.text));
          expect(chunk.tokens).toBeLessThanOrEqual(limits.maxTokens);
        }
        expect(uncovered(parsed.text, chunks)).toBe('');
        expect(chunks.map((chunk) => chunk.ordinal)).toEqual(chunks.map((_, index) => index));
        expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(chunks.length);
        for (const [index, chunk] of chunks.entries()) {
          const before = chunks[index - 1];
          if (before === undefined) continue;
          expect(chunk.start).toBeGreaterThan(before.start);
          expect(chunk.end).toBeGreaterThan(before.end);
          const overlap = parsed.text.slice(chunk.start, Math.max(chunk.start, before.end));
          expect(countTokens(overlap)).toBeLessThanOrEqual(limits.overlapTokens);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('overlaps the pieces of one section, and not two sections', async () => {
    const sentence = 'The quick brown fox jumps over the lazy dog. ';
    const chunks = chunksOf(await markdown(`# One\n\n${sentence.repeat(60)}\n\n# Two\n\n${sentence.repeat(8)}`));
    const one = chunks.filter((chunk) => chunk.headingPath[0] === 'One');
    expect(one.length).toBeGreaterThan(3);
    for (const [index, chunk] of one.entries()) if (index > 0) expect(chunk.start).toBeLessThan(one[index - 1]!.end);
    expect(chunks.at(-1)!.headingPath).toEqual(['Two']);
    expect(chunks.at(-1)!.text.startsWith('# Two')).toBe(true);
  });

  it('joins a section that is too short to a neighbour, with the path that both share', async () => {
    const long = 'Words of a longer section go here and on. '.repeat(6);
    const chunks = chunksOf(await markdown(`# Guide\n\n## Short\n\nTiny.\n\n## Long\n\n${long}`));
    expect(chunks).toHaveLength(1);
    expect(chunks[0]!.headingPath).toEqual(['Guide']);
  });

  it('keeps a document that is shorter than the least', async () => {
    const chunks = chunksOf(await markdown('Hi.'));
    expect(chunks.map((chunk) => chunk.text)).toEqual(['Hi.']);
    expect(chunksOf(parsedDocument({ text: ' \n', mime: 'text/plain' }))).toEqual([]);
  });

  it('names lines where they are how a format is cited', async () => {
    const [chunk] = chunksOf(await markdown('\n\n# A\n\ntext\n'));
    expect(chunk!.lines).toEqual([3, 5]);
  });

  it('names the first and last page', () => {
    const text = 'page one\n\npage two\n\npage three';
    const pages = [0, 10, 20].map((start, index) => ({
      number: index + 1,
      start,
      end: [10, 20, 30][index]!,
      width: 1,
      height: 1,
    }));
    expect(chunksOf(parsedDocument({ text, mime: 'application/pdf', pages }))[0]!.pages).toEqual([1, 3]);
  });

  it('names no heading over sections of several: short ones that are joined keep what they share', async () => {
    const sections = ['Boats', 'Hours', 'Fees'].map((name) => `## ${name}\n\nOf ${name.toLowerCase()}, in short.\n`);
    const [chunk, ...others] = chunksOf(await markdown(`# Club\n\n${sections.join('\n')}`));
    expect(others).toEqual([]);
    expect(chunk?.headingPath).toEqual(['Club']);
    const alone = chunksOf(await markdown(`# Club\n\n${sections[0]}`));
    expect(alone.map(({ headingPath }) => headingPath)).toEqual([['Club', 'Boats']]);
  });

  it('cuts code at functions and methods, with their path as heading', async () => {
    const body = Array.from(
      { length: 12 },
      (_, index) => `    const value${index} = compute(${index}) + other(${index});`,
    ).join('\n');
    const source = `export class Box {\n  open() {\n${body}\n  }\n  close() {\n${body}\n  }\n}\n\nfunction free() {\n${body}\n}\n`;
    const chunks = chunksOf(await markdown(source, 'box.ts'), { ...limits, maxTokens: 250 });
    expect(chunks.map((chunk) => chunk.headingPath.at(-1))).toEqual(['method open', 'method close', 'function free']);
    expect(chunks[1]!.headingPath).toEqual(['class Box', 'method close']);
    expect(uncovered(source, chunks)).toBe('');
  });

  it('cuts a text without any space in bounded time and never within a pair', async () => {
    const text = '😀語'.repeat(20_000);
    const chunks = chunksOf(parsedDocument({ text, mime: 'text/plain' }), {});
    expect(chunks.every((chunk) => chunk.text.isWellFormed() && chunk.tokens <= 1000)).toBe(true);
    expect(uncovered(text, chunks)).toBe('');
  });
});
