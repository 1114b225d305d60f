// Queries for properties of the engine: any terms, phrases, pairs and limits over the words of a test.
import fc from 'fast-check';

export function arbitraryQuery(word: fc.Arbitrary<string>) {
  const phrase = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 });
  return fc.record({
    terms: fc.array(fc.record({ term: word, weight: fc.constantFrom(1, 2, 0.5) }), { minLength: 1, maxLength: 5 }),
    required: fc.array(phrase, { maxLength: 1 }),
    excluded: fc.array(phrase, { maxLength: 1 }),
    pairs: fc.array(fc.tuple(word, word), { maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 12 }),
  });
}
