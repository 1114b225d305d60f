// Which pieces belong together: what each pair shares, said the long way, is what is found.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/core/search.ts';
import { relate } from '../../src/retrieval/relate.ts';

const words = [
  'openGateway',
  'max_chunk_size',
  'Ada Lovelace',
  'Grace Hopper',
  'gateway.ts',
  'the',
  'guide.md',
  'tells',
  'of',
];
const uris = ['src/gateway.ts', 'docs/guide.md', 'a/b', 'https://site.example/', 'guide.md'];

const pieces = fc
  .array(
    fc.record({
      document: fc.integer({ min: 0, max: 5 }),
      uri: fc.constantFrom(...uris),
      text: fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((said) => `It is said: ${said.join(', ')}.`),
    }),
    { maxLength: 12 },
  )
  .map((given) =>
    given.map(
      ({ document, uri, text }, at) =>
        ({ chunkId: `c${at}`, documentId: `d${document}`, uri, text, related: [] }) as unknown as Evidence,
    ),
  );

const identifiers = ['openGateway', 'max_chunk_size'];
const names = ['Ada Lovelace', 'Grace Hopper'];

/** Of two pieces by themselves, among all. */
function strengthOf(one: Evidence, other: Evidence, all: readonly Evidence[]): number {
  const isRare = (said: string): boolean =>
    all.filter(({ text }) => text.includes(said)).length <= Math.max(2, all.length / 2);
  const shared = (some: readonly string[]): number =>
    some.filter((said) => one.text.includes(said) && other.text.includes(said) && isRare(said)).length;
  const isNamed = ({ uri }: Evidence, { text }: Evidence): boolean =>
    [uri, uri.slice(uri.lastIndexOf('/') + 1)].some(
      (place) => place.length >= 6 && /[./]/u.test(place) && text.includes(place),
    );
  const links = isNamed(one, other) || isNamed(other, one) ? 2 : 0;
  return links + 2 * shared(identifiers) + shared(names);
}

describe('relate', () => {
  it('finds what each pair shares, closest first, for 500 random pages', () => {
    fc.assert(
      fc.property(pieces, (given) => {
        for (const { chunkId, related } of relate(given)) {
          const item = given.find((one) => one.chunkId === chunkId) as Evidence;
          const expected = given
            .filter((other) => other !== item && other.documentId !== item.documentId)
            .map((other) => ({ id: other.chunkId, strength: strengthOf(item, other, given) }))
            .filter(({ strength }) => strength >= 2)
            .sort((left, right) => right.strength - left.strength)
            .slice(0, 5);
          expect(related).toEqual(expected.map(({ id }) => id));
        }
      }),
      { numRuns: 500 },
    );
  });
});
