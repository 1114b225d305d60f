// Pieces of an answer as its stream tells them: the citations that a piece is the first to use, then its text with its marks.
import type { RenderedPart } from '../../answer/render.ts';
import type { EventSink, FootnoteEvent } from '../../core/events.ts';
import type { MarkedText } from '../../core/marked-text.ts';

/** `marks`: at their places in the whole answer. */
export const streamText = (
  { text, marks }: MarkedText,
  sink: (event: Extract<FootnoteEvent, { type: 'delta' }>) => void,
): void => sink({ type: 'delta', text, ...(marks.length > 0 && { marks: marks }) });

export function streamParts(parts: readonly RenderedPart[], sink: EventSink): void {
  for (const part of parts) {
    for (const citation of part.citations) sink({ type: 'citation', citation });
    streamText(part, sink);
  }
}
