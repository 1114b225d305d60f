// A passage: one coherent piece of a chunk, as its author wrote it, under its heading path. Questions, parts of questions, comparisons, analyses and the
// order of search results all read the same cut (cut.ts). Invariant: `text` is exactly the chunk's text at `start..end`.
import type { ClaimForm } from '../core/answer.ts';
import type { SourceSpan } from '../core/document.ts';

/** Forms that an author gives to a piece of text; a sentence is part of one. */
export type PassageForm = Exclude<ClaimForm, 'sentence'>;

/** A sentence, an item, a row or a line of a passage: what can be marked in it. Offsets are into the text of the chunk. */
export interface PassagePart extends SourceSpan {
  readonly form: 'sentence' | 'item' | 'row' | 'code' | 'label';
}

export interface Passage extends SourceSpan {
  /** Offsets of the passage are UTF-16 code units into the text of its chunk. */
  readonly text: string;
  readonly form: PassageForm;
  /** The title of the document and the headings over the passage, outermost first, without what its text opens with. */
  readonly headingPath: readonly string[];
  /** The term that an entry defines, as its text opens with it. */
  readonly label?: string;
  readonly parts: readonly PassagePart[];
  readonly words: number;
  /** The author's piece is longer, and goes on before or behind the passage. */
  readonly isCut?: true;
}

/** No passage has more words. */
export const longestPassageWords = 120;
