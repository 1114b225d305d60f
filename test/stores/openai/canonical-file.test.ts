import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '../../../src/core/document.ts';
import { canonicalFileOf, documentPrefix, stretchOf } from '../../../src/stores/openai/canonical-file.ts';

const chunkOf = (text: string, start: number, end: number): Chunk => ({
  id: `chk_${start}_${end}`,
  documentId: 'doc_1',
  ordinal: 0,
  start,
  end,
  text: text.slice(start, end),
  hash: '',
  headingPath: [],
  tokens: 1,
});

const spans = (length: number) =>
  fc.array(
    fc
      .tuple(fc.nat(length), fc.nat(length))
      .map(([one, other]) => ({ start: Math.min(one, other), end: Math.max(one, other) })),
    { minLength: 1, maxLength: 8 },
  );

describe('the file of a document', () => {
  it('holds every stretch that its chunks cover, once and as it stands in the text, with a mark where something is left out', () => {
    const text = 'The heron waits at the river, and the crane stands there too; none of them sees the fish. '.repeat(3);
    fc.assert(
      fc.property(spans(text.length), (pieces) => {
        const file = canonicalFileOf(
          'vs_1',
          'doc_1',
          pieces.map(({ start, end }) => chunkOf(text, start, end)),
        );
        // Said otherwise: which places are covered, and in which runs.
        const isCovered = Array.from(text, (_, at) => pieces.some(({ start, end }) => start <= at && at < end));
        const runs: string[] = [];
        for (const [at, covered] of isCovered.entries()) {
          if (!covered) continue;
          const run = at > 0 && isCovered[at - 1] ? (runs.pop() ?? '') : '';
          runs.push(run + text.charAt(at));
        }
        const told = file?.text.split('\n\f\n').filter((stretch) => stretch !== '') ?? [];
        if (runs.join('').trim() === '') expect(file).toBeUndefined();
        else expect(told).toEqual(runs);
      }),
    );
  });

  it('is named by its vector store, its document and its text', () => {
    const one = canonicalFileOf('vs_1', 'doc_1', [chunkOf('A heron.', 0, 8)]);
    const other = canonicalFileOf('vs_1', 'doc_1', [chunkOf('A crane.', 0, 8)]);
    expect(one?.name).not.toBe(other?.name);
    expect(one?.name.startsWith(documentPrefix('vs_1', 'doc_1'))).toBe(true);
    expect(one?.name.startsWith(documentPrefix('vs_2', 'doc_1'))).toBe(false);
    expect(one?.name.startsWith(documentPrefix('vs_1', 'doc_2'))).toBe(false);
  });

  it('is none where there is no text', () => {
    expect(canonicalFileOf('vs_1', 'doc_1', [])).toBeUndefined();
    expect(canonicalFileOf('vs_1', 'doc_1', [chunkOf(' \n ', 0, 3)])).toBeUndefined();
  });

  it('gives of a piece that crosses a mark the longest stretch', () => {
    expect(stretchOf('end.\n\f\nThe heron waits.')).toBe('The heron waits.');
    expect(stretchOf('  one piece  ')).toBe('one piece');
    expect(stretchOf('\f \f')).toBe('');
  });
});
