// Names of documents and spans lead back to them, and long texts come whole, part by part.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { idOf, mostCharacters, placeOf, readPart, resourceOf } from '../../src/mcp/places.ts';

describe('names', () => {
  it('lead back to the place that they name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^:#]+$/u), fc.nat(), fc.nat(), (documentId, start, end) => {
        const span = { documentId, start, end };
        expect(placeOf(idOf(span))).toEqual(span);
        expect(placeOf(resourceOf(span))).toEqual(span);
        expect(placeOf(resourceOf({ documentId }))).toEqual({ documentId });
        if (!documentId.startsWith('footnote://')) expect(placeOf(documentId)).toEqual({ documentId });
      }),
    );
  });

  it('that are none are refused', () => {
    for (const name of ['', 'footnote://document/']) expect(() => placeOf(name)).toThrow(FootnoteError);
  });
});

/** A facade that holds one text. */
const holding = (text: string) =>
  ({
    documents: {
      get: async () => ({ textLength: text.length }),
      text: async (_id: string, { start, end }: { start: number; end: number }) => ({ text: text.slice(start, end) }),
    },
  }) as never;

describe('a long text', () => {
  it.each([
    ['of lines', 'A line of it.\n'.repeat(5000)],
    ['of words', 'word '.repeat(12_000)],
    ['without a gap', 'x'.repeat(50_001)],
    ['of surrogate pairs', `x${'😀'.repeat(30_000)}`],
  ])('%s comes whole, in parts that break no character', async (_, text) => {
    let all = '';
    let place: Parameters<typeof readPart>[1] | undefined = { documentId: 'doc_1' };
    while (place) {
      const part = await readPart(holding(text), place);
      expect(part.text.length).toBeLessThanOrEqual(mostCharacters);
      expect(part.text.isWellFormed()).toBe(true);
      expect(part.text).toBe(text.slice(part.start, part.end));
      all += part.text;
      place = part.next;
    }
    expect(all).toBe(text);
  });
});
