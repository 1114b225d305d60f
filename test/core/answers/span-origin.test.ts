import { describe, expect, it } from 'vitest';
import type { VerifiedSpan } from '../../../src/answer/claims/draft.ts';
import { renderAnswer } from '../../../src/answer/render.ts';
import { verifyCitation } from '../../../src/answer/verify.ts';
import type { SpanOrigin } from '../../../src/core/answers/span-origin.ts';
import { turnPath } from '../../../src/core/archive.ts';
import { sessionTurnPath } from '../../../src/core/conversation.ts';

const timestamp = '2026-03-01T10:00:00.000Z';
const text = 'I have two cats.';
const standing = (documentId: string, uri: string, origin: SpanOrigin): VerifiedSpan => ({
  documentId,
  chunkId: documentId,
  start: 0,
  end: text.length,
  quote: text,
  title: 'Cats',
  uri,
  source: 'test',
  origin,
});

const cases: readonly { readonly span: VerifiedSpan; readonly url: string; readonly told: Record<string, string> }[] = [
  {
    span: standing('m1', 'memory:m1', { kind: 'memory', id: 'm1', url: '/v1/memories/m1', turnId: 't1', timestamp }),
    url: '/v1/memories/m1',
    told: { memoryId: 'm1', turnId: 't1', timestamp },
  },
  {
    span: standing('archive/c1', 'turn:t2', {
      kind: 'archive',
      conversationId: 'c1',
      turnId: 't2',
      url: turnPath({ conversationId: 'c1', turnId: 't2' }),
    }),
    url: turnPath({ conversationId: 'c1', turnId: 't2' }),
    told: { conversationId: 'c1', turnId: 't2' },
  },
  {
    span: standing('t3', 'session:s1', { kind: 'turn', turnId: 't3', url: sessionTurnPath('s1', 't3'), timestamp }),
    url: sessionTurnPath('s1', 't3'),
    told: { turnId: 't3', timestamp },
  },
  {
    span: standing('d1', 'cats.md', { kind: 'answer', turnId: 't4', timestamp }),
    url: '/v1/documents/d1/view?start=0&end=16',
    told: { turnId: 't4', timestamp },
  },
];

describe('where a span stands', () => {
  it.each(cases.map((one) => [one.span.origin?.kind, one] as const))(
    'a citation of what is of kind %s says it, opens it and holds',
    async (_kind, { span, url, told }) => {
      const spanUrl = (id: string, { start, end }: { start: number; end: number }): string =>
        `/v1/documents/${id}/view?start=${start}&end=${end}`;
      const { citations } = renderAnswer({ claims: [{ text, support: 1, spans: [span] }], evidence: [], spanUrl });
      const [citation] = citations;
      if (!citation) throw new Error('Nothing was cited.');
      const { memoryId, conversationId, turnId, timestamp: at } = citation;
      expect(JSON.parse(JSON.stringify({ memoryId, conversationId, turnId, timestamp: at }))).toEqual(told);
      expect(citation.url).toBe(url);
      expect(await verifyCitation(citation, async () => span)).toEqual({ index: 1, ok: true, reasons: [] });
    },
  );
});
