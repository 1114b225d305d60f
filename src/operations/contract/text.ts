// The part of the contract that speaks of a document's text: ranges of it, its chunks, its structure, and a span in its surroundings.
import { z } from 'zod';

export const textRangeSchema = z.object({ text: z.string(), start: z.int(), end: z.int() }).meta({ id: 'TextRange' });

const spanPairSchema = z.tuple([z.int(), z.int()]).readonly();
export const chunkListSchema = z
  .object({
    data: z.array(
      z.object({
        id: z.string(),
        documentId: z.string(),
        ordinal: z.int(),
        start: z.int(),
        end: z.int(),
        text: z.string(),
        hash: z.string(),
        headingPath: z.array(z.string()),
        pages: spanPairSchema.optional(),
        lines: spanPairSchema.optional(),
        place: z.string().optional(),
        tokens: z.int(),
      }),
    ),
  })
  .meta({ id: 'ChunkList' });

const spanFields = { start: z.int(), end: z.int() };
export const structureSchema = z
  .object({
    pages: z.array(
      z.object({
        ...spanFields,
        number: z.int(),
        label: z.string().optional(),
        width: z.number(),
        height: z.number(),
      }),
    ),
    headings: z.array(z.object({ ...spanFields, level: z.int(), title: z.string() })),
    words: z.array(
      z.object({
        ...spanFields,
        page: z.int(),
        x: z.number(),
        y: z.number(),
        width: z.number(),
        height: z.number(),
      }),
    ),
    places: z.array(z.object({ ...spanFields, label: z.string() })).optional(),
  })
  .meta({ id: 'DocumentStructure' });

/** A span with the text around it: what the HTML view shows, for programs. */
export const documentViewSchema = z
  .object({
    documentId: z.string(),
    title: z.string(),
    uri: z.string(),
    source: z.string(),
    start: z.int(),
    end: z.int(),
    quote: z.string(),
    before: z.string(),
    after: z.string(),
    page: z.int().optional(),
    lines: spanPairSchema.optional(),
    place: z.string().optional(),
    textLength: z.int(),
  })
  .meta({ id: 'DocumentView' });
