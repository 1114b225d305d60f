// Readers import nothing of the program. Two small rules stand on both sides for that: they say the same.

import { headingPlaces } from '@footnote/readers/canonical/heading-places';
import { overLimit } from '@footnote/readers/file-size';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../../src/core/documents/places.ts';
import { toSize } from '../../src/core/documents/sizes.ts';

describe('what readers and the program say alike', () => {
  it('sizes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 50 }), fc.nat({ max: 2 ** 50 }), (bytes, most) => {
        const [size, limit] = [toSize(bytes), toSize(most)];
        expect(overLimit(bytes, most)).toBe(
          size === limit ? `${bytes} bytes; at most ${most} are read` : `${size}; at most ${limit} are read`,
        );
      }),
    );
  });

  it('places of headings', () => {
    const title = fc.oneof(fc.constant('The title'), fc.string({ unit: 'grapheme', maxLength: 140 }), fc.lorem());
    fc.assert(
      fc.property(fc.array(title, { maxLength: 8 }), fc.option(title, { nil: undefined }), (titles, name) => {
        const headings = titles.map((heading, at) => ({
          title: heading,
          level: 1,
          start: at * 200,
          end: at * 200 + 250,
        }));
        const asked = { title: name ?? 'a name of no heading', citeByLine: false };
        expect(headingPlaces(headings, asked.title)).toEqual(placesOf({ pages: [], headings }, asked));
      }),
    );
  });
});
