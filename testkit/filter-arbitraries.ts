// Documents and filters of every kind for tests of the printers: hostile texts, dates in every form, paths, and metadata of every type. Small
// alphabets, so that filters meet what documents hold.
import fc from 'fast-check';
import type { Metadata, MetadataValue } from '../src/core/document.ts';
import type { Filter, FilterField } from '../src/core/search.ts';

const hostile = [
  '',
  "'",
  '"',
  "x' OR 1=1 --",
  '"; DROP TABLE document; --',
  "') UNION SELECT secret_hash FROM api_key --",
  '?',
  ':a',
  '$."x"',
  '%',
  '_',
  '*',
  '**',
  '[a-z]',
  '\\',
  'a\u0000b',
  'a\u0000c',
  '\ud800',
  '\u2019',
  '\u{1F600}',
  'é',
  'e\u0301',
  '__proto__',
  'null',
  'true',
  '1',
  '2024',
  '2024-02-29',
  '2024-02-30',
  '2024-05-01T10:00:00Z',
  '2024-05-01T12:00:00+02:00',
  '2024-05-01T10:00',
];
const folders = ['docs', 'src', 'a', 'b.md', 'x.ts'];
const pathArbitrary = fc.oneof(
  fc.array(fc.constantFrom(...folders), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
  fc.constantFrom('file:///home/me/a%20b.md', 'https://example.org/docs/x.ts?q=1', './docs/b.md', ...hostile.slice(1)),
);
const stringArbitrary = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const numberArbitrary = fc.oneof(
  fc.constantFrom(0, 1, -1, 2024, 0.1, 1.5, 2 ** 53, 1e21, -0),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const scalarArbitrary = fc.oneof(stringArbitrary, numberArbitrary, fc.boolean());
const keys = ['k', 'k.l', 'größe', 'a-b', '_x', 'constructor'];
const metadataValue: fc.Arbitrary<MetadataValue> = fc.oneof(
  { weight: 4, arbitrary: scalarArbitrary },
  fc.constant(null),
  fc.array(fc.oneof(scalarArbitrary, fc.constant(null), fc.constant<MetadataValue>(['nested'])), { maxLength: 3 }),
  fc.constant<MetadataValue>({ k: 'inside' }),
);
const metadataArbitrary: fc.Arbitrary<Metadata> = fc.dictionary(fc.constantFrom(...keys), metadataValue, {
  maxKeys: 3,
});
const dates = [
  '2024',
  '2024-05',
  '2024-05-01',
  '2024-05-01T10:00:00Z',
  '2024-05-01T12:00:00+02:00',
  '2023-12-31T23:59:59.999Z',
  '1969-07-20T20:17:40Z',
];
const dateArbitrary = fc.constantFrom(...dates);

export interface Seed {
  readonly uri: string;
  readonly title: string;
  readonly category?: string | undefined;
  readonly language?: string | undefined;
  readonly publishedAt?: string | undefined;
  readonly metadata: Metadata;
}
export const seedArbitrary: fc.Arbitrary<Seed> = fc.record({
  uri: pathArbitrary,
  title: stringArbitrary,
  category: fc.option(stringArbitrary, { nil: undefined }),
  language: fc.option(fc.constantFrom('en', 'de'), { nil: undefined }),
  publishedAt: fc.option(dateArbitrary, { nil: undefined }),
  metadata: metadataArbitrary,
});

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
const metadataField = fc.constantFrom(...keys).map((key): FilterField => `metadata.${key}`);
const anyField = fc.oneof(textField, dateField, metadataField);
const freeField = fc.oneof(textField, metadataField);
const globArbitrary = fc
  .array(fc.constantFrom('*', '**', '/', '**/', 'docs', 'a', 'b.md', '.', 'x.ts', '?'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));

const leafArbitrary: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ op: fc.constantFrom('eq' as const, 'ne' as const), field: freeField, value: scalarArbitrary }),
  fc.record({ op: fc.constantFrom('eq' as const, 'ne' as const), field: dateField, value: dateArbitrary }),
  fc.record({
    op: fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const),
    field: freeField,
    value: fc.oneof(stringArbitrary, numberArbitrary, dateArbitrary),
  }),
  fc.record({
    op: fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const),
    field: dateField,
    value: dateArbitrary,
  }),
  fc.record({
    op: fc.constantFrom('in' as const, 'nin' as const),
    field: freeField,
    values: fc.array(fc.oneof(scalarArbitrary, dateArbitrary), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    op: fc.constantFrom('in' as const, 'nin' as const),
    field: dateField,
    values: fc.array(dateArbitrary, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    op: fc.constant('prefix' as const),
    field: anyField,
    value: stringArbitrary.filter((text) => text !== ''),
  }),
  fc.record({
    op: fc.constant('glob' as const),
    field: fc.constantFrom<FilterField>('path', 'uri'),
    value: globArbitrary,
  }),
  fc.record({ op: fc.constant('exists' as const), field: anyField, value: fc.boolean() }),
);
export const filterArbitrary: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leafArbitrary,
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('not' as const), filter: tie('filter') }),
  ),
})).filter;
