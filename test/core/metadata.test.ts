import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Metadata } from '../../src/core/document.ts';
import {
  boundedMetadata,
  isBoundedMetadata,
  mostMetadataCharacters,
  mostMetadataValues,
} from '../../src/core/metadata.ts';

const many = (count: number): Metadata => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

describe('metadata', () => {
  it('is whole up to the limits', () => {
    const most = many(mostMetadataValues);
    expect(boundedMetadata(most)).toBe(most);
    expect(boundedMetadata({ a: 'x'.repeat(mostMetadataCharacters - 1) })).toEqual({
      a: 'x'.repeat(mostMetadataCharacters - 1),
    });
    expect(isBoundedMetadata({})).toBe(true);
  });

  it.each<[string, Metadata]>([
    ['entries', many(mostMetadataValues + 1)],
    ['members of a list', { list: Array.from({ length: mostMetadataValues }, () => 1) }],
    ['members of objects', { a: many(mostMetadataValues) }],
    ['characters of a text', { a: 'x'.repeat(mostMetadataCharacters) }],
    ['characters of a key', { ['k'.repeat(mostMetadataCharacters + 1)]: 1 }],
  ])('counts %s', (_, metadata) => {
    expect(isBoundedMetadata(metadata)).toBe(false);
    expect(isBoundedMetadata(boundedMetadata(metadata))).toBe(true);
  });

  it('keeps entries in order, leaves out what does not fit, and keeps the same of a longer one', () => {
    const facts = { first: 1, huge: 'x'.repeat(mostMetadataCharacters), last: 2 };
    expect(boundedMetadata(facts)).toEqual({ first: 1, last: 2 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 900 }), (mine, others) => {
        const own = many(mine);
        const kept = boundedMetadata({
          ...own,
          ...Object.fromEntries(Array.from({ length: others }, (_, at) => [`o${at}`, at])),
        });
        expect(kept).toMatchObject(boundedMetadata(own));
        expect(Object.keys(kept)).toHaveLength(Math.min(mostMetadataValues, mine + others));
      }),
    );
  });
});
