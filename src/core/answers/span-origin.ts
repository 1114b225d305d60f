// Where a span stands, other than in a document that was searched for this answer: the one place that knows which fields of a citation say so.
import type { Citation } from '../answer.ts';

export type SpanOrigin =
  /** What the user said, kept as a memory. */
  | {
      readonly kind: 'memory';
      readonly id: string;
      readonly url: string;
      readonly turnId?: string;
      readonly timestamp: string;
    }
  /** What was said in a conversation of the archive; `start..end` of the span are places in its message. */
  | {
      readonly kind: 'archive';
      readonly conversationId: string;
      readonly turnId: string;
      readonly url: string;
      readonly timestamp?: string;
    }
  /** The message of a turn of this session. */
  | { readonly kind: 'turn'; readonly turnId: string; readonly url: string; readonly timestamp: string }
  /** A document that the answer of an earlier turn of this session cited. */
  | { readonly kind: 'answer'; readonly turnId: string; readonly timestamp: string };

/** The fields of a citation that tell of it; none for a span of a document. */
export function citedOrigin(
  origin: SpanOrigin | undefined,
): Pick<Citation, 'memoryId' | 'conversationId' | 'turnId' | 'timestamp'> {
  if (!origin) return {};
  const { turnId, timestamp } = origin;
  return {
    ...(origin.kind === 'memory' && { memoryId: origin.id }),
    ...(origin.kind === 'archive' && { conversationId: origin.conversationId }),
    ...(turnId !== undefined && { turnId }),
    ...(timestamp !== undefined && { timestamp }),
  };
}

/** The address of what is no document; a document's is made by whoever cites it. */
export const originUrl = (origin: SpanOrigin | undefined): string | undefined =>
  origin && origin.kind !== 'answer' ? origin.url : undefined;

/** Memories and what was said, in the archive or in the session that asks, are cited as well, and are no documents. */
export const citesDocument = ({ documentId, memoryId, conversationId, turnId }: Citation): boolean =>
  memoryId === undefined && conversationId === undefined && turnId !== documentId;
