// The chunks of a lexical index as a model learns from them: read from shared segments, so that no text is analysed twice and
// no other thread has to send any. Invariant: what is read depends on the living chunks alone, not on how they lie in segments.
import { hasBit } from '../../engine/bitmap.ts';
import type { SharedSegment } from '../../engine/live-segment.ts';
import { fieldBreak, openSegment, type Segment, slotFrom } from '../../engine/segment.ts';
import { stringAt } from '../../engine/strings.ts';

/** `number` is the same for the same bytes: what was opened of them once need not be opened again. */
export interface NumberedPart extends SharedSegment {
  readonly number: number;
}

export interface ChunkPlace {
  readonly part: ReadablePart;
  readonly slot: number;
}

export interface ReadablePart {
  readonly segment: Segment;
  readonly dead: Uint32Array | undefined;
  /** Terms of the dictionary, as far as they were read. */
  readonly texts: (string | undefined)[];
}

/** Opens parts, and keeps what it opened for as long as the next call names it too. */
export function createPartReader(): (parts: readonly NumberedPart[]) => readonly ReadablePart[] {
  let known = new Map<number, Omit<ReadablePart, 'dead'>>();
  return (parts) => {
    const next = new Map<number, Omit<ReadablePart, 'dead'>>();
    const opened = parts.map(({ number, bytes, dead }) => {
      const part = known.get(number) ?? { segment: openSegment(bytes), texts: [] };
      next.set(number, part);
      return { ...part, dead };
    });
    known = next;
    return opened;
  };
}

export function* livingPlaces(parts: readonly ReadablePart[]): Generator<ChunkPlace, void, void> {
  for (const part of parts)
    for (let slot = 0; slot < part.segment.sizes.entries; slot++)
      if (part.dead === undefined || !hasBit(part.dead, slot)) yield { part, slot };
}

/** The living chunk of a row. */
export function placeOfRow(parts: readonly ReadablePart[], row: number): ChunkPlace | undefined {
  for (const part of parts) {
    const slot = slotFrom(part.segment, row);
    if (part.segment.rows[slot] !== row || (part.dead !== undefined && hasBit(part.dead, slot))) continue;
    return { part, slot };
  }
  return undefined;
}

/** Id of a chunk. */
export const keyAt = ({ part, slot }: ChunkPlace): string => stringAt(part.segment.keys, slot);

/** Terms of a chunk: its text and headings once, its title twice, as the index weighs them (docs/engine.md). */
export function termsAt({ part, slot }: ChunkPlace): string[] {
  const { segment, texts } = part;
  const terms: string[] = [];
  const end = segment.tokenOffsets[slot + 1] as number;
  let at = segment.tokenOffsets[slot] as number;
  let inTitle = true;
  for (; at < end; at++) {
    const id = (segment.tokensLow[at] as number) | ((segment.tokensHigh[at] as number) << 16);
    if (id === fieldBreak) {
      if (inTitle) terms.push(...terms);
      inTitle = false;
      continue;
    }
    const text = texts[id] ?? stringAt(segment.terms, id);
    texts[id] = text;
    terms.push(text);
  }
  return terms;
}
