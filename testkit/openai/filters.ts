// Documents and filters at random, over every field and operator, with values that hurt: for printers of foreign dialects.
import fc from 'fast-check';
import type { DocumentRecord, MetadataValue } from '../../src/core/document.ts';
import type { Filter, FilterField } from '../../src/core/search.ts';

const hostile = [
  '',
  "' OR 1=1 --",
  '"}],"type":"or"',
  '(none)',
  'sha256:',
  'everyone',
  '__proto__',
  'null',
  'true',
  '1',
  'a\u0000b',
  '\ud800',
  'é',
  'x'.repeat(499),
  'x'.repeat(513),
  'x'.repeat(514),
  '2024-05-01',
];
const dates = ['2024', '2024-05-01', '2024-05-01T10:00:00Z', '2024-05-01T12:00:00+02:00', '1969-07-20T20:17:40Z'];
const text = fc.oneof(fc.constantFrom(...hostile), fc.constantFrom('a', 'b', 'docs/a.md'), fc.string({ maxLength: 3 }));
const scalar = fc.oneof({ weight: 4, arbitrary: text }, fc.constantFrom(0, 1, -1, 2024.5), fc.boolean());
const optional = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });
const keys = ['k', 'k.l', 'constructor'];

/** What a document may be made of. */
export const factsArbitrary: fc.Arbitrary<Partial<DocumentRecord>> = fc
  .record({
    source: text.filter((one) => one !== ''),
    sourceType: fc.constantFrom('docs' as const, 'code' as const, 'web' as const),
    title: text,
    language: optional(fc.constantFrom('en', 'de')),
    category: optional(text),
    version: optional(text),
    publishedAt: optional(fc.constantFrom(...dates)),
    metadata: fc.dictionary(fc.constantFrom(...keys), scalar as fc.Arbitrary<MetadataValue>, { maxKeys: 2 }),
  })
  .map((facts) => Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)));

const textField = fc.constantFrom<FilterField>(
  'id',
  'source',
  'sourceType',
  'uri',
  'path',
  'title',
  'mime',
  'language',
  'category',
  'version',
);
const dateField = fc.constantFrom<FilterField>('publishedAt', 'updatedAt');
const freeField = fc.oneof(
  { weight: 3, arbitrary: textField },
  fc.constantFrom(...keys).map((key): FilterField => `metadata.${key}`),
);
const equality = fc.constantFrom('eq' as const, 'ne' as const);
const order = fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const);
const membership = fc.constantFrom('in' as const, 'nin' as const);
const date = fc.constantFrom(...dates);

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ op: equality, field: freeField, value: scalar }),
  fc.record({ op: equality, field: dateField, value: date }),
  fc.record({ op: order, field: freeField, value: text }),
  fc.record({ op: order, field: dateField, value: date }),
  fc.record({ op: membership, field: freeField, values: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ op: membership, field: dateField, values: fc.array(date, { minLength: 1, maxLength: 3 }) }),
  fc.record({ op: fc.constant('prefix' as const), field: freeField, value: text.filter((one) => one !== '') }),
  fc.record({
    op: fc.constant('glob' as const),
    field: fc.constantFrom<FilterField>('path', 'uri'),
    value: fc.constantFrom('**', '*.md', 'f*', 'docs/**'),
  }),
  fc.record({
    op: fc.constant('exists' as const),
    field: fc.oneof(freeField, dateField),
    value: fc.boolean(),
  }),
);

export const filterArbitrary: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('not' as const), filter: tie('filter') }),
  ),
})).filter;
