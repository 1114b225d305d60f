// What a segment refuses to open, and the small structures under it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBits, createBitmap, hasBit, setBit, setBits } from '../../src/engine/bitmap.ts';
import { buildSegment } from '../../src/engine/build-segment.ts';
import { openSegment, slotFrom } from '../../src/engine/segment.ts';
import { compareCodePoints, encode, findString, packStrings, stringAt } from '../../src/engine/strings.ts';

const segment = buildSegment([
  { row: 3, key: 'b', group: 'g', fields: [['heat', 'flow'], [], ['heat']], extra: ['heat'] },
  { row: 9, key: 'a', group: 'g', fields: [[], [], ['wave']], extra: [] },
]);

describe('segment', () => {
  it('opens what it wrote, wherever the bytes lie in their buffer', () => {
    const shifted = new Uint8Array(segment.bytes.length + 3).subarray(3);
    shifted.set(segment.bytes);
    for (const bytes of [segment.bytes.slice(), shifted]) {
      const opened = openSegment(bytes);
      expect(opened.bytes).toEqual(segment.bytes);
      expect(stringAt(opened.terms, findString(opened.terms, encode('heat')))).toBe('heat');
      expect([...opened.rows]).toEqual([3, 9]);
      expect([...opened.lengths]).toEqual([4, 1]);
      expect([0, 3, 4, 9, 10].map((row) => slotFrom(opened, row))).toEqual([0, 0, 1, 1, 2]);
    }
  });

  it('refuses bytes of another kind, version or length', () => {
    const change = (at: number, value: number): Uint8Array => {
      const bytes = segment.bytes.slice();
      bytes[at] = value;
      return bytes;
    };
    const bad = [
      new Uint8Array(0),
      segment.bytes.subarray(0, -1),
      change(0, 0),
      change(4, 99),
      change(8, 3),
      change(11, 1),
    ];
    for (const bytes of bad)
      expect(() => openSegment(bytes)).toThrow(expect.objectContaining({ code: 'data-corrupt' }));
  });
});

describe('strings', () => {
  it('come back, are found, and sort by code points', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme' }).map((text) => text.toWellFormed())), (texts) => {
        const sorted = [...texts].sort(compareCodePoints);
        expect(sorted).toEqual([...texts].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))));
        const packed = packStrings(sorted);
        for (const [place, text] of sorted.entries()) {
          expect(stringAt(packed, place)).toBe(text);
          expect(findString(packed, encode(text))).toBe(place);
          if (!texts.includes(`${text}x`)) expect(findString(packed, encode(`${text}x`))).toBe(-1);
        }
      }),
    );
  });
});

describe('bitmap', () => {
  it('sets single bits and runs', () => {
    fc.assert(
      fc.property(fc.nat({ max: 200 }), fc.nat({ max: 200 }), (one, other) => {
        const bits = createBitmap(201);
        const [first, end] = [Math.min(one, other), Math.max(one, other)];
        setBits(bits, first, end);
        expect(countBits(bits)).toBe(end - first);
        for (const bit of [0, first - 1, first, end - 1, end].filter((bit) => bit >= 0))
          expect(hasBit(bits, bit)).toBe(bit >= first && bit < end);
        expect(setBit(bits, 200)).toBe(!(first <= 200 && 200 < end));
        expect(setBit(bits, 200)).toBe(false);
      }),
    );
  });
});
