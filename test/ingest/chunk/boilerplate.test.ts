// Boilerplate stays in the text and is in no chunk.

import { governHeadings, parsedDocument } from '@footnote/readers/canonical/canonical-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, ParsedDocument } from '../../../src/core/document.ts';
import { sha256 } from '../../../src/core/ids.ts';
import { boilerplateOf, contentBeside } from '../../../src/ingest/chunk/boilerplate.ts';
import { chunkDocument } from '../../../src/ingest/chunk/chunk.ts';

type Part = readonly [kind: Block['kind'], text: string];

function documentOf(parts: readonly Part[]): ParsedDocument {
  const blocks: Block[] = [];
  const marks: { start: number; level: number; title: string }[] = [];
  let text = '';
  for (const [kind, content] of parts) {
    if (text !== '') text += '\n\n';
    if (kind === 'heading') marks.push({ start: text.length, level: 1, title: content });
    blocks.push({ kind, start: text.length, end: text.length + content.length });
    text += content;
  }
  return parsedDocument({ text, mime: 'text/html', blocks, headings: governHeadings(marks, text.length) });
}
const chunksOf = (parsed: ParsedDocument, maxTokens = 40) =>
  chunkDocument(parsed, {
    documentId: 'doc_1',
    textHash: sha256(parsed.text),
    maxTokens,
    overlapTokens: 5,
    minTokens: 10,
  });

describe('boilerplate', () => {
  it('is in no chunk, and no chunk runs across it', () => {
    const parsed = documentOf([
      ['boilerplate', 'Home'],
      ['boilerplate', 'About'],
      ['paragraph', 'The pump was replaced.'],
      ['boilerplate', 'Share this page'],
      ['paragraph', 'Nobody noticed.'],
    ]);
    expect(boilerplateOf(parsed)).toEqual([
      { start: 0, end: 11 },
      { start: parsed.text.indexOf('Share'), end: parsed.text.indexOf('page') + 4 },
    ]);
    expect(chunksOf(parsed).map(({ text }) => text)).toEqual(['The pump was replaced.', 'Nobody noticed.']);
  });

  it('is the content where there is nothing else', () => {
    const parsed = documentOf([
      ['boilerplate', 'Home'],
      ['boilerplate', 'About'],
    ]);
    expect(boilerplateOf(parsed)).toEqual([]);
    expect(chunksOf(parsed).map(({ text }) => text)).toEqual(['Home\n\nAbout']);
  });

  it('and content are all there is', () => {
    const part = fc.tuple(
      fc.constantFrom<Block['kind']>('boilerplate', 'paragraph', 'paragraph', 'heading'),
      fc
        .array(fc.constantFrom('alpha', 'beta.', 'gamma', 'délta', '漢字'), { minLength: 1, maxLength: 30 })
        .map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 14 }), (parts) => {
        const parsed = documentOf(parts);
        const gaps = boilerplateOf(parsed);
        const held = new Uint8Array(parsed.text.length);
        for (const chunk of chunksOf(parsed)) {
          expect(chunk.text).toBe(parsed.text.slice(chunk.start, chunk.end));
          held.fill(1, chunk.start, chunk.end);
          for (const gap of gaps) expect(chunk.end <= gap.start || chunk.start >= gap.end).toBe(true);
        }
        for (const { start, end } of contentBeside(parsed.text, gaps))
          for (let at = start; at < end; at++)
            if (/\S/.test(parsed.text[at] ?? '')) expect([at, held[at]]).toEqual([at, 1]);
      }),
      { numRuns: 300 },
    );
  });
});
