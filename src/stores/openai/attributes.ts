// What a file in the vector store says of its document: 16 attributes, which is all that the vendor keeps of a file. Invariants: every
// attribute is always there, so that no comparison meets a missing one; a text is encoded so that equal codes mean equal texts, however
// long they are; and who may read a document stands in it, so that the vendor's own query leaves out what the caller may not see.
import type { DocumentRecord } from '../../core/document.ts';
import { sha256 } from '../../core/ids.ts';
import { toInstant } from '../../db/instant.ts';
import type { Attributes, NativeFilter } from './client.ts';

/** Names of attributes, as they can be seen at the vendor too. */
export const attributeNames = {
  tenant: 'tenant',
  documentId: 'document_id',
  revision: 'revision',
  chunks: 'chunks',
  textHash: 'text_hash',
  publishedAt: 'published_at',
} as const;

/** Fields of filters that are texts in the attributes. */
export const textFields = {
  id: attributeNames.documentId,
  source: 'source',
  sourceType: 'source_type',
  uri: 'uri',
  language: 'language',
  category: 'category',
  version: 'version',
} as const;
export type TextField = keyof typeof textFields;

const accessKeys = ['access', 'access_2', 'access_3', 'access_4'] as const;
const everyone = 'everyone';
/** More names than there is room for: who they are is known to the record alone, which is asked for every hit. */
const many = 'many';
const nobody = 'nobody';

/** A text that the document does not have. */
export const none = '(none)';
/** The same of a date: before all that can be. */
export const noDate = -9_000_000_000_000_000;
export const earliestDate = -8_640_000_000_000_000;

/** The vendor keeps 512 characters. */
const longestText = 500;
const mark = 'sha256:';

/** Injective: short texts as they are, others by their hash. */
export function encodeText(value: string): string {
  const text = value.toWellFormed();
  const isPlain = text !== '' && text.length <= longestText && text !== none && !text.startsWith(mark);
  return isPlain ? text : `${mark}${sha256(text)}`;
}

export const encodeOptional = (value: string | undefined): string => (value === undefined ? none : encodeText(value));

const encodeName = (name: string): string => `=${encodeText(name)}`;

function accessAttributes(access: readonly string[] | undefined): Record<string, string> {
  const names = access === undefined ? [everyone] : [...new Set(access)].map(encodeName);
  const shown = names.length === 0 ? [nobody] : names.length > accessKeys.length ? [many] : names;
  return Object.fromEntries(accessKeys.map((key, place) => [key, shown[place] ?? none]));
}

/** What lets these names read, in the vendor's query: documents of everyone, those that name them, and those that name many. */
export function accessFilter(names: readonly string[]): NativeFilter {
  const wanted = names.map(encodeName);
  const [first, ...others] = accessKeys;
  return {
    type: 'or',
    filters: [
      { type: 'in', key: first, value: [everyone, many, ...wanted] },
      ...others.map((key) => ({ type: 'in', key, value: wanted }) as const),
    ],
  };
}

export function attributesOf(
  tenant: string,
  document: DocumentRecord,
  { chunks, textHash }: { readonly chunks: number; readonly textHash: string },
): Attributes {
  const { publishedAt } = document;
  return {
    [attributeNames.tenant]: encodeText(tenant),
    [attributeNames.revision]: document.revision,
    [attributeNames.chunks]: chunks,
    [attributeNames.textHash]: textHash,
    [attributeNames.publishedAt]: (publishedAt === undefined ? undefined : toInstant(publishedAt)) ?? noDate,
    ...Object.fromEntries(
      Object.entries(textFields).map(([field, key]) => [key, encodeOptional(document[field as TextField])]),
    ),
    ...accessAttributes(document.access),
  };
}

const ownNames: ReadonlySet<string> = new Set([
  ...Object.values(attributeNames),
  ...Object.values(textFields),
  ...accessKeys,
]);

/** Of what Footnote says of a file; others that somebody added there do not count. */
export const hashOfAttributes = (attributes: Attributes): string =>
  sha256(
    JSON.stringify(
      Object.entries(attributes)
        .filter(([name]) => ownNames.has(name))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  );

/** Whether the vendor holds these; others that somebody added there do not count. */
export const hasAttributes = (held: Attributes, wanted: Attributes): boolean =>
  Object.entries(wanted).every(([key, value]) => held[key] === value);
