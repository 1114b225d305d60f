// The vocabulary of knowledge: a document has one canonical text; chunks, quotes and citations are half-open ranges
// [start, end) of UTF-16 code units into it, so that a citation is checked by slicing.
import type { Metadata, SourceSpan } from '@footnote/readers/document';
import type { Connector } from './connector.ts';

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

/** A piece of a document as it is searched. `text === document.text.slice(start, end)` always. */
export interface Chunk extends SourceSpan {
  readonly id: string;
  readonly documentId: string;
  readonly ordinal: number;
  readonly text: string;
  /** SHA-256 of `text`, hex. Checked whenever a span of the chunk is cited. */
  readonly hash: string;
  readonly headingPath: readonly string[];
  /** First and last page, where the document has pages. */
  readonly pages?: readonly [first: number, last: number];
  /** First and last line (from 1), where the format is cited by line. */
  readonly lines?: readonly [first: number, last: number];
  /** Where it stands in formats that have neither: `Sheet1!A2:D40`, `slide 3`, else the heading. */
  readonly place?: string;
  /** o200k_base tokens of `text`. */
  readonly tokens: number;
}

/** A document as the record keeps it, without its text. */
export interface DocumentRecord {
  readonly id: string;
  readonly source: string;
  readonly sourceType: SourceType;
  readonly uri: string;
  readonly title: string;
  readonly mime: string;
  readonly language?: string;
  readonly category?: string;
  /** The caller's own version label, if given; `revision` counts ours. */
  readonly version?: string;
  readonly revision: number;
  readonly publishedAt?: string;
  readonly updatedAt: string;
  /** SHA-256 of the original bytes (hex): unchanged bytes are not parsed again. */
  readonly contentHash: string;
  /** SHA-256 of the canonical text (hex): checked whenever a span is cited. */
  readonly textHash: string;
  /** Length of the canonical text in UTF-16 code units. */
  readonly textLength: number;
  readonly chunkCount: number;
  readonly metadata: Metadata;
  /** Who may read it: ids of principals or groups. Absent: everyone of the tenant. */
  readonly access?: readonly string[];
  readonly citeByLine: boolean;
  readonly warnings: readonly string[];
  /** Which reader read it, and which edition of it; absent where that was not kept yet. */
  readonly reading?: string;
}

export interface Source {
  readonly name: string;
  readonly type: SourceType;
  readonly authority?: number;
  readonly ttlSeconds?: number;
  readonly connector?: Connector;
  /** It is read again when its last reading began so long ago. */
  readonly schedule?: { readonly everyMinutes: number };
  /** It is read again when something in its folder changed. */
  readonly watch?: boolean;
  /** The owner of the machine declared it: then it is read as the owner reads. */
  readonly asOwner?: true;
  /** The declaration is not as it was recorded: what of it cannot be read is missing here. */
  readonly damaged?: true;
}

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The state of one document in one store. */
export interface Delivery {
  readonly documentId: string;
  readonly store: string;
  readonly status: DeliveryStatus;
  readonly revision: number;
  readonly attempts: number;
  readonly lastError?: string;
  readonly updatedAt: string;
}
