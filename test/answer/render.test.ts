import { describe, expect, it } from 'vitest';
import type { VerifiedSpan } from '../../src/answer/claims/draft.ts';
import { renderAnswer } from '../../src/answer/render.ts';
import { evidenceOf } from '../../testkit/evidence-of.ts';

const span = (start: number, quote: string, documentId = 'd'): VerifiedSpan => ({
  documentId,
  chunkId: `chunk-${documentId}`,
  start,
  end: start + quote.length,
  quote,
  title: 'Harbours',
  uri: 'harbours.txt',
  source: 'test',
  page: 2,
});
const spanUrl = (id: string, { start, end }: { start: number; end: number }): string => `/${id}/${start}-${end}`;

describe('renderAnswer', () => {
  it('shows no heading that brings an address along', () => {
    const headingPath = [
      'Harbours',
      'See https://evil.test/p.png',
      'www.evil.test',
      'ask me@evil.test',
      '@fastify/helmet',
    ];
    const text = 'It opened in 1872.';
    const claim = { text, support: 1, spans: [span(0, text)], form: 'paragraph' as const, headingPath };
    const { claims, text: told } = renderAnswer({ claims: [claim], evidence: [], spanUrl });
    expect(claims[0]?.headingPath).toEqual(['Harbours', '@fastify/helmet']);
    expect(told).toBe(`From the documents:\n\nHarbours > @fastify/helmet\n${text} [1]`);
  });

  it('numbers citations by first use and lists each span once', () => {
    const one = span(0, 'It opened in 1872.');
    const two = span(30, 'It is long.', 'e');
    const rendered = renderAnswer({
      claims: [
        { text: 'It opened in 1872.', support: 1, spans: [one] },
        { text: 'It is long.', support: 0.8, spans: [two, one] },
      ],
      evidence: [
        { ...evidenceOf({ id: 'chunk-d', text: 'x', score: 3 }), alsoIn: [{ source: 'b', documentId: 'd2' }] },
      ],
      spanUrl,
    });
    expect(rendered.text).toBe('It opened in 1872. [1] It is long. [2][1]');
    expect(rendered.marks).toEqual([
      { start: 19, end: 22, citation: 1 },
      { start: 35, end: 38, citation: 2 },
      { start: 38, end: 41, citation: 1 },
    ]);
    expect(rendered.claims.map((claim) => claim.citations)).toEqual([[1], [2, 1]]);
    expect(
      rendered.citations.map((citation) => [citation.index, citation.documentId, citation.score, citation.url]),
    ).toEqual([
      [1, 'd', 3, '/d/0-18'],
      [2, 'e', 0, '/e/30-41'],
    ]);
    expect(rendered.citations[0]).toMatchObject({
      page: 2,
      quote: 'It opened in 1872.',
      alsoIn: [{ source: 'b', documentId: 'd2' }],
    });
  });

  it('streams in parts that make up the text, each citation before its claim', () => {
    const rendered = renderAnswer({
      claims: [
        { text: '| seal | 2 years |', support: 1, spans: [span(0, '| seal | 2 years |')] },
        { text: 'Again.', support: 1, spans: [span(0, '| seal | 2 years |')] },
        { text: 'row', support: 1, spans: [span(60, 'row')] },
      ],
      evidence: [],
      spanUrl,
    });
    expect(rendered.parts.map((part) => part.text).join('')).toBe(rendered.text);
    expect(rendered.parts.map((part) => part.citations.map((citation) => citation.index))).toEqual([[1], [], [2]]);
    expect(rendered.text).toBe('| seal | 2 years | [1]\nAgain. [1]\nrow [2]');
  });

  it('says nothing that has no citation', () => {
    const rendered = renderAnswer({ claims: [{ text: 'Trust me.', support: 1, spans: [] }], evidence: [], spanUrl });
    expect(rendered).toEqual({ text: '', marks: [], claims: [], citations: [], conflicts: [], parts: [] });
  });
});
