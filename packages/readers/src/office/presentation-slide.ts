// A slide as canonical text, whatever file it comes from: its title as a heading, its shapes in reading order, tables as rows, then what the
// speaker says. Every block of it stands in the place "slide N".

import type { BlockWriter } from '../canonical/block-writer.ts';
import type { RunningHead } from '../document.ts';
import { inReadingOrder, type ShapeBox } from './presentation-order.ts';

export interface SlideLine {
  readonly kind: 'paragraph' | 'list-item' | 'table-row' | 'other';
  readonly text: string;
}

export interface SlideShape {
  /** In any unit, the same for all shapes of the slide. */
  readonly box: ShapeBox | undefined;
  readonly lines: readonly SlideLine[];
}

export interface Slide {
  readonly title: string;
  readonly shapes: readonly SlideShape[];
  /** Paragraphs of the speaker's notes. */
  readonly notes: readonly string[];
  /** Each with its author, where known. */
  readonly comments: readonly string[];
  /** Footers and the like: repeated on every slide, kept beside the text. */
  readonly footers: readonly string[];
  readonly isHidden: boolean;
  readonly picturesWithoutText: number;
}

/** Writes the slides in order; gives the running heads and what people should know. */
export function writeSlides(
  writer: BlockWriter,
  slides: readonly Slide[],
  what: 'slide' | 'page' = 'slide',
): { runningHeads: RunningHead[]; warnings: string[]; picturesWithoutText: number } {
  const runningHeads: RunningHead[] = [];
  slides.forEach((slide, index) => {
    const number = index + 1;
    writer.at(`${what} ${number}`);
    // Without a heading of its own its text would fall under the slide before.
    writer.put(
      'heading',
      slide.title.replace(/\s+/gu, ' ').trim() || `${what === 'slide' ? 'Slide' : 'Page'} ${number}`,
      1,
    );
    for (const shape of inReadingOrder(slide.shapes)) {
      writer.apart();
      for (const line of shape.lines) writer.put(line.kind, line.text);
    }
    const [first, ...rest] = slide.notes;
    if (first !== undefined) writer.put('paragraph', `Speaker notes: ${first}`);
    for (const note of rest) writer.put('paragraph', note);
    for (const comment of slide.comments) writer.put('other', comment);
    for (const text of slide.footers) runningHeads.push({ page: number, text });
  });
  const hidden = slides.flatMap((slide, index) => (slide.isHidden ? [index + 1] : []));
  return {
    runningHeads,
    picturesWithoutText: slides.reduce((sum, slide) => sum + slide.picturesWithoutText, 0),
    warnings:
      hidden.length === 0
        ? []
        : [`Hidden in the file, read all the same: ${hidden.length === 1 ? what : `${what}s`} ${hidden.join(', ')}.`],
  };
}
