// How much metadata a document may have. It is read, checked and printed with every list, so it is bounded: what is long belongs into the text.
import type { Metadata, MetadataValue } from '@footnote/readers/document';
import { z } from 'zod';

/** A value of a schema as code may read it. Any JSON is left as it is: it is recursive, and going into it would not end. */
export type DeepReadonly<T> = [MetadataValue] extends [T] ? T : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** Any JSON value: what callers keep as metadata, and what ports take and give. */
export const jsonValueSchema: z.ZodType<MetadataValue> = z
  .lazy(() =>
    z.union([
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(jsonValueSchema),
      z.record(z.string(), jsonValueSchema),
    ]),
  )
  .meta({ id: 'JsonValue' });

/** Values of any kind, containers and what is in them. */
export const mostMetadataValues = 500;
/** Of its keys and texts, UTF-16 code units. */
export const mostMetadataCharacters = 32_768;

interface Size {
  values: number;
  characters: number;
}

const isOver = ({ values, characters }: Size): boolean =>
  values > mostMetadataValues || characters > mostMetadataCharacters;

/** Adds a value to `size`, and stops above the limits. */
function measure(value: MetadataValue, size: Size): void {
  size.values += 1;
  if (typeof value === 'string') size.characters += value.length;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (isOver(size)) return;
    if (!Array.isArray(value)) size.characters += key.length;
    measure(member, size);
  }
}

/** Whether it is within both limits. */
export function isBoundedMetadata(metadata: Metadata): boolean {
  // It is itself none of its values.
  const size = { values: -1, characters: 0 };
  measure(metadata, size);
  return !isOver(size);
}

/** Its entries in order for as long as they are within the limits; the same object where all are. */
export function boundedMetadata(metadata: Metadata): Metadata {
  if (isBoundedMetadata(metadata)) return metadata;
  const size = { values: 0, characters: 0 };
  const kept: Metadata = {};
  for (const [key, value] of Object.entries(metadata)) {
    const next = { values: size.values, characters: size.characters + key.length };
    measure(value, next);
    if (isOver(next)) continue;
    Object.assign(size, next);
    kept[key] = value;
  }
  return kept;
}
