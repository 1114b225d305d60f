// Shapes that several operations share: names, pages, documents, sources and runs, as the schemas that doors validate with and print OpenAPI from.
// Request bodies are strict: an unknown field is refused by its name.

import { z } from 'zod';
import {
  deliverySchema,
  deliveryStatuses,
  documentSchema,
  metadataSchema,
  sourceSchema,
  sourceTypes,
} from '../../core/document.ts';
import {
  duplicateSchema,
  faultSchema,
  fileStates,
  ingestionFileSchema,
  ingestionSchema,
  parkedFileSchema,
} from '../../core/documents/runs.ts';
import { isBoundedMetadata, mostMetadataCharacters, mostMetadataValues } from '../../core/metadata.ts';
import { nameSchema } from '../../core/values/name.ts';
import { givenConnectorSchema } from './connector.ts';

const givenMetadataSchema = metadataSchema.refine(
  isBoundedMetadata,
  `holds more than ${mostMetadataValues} values or ${mostMetadataCharacters} characters. Keep what is filtered by, and put the rest into the text`,
);

// RFC 3339 with an offset, or a plain date.
const dateSchema = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

// ---- paths and queries ------------------------------------------------------------------------------------------------

const offsetSchema = z.coerce.number().int().min(0);

export const pageFields = {
  limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  cursor: z.string().min(1).max(4096).exactOptional(),
};
export const pageQuerySchema = z.strictObject(pageFields);
export const rangeQuerySchema = z.strictObject({
  start: offsetSchema.exactOptional(),
  end: offsetSchema.exactOptional(),
});
export const viewQuerySchema = z.strictObject({
  start: offsetSchema.exactOptional(),
  end: offsetSchema.exactOptional(),
  /** For long documents: the offset at which the page shown begins. */
  from: offsetSchema.exactOptional(),
});
/** Whether a flag of a query is set. */
export const flagSchema = z.enum(['true', 'false', '1', '0']).transform((flag) => flag === 'true' || flag === '1');
export const readingQuerySchema = z.strictObject({
  /** Read files even if they were given up after three tries. */
  retry: flagSchema.exactOptional(),
  /** Read files although their bytes have not changed, or not; absent: if their reader was improved. What comes out as it is recorded stays. */
  reread: flagSchema.exactOptional(),
});
export const waitQuerySchema = readingQuerySchema.extend({ wait: flagSchema.exactOptional() });
export const syncQuerySchema = z.strictObject({
  /** Read files again that were given up after three tries. */
  retry: flagSchema.exactOptional(),
  /** Read all unchanged files again, or none; absent: those whose reader was improved. What comes out as it is recorded stays. */
  reread: flagSchema.exactOptional(),
  /** Delete and overwrite what the source no longer shows, also where that is doubtful. */
  confirm: flagSchema.exactOptional(),
});
export const parkedQuerySchema = z.strictObject({ ...pageFields, source: z.string().min(1).exactOptional() });
export const documentListQuerySchema = z.strictObject({
  ...pageFields,
  source: z.string().min(1).optional(),
  /** A filter as JSON, see the schema `Filter`. */
  filter: z.string().min(2).max(16_384).optional(),
  sort: z
    .enum(['uri', 'newest'])
    .exactOptional()
    .describe('By source and uri, as usual, or what was read last first; a cursor is of one order'),
});
export const deliveryListQuerySchema = z.strictObject({
  ...pageFields,
  status: z.enum(deliveryStatuses).exactOptional(),
});
export const ingestionFilesQuerySchema = z.strictObject({ ...pageFields, state: z.enum(fileStates).exactOptional() });

// ---- documents --------------------------------------------------------------------------------------------------------

