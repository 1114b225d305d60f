// The vocabulary of knowledge: a document has one canonical text; chunks, quotes and citations are half-open ranges
// [start, end) of UTF-16 code units into it, so that a citation is checked by slicing.
import { z } from 'zod';
import { connectorSchema } from './connector.ts';
import { type DeepReadonly, jsonValueSchema } from './metadata.ts';

export type {
  AttachedFile,
  Block,
  BlockKind,
  Heading,
  Metadata,
  MetadataValue,
  Page,
  ParsedDocument,
  Place,
  RunningHead,
  SourceSpan,
  WordBox,
} from '@footnote/readers/document';

export const sourceTypes = ['code', 'textbook', 'docs', 'guide', 'qa', 'web', 'conversation', 'workspace'] as const;
export type SourceType = (typeof sourceTypes)[number];

/** The source of pages that a search of the web found, and nobody chose: kept where an answer or a search showed them. */
export const webSearchSource = 'web-search';

/** Who is believed first where nothing else tells. A source may declare its own. */
export const typeAuthority: Readonly<Record<SourceType, number>> = {
  code: 3,
  textbook: 3,
  docs: 2,
  guide: 2,
  qa: 1,
  web: 1,
  conversation: 1,
  workspace: 3,
};

const spanPairSchema = z.tuple([z.int(), z.int()]).readonly();

/**
 * Of documents with headings: those that stand in a chunk, by offsets in UTF-16 code units of its text, with their levels from 1. Those over its beginning that its path does not
 * name, since they are not over all of it, come first, empty and with their titles; so are headings whose words do not stand in the text.
 */
export const chunkHeadingsSchema = z.array(
  z.object({ start: z.int(), end: z.int(), level: z.int(), title: z.string().exactOptional() }),
);
export type ChunkHeadings = DeepReadonly<z.output<typeof chunkHeadingsSchema>>;

export const chunkSchema = z.object({
  id: z.string(),
  documentId: z.string(),
  ordinal: z.int(),
  start: z.int(),
  end: z.int(),
  text: z.string(),
  /** SHA-256 of `text`, hex. Checked whenever a span of the chunk is cited. */
  hash: z.string(),
  headingPath: z.array(z.string()),
  headings: chunkHeadingsSchema.exactOptional(),
  /** First and last page, where the document has pages. */
  pages: spanPairSchema.exactOptional(),
  /** First and last line (from 1), where the format is cited by line. */
  lines: spanPairSchema.exactOptional(),
  /** Where it stands in formats that have neither: `Sheet1!A2:D40`, `slide 3`, else the heading. */
  place: z.string().exactOptional(),
  /** o200k_base tokens of `text`. */
  tokens: z.int(),
});
/** A piece of a document as it is searched. `text === document.text.slice(start, end)` always. */
export type Chunk = DeepReadonly<z.output<typeof chunkSchema>>;

export const metadataSchema = z.record(z.string().min(1).max(256), jsonValueSchema);

export const documentSchema = z
  .object({
    id: z.string(),
    source: z.string(),
    sourceType: z.enum(sourceTypes),
    uri: z.string(),
    title: z.string(),
    mime: z.string(),
    language: z.string().exactOptional(),
    category: z.string().exactOptional(),
    /** The caller's own version label, if given; `revision` counts ours. */
    version: z.string().exactOptional(),
    revision: z.int(),
    publishedAt: z.string().exactOptional(),
    updatedAt: z.string(),
    /** SHA-256 of the original bytes (hex): unchanged bytes are not parsed again. */
    contentHash: z.string(),
    /** SHA-256 of the canonical text (hex): checked whenever a span is cited. */
    textHash: z.string(),
    /** Length of the canonical text in UTF-16 code units. */
    textLength: z.int(),
    chunkCount: z.int(),
    metadata: metadataSchema,
    /** Who may read it: ids of principals or groups. Absent: everyone of the tenant. */
    access: z.array(z.string()).exactOptional(),
    citeByLine: z.boolean(),
    warnings: z.array(z.string()),
    /** Which reader read it, and which edition of it: `text/html 3`; absent where that was not kept yet. */
    reading: z.string().exactOptional(),
  })
  .meta({ id: 'Document' });
/** A document as the record keeps it, without its text. */
export type DocumentRecord = DeepReadonly<z.output<typeof documentSchema>>;
/** Another where its file, or the text that is given for want of one, is another. */
export const editionOf = ({ contentHash, textHash }: DocumentRecord): string => `${contentHash}.${textHash}`;

export const sourceSchema = z.object({
  name: z.string(),
  type: z.enum(sourceTypes),
  authority: z.number().exactOptional(),
  ttlSeconds: z.number().exactOptional(),
  connector: connectorSchema.exactOptional(),
  /** It is read again when its last reading began so long ago. */
  schedule: z.object({ everyMinutes: z.number() }).exactOptional(),
  /** It is read again when something in its folder changed. */
  watch: z.boolean().exactOptional(),
  /** What of the declaration cannot be read is missing here. */
  damaged: z.boolean().exactOptional().describe('The declaration is damaged: declare the source again'),
});
export interface Source extends DeepReadonly<z.output<typeof sourceSchema>> {
  /** The owner of the machine declared it: then it is read as the owner reads. */
  readonly asOwner?: true;
}

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliverySchema = z
  .object({
    documentId: z.string(),
    store: z.string(),
    status: z.enum(deliveryStatuses),
    revision: z.int(),
    attempts: z.int(),
    lastError: z.string().exactOptional(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Delivery' });
/** The state of one document in one store. */
export type Delivery = DeepReadonly<z.output<typeof deliverySchema>>;
