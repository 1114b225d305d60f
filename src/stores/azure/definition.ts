// The index as it is made: its fields, and what is missing of them in one that is there. Invariant: a definition only ever grows (the
// service changes no field that exists), so that an older index is brought up to date without losing what it holds; vectors of another
// model get a field of their own, and are never compared with those of the first.
import type { SearchField, SearchIndex } from '@azure/search-documents';
import { sha256 } from '../../core/ids.ts';
import { defaultTenant } from '../../core/scope.ts';
import type { GivenVectors } from '../check-query.ts';
import { failed } from './errors.ts';

export interface IndexFacts {
  readonly name: string;
  readonly vectors?: GivenVectors;
  /** Whether the semantic ranker is used. */
  readonly semantic: boolean;
}

/** Of ways to analyse text and of the fields' meaning: part of every stamp, so that another edition is delivered anew. */
export const edition = 1;
export const semanticConfiguration = 'footnote';
const algorithm = 'footnote-hnsw';
const profile = 'footnote-vectors';

/** An index of its own for each tenant: what other tenants hold is not felt in a score. */
export const indexNameOf = (base: string, tenant: string): string =>
  tenant === defaultTenant ? base : `${base}-${sha256(tenant).slice(0, 16)}`;

export const vectorFieldOf = ({ space, dimensions }: GivenVectors): string =>
  `vector_${sha256(`${space}\u0000${dimensions}`).slice(0, 12)}`;

const filterable = { filterable: true } as const;
const text = (name: string): SearchField => ({ name, type: 'Edm.String', ...filterable });

function fieldsOf({ vectors }: IndexFacts): readonly SearchField[] {
  const plain = ['source', 'sourceType', 'uri', 'path', 'mime', 'category', 'version', 'publishedAt', 'updatedAt'];
  return [
    { name: 'key', type: 'Edm.String', key: true, filterable: true, sortable: true },
    { name: 'chunkId', type: 'Edm.String', filterable: true, sortable: true },
    text('documentId'),
    text('tenant'),
    { name: 'isOpen', type: 'Edm.Boolean', ...filterable },
    { name: 'access', type: 'Collection(Edm.String)', ...filterable },
    { name: 'ordinal', type: 'Edm.Int32', ...filterable },
    { name: 'revision', type: 'Edm.Int32', ...filterable },
    text('stamp'),
    // People and the semantic ranker read text and title; searches use the terms, which this program makes itself.
    { name: 'text', type: 'Edm.String', searchable: true, analyzerName: 'standard.lucene' },
    { name: 'title', type: 'Edm.String', searchable: true, analyzerName: 'standard.lucene', ...filterable },
    { name: 'terms', type: 'Edm.String', searchable: true, analyzerName: 'whitespace' },
    { name: 'termsLanguage', type: 'Edm.String', ...filterable, facetable: true },
    { name: 'language', type: 'Edm.String', ...filterable, facetable: true },
    ...plain.map(text),
    { name: 'publishedMs', type: 'Edm.Int64', ...filterable },
    { name: 'updatedMs', type: 'Edm.Int64', ...filterable },
    { name: 'metadataKeys', type: 'Collection(Edm.String)', ...filterable },
    {
      name: 'metadata',
      type: 'Collection(Edm.ComplexType)',
      fields: [
        text('key'),
        text('text'),
        { name: 'number', type: 'Edm.Double', ...filterable },
        { name: 'truth', type: 'Edm.Boolean', ...filterable },
        { name: 'instant', type: 'Edm.Int64', ...filterable },
      ],
    },
    { name: 'facts', type: 'Edm.String' },
    ...(vectors
      ? [
          {
            name: vectorFieldOf(vectors),
            type: 'Collection(Edm.Single)',
            searchable: true,
            hidden: true,
            vectorSearchDimensions: vectors.dimensions,
            vectorSearchProfileName: profile,
          } as const,
        ]
      : []),
  ];
}

const named = <T extends { readonly name: string }>(present: readonly T[] | undefined, ours: readonly T[]): T[] => [
  ...(present ?? []),
  ...ours.filter(({ name }) => !present?.some((one) => one.name === name)),
];

/**
 * What is to be written so that the index serves us; undefined where it does already. `present` is the index as it is, with its etag.
 * Throws `config-invalid` for an index that somebody else made.
 */
export function wantedIndex(facts: IndexFacts, present?: SearchIndex): SearchIndex | undefined {
  const fields = fieldsOf(facts);
  const foreign = fields.find((field) => {
    const there = present?.fields.find(({ name }) => name === field.name);
    return there !== undefined && !isSameKind(there, field);
  });
  if (foreign)
    throw failed(
      'config-invalid',
      `has an index "${facts.name}" whose field "${foreign.name}" is not as this program makes it. Name another index in AZURE_SEARCH_INDEX, or delete that one.`,
      { isFinal: true },
    );
  const missing = fields.filter(({ name }) => !present?.fields.some((one) => one.name === name));
  if (
    present?.fields.some((field) => 'key' in field && field.key === true) &&
    missing.some(({ name }) => name === 'key')
  )
    throw failed(
      'config-invalid',
      `has an index "${facts.name}" that this program did not make. Name another index in AZURE_SEARCH_INDEX, or delete that one.`,
      { isFinal: true },
    );
  const isRanked = present?.semanticSearch?.configurations?.some(({ name }) => name === semanticConfiguration) ?? false;
  if (present && missing.length === 0 && (isRanked || !facts.semantic)) return undefined;
  return {
    ...present,
    name: facts.name,
    fields: [...(present?.fields ?? []), ...missing],
    ...(facts.vectors && {
      vectorSearch: {
        ...present?.vectorSearch,
        algorithms: named(present?.vectorSearch?.algorithms, [
          { name: algorithm, kind: 'hnsw', parameters: { metric: 'cosine' } },
        ]),
        profiles: named(present?.vectorSearch?.profiles, [{ name: profile, algorithmConfigurationName: algorithm }]),
      },
    }),
    ...(facts.semantic && {
      semanticSearch: {
        ...present?.semanticSearch,
        configurations: named(present?.semanticSearch?.configurations, [
          {
            name: semanticConfiguration,
            prioritizedFields: { titleField: { name: 'title' }, contentFields: [{ name: 'text' }] },
          },
        ]),
      },
    }),
  };
}

function isSameKind(there: SearchField, ours: SearchField): boolean {
  const traits = ['type', 'key', 'searchable', 'filterable', 'vectorSearchDimensions', 'analyzerName'] as const;
  const of = (field: SearchField, trait: (typeof traits)[number]): unknown =>
    (field as unknown as Readonly<Record<string, unknown>>)[trait] || undefined;
  return traits.every((trait) => of(ours, trait) === undefined || of(there, trait) === of(ours, trait));
}