/** The fields of a document as a caller may give them; the same for JSON and for the fields of a multipart upload. */
const documentFieldsSchema = z.strictObject({
  title: z.string().min(1).max(2000).exactOptional(),
  mime: z.string().min(1).max(256).exactOptional(),
  uri: z
    .string()
    .min(1)
    .max(4096)
    .refine((uri) => !uri.includes('\0'), 'holds a character that no path has')
    .exactOptional(),
  source: nameSchema.exactOptional(),
  sourceType: z.enum(sourceTypes).exactOptional(),
  category: z.string().min(1).max(256).exactOptional(),
  version: z.string().min(1).max(256).exactOptional(),
  publishedAt: dateSchema.exactOptional(),
  metadata: givenMetadataSchema.exactOptional(),
  access: z.array(nameSchema).max(1000).exactOptional(),
  stores: z.array(nameSchema).min(1).max(20).exactOptional(),
  password: z.string().max(1024).exactOptional(),
  passwords: z
    .array(z.string().max(1024))
    .max(100)
    .describe('Tried in turn where the file, or one inside it, asks for one')
    .exactOptional(),
});
export const documentRequestSchema = documentFieldsSchema
  .extend({
    /** The text itself. Exactly one of `text` and `url` (files come as multipart). */
    text: z.string().min(1).exactOptional(),
    url: z
      .url({ protocol: /^https?$/ })
      .max(4096)
      .exactOptional(),
  })
  .meta({ id: 'DocumentRequest' });

const deliveryStateSchema = z.object({ store: z.string(), status: z.enum(deliveryStatuses) });
export const addedDocumentsSchema = z
  .object({
    documents: z.array(
      z.object({
        id: z.string(),
        uri: z.string(),
        status: z.enum(['created', 'updated', 'unchanged']),
        chunks: z.int(),
        warnings: z.array(z.string()),
        deliveries: z.array(deliveryStateSchema),
        /** Other documents that say the same, most similar first. */
        duplicates: z.array(duplicateSchema).optional(),
      }),
    ),
    /** Files of a multipart upload that could not be taken; the others were. */
    failed: z.array(faultSchema.extend({ name: z.string() })).exactOptional(),
  })
  .meta({ id: 'AddedDocuments' });

export const documentDetailSchema = documentSchema
  .extend({
    chunks: z.int(),
    deliveries: z.array(deliverySchema),
    duplicates: z
      .array(duplicateSchema)
      .describe('Documents that say the same or nearly the same, most similar first, at most 100'),
  })
  .meta({ id: 'DocumentDetail' });

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), nextCursor: z.string().optional() });

/** Of lists whose rows are sealed. */
export const damagedSchema = z
  .array(z.object({ id: z.string() }))
  .optional()
  .describe('What of the page is not as it was written and is left out, for admins');

const damagedDocumentSchema = z
  .object({ id: z.string(), source: z.string(), uri: z.string(), detail: z.string() })
  .meta({ id: 'DamagedDocument' });
export const documentListSchema = listOf(documentSchema)
  .extend({
    damaged: z
      .array(damagedDocumentSchema)
      .optional()
      .describe(
        'Entries of the page that are damaged, for admins: nothing of them is served until they are ingested again',
      ),
  })
  .meta({ id: 'DocumentList' });
export const deliveryListSchema = listOf(deliverySchema).meta({ id: 'DeliveryList' });

// ---- sources, ingestions, stores --------------------------------------------------------------------------------------

const scheduleSchema = z.strictObject({
  everyMinutes: z.int().min(1).max(525_600).describe('Read again when the last reading began so long ago'),
});
export const sourceRequestSchema = z
  .strictObject({
    name: nameSchema,
    type: z.enum(sourceTypes),
    authority: z.number().min(0).max(10).exactOptional(),
    ttlSeconds: z.int().min(0).exactOptional(),
    connector: givenConnectorSchema.exactOptional(),
    schedule: scheduleSchema.exactOptional(),
    watch: z.boolean().describe('Read again when something in its folder changed').exactOptional(),
  })
  .meta({ id: 'SourceRequest' });

export const shownSourceSchema = sourceSchema
  .extend({
    freshness: z.string().optional().describe('How its content ages, by its type: real-time, versioned or static'),
  })
  .meta({ id: 'Source' });
export const sourceListSchema = z
  .object({ data: z.array(shownSourceSchema.extend({ documents: z.int() })) })
  .meta({ id: 'SourceList' });
export const removedSchema = z.object({ removedDocuments: z.int() }).meta({ id: 'RemovedSource' });

export const ingestionListSchema = listOf(ingestionSchema).meta({ id: 'IngestionList' });
export const parkedFileListSchema = listOf(parkedFileSchema).meta({ id: 'ParkedFileList' });
export const ingestionFileListSchema = listOf(ingestionFileSchema).meta({ id: 'IngestionFileList' });
/** One ingestion with its first files; the rest page under `/files`. */
export const ingestionDetailSchema = ingestionSchema
  .extend({ files: z.array(ingestionFileSchema), nextFilesCursor: z.string().optional() })
  .meta({ id: 'IngestionDetail' });
