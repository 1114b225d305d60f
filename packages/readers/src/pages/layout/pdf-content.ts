// What a PDF reader hands to the layout: words in content order with their boxes, page by page. The reader (PDFium) is
// behind this type alone, so that another can take its place.
import type { AttachedFile } from '../../document.ts';

/** Points, origin top left of the visible page, y downwards. */
export interface PdfWord {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Size of the type in points as it appears on the page. */
  readonly size: number;
  readonly bold: boolean;
  /** Clockwise direction of reading in quarter turns: 0 is upright. */
  readonly turn: 0 | 1 | 2 | 3;
  /** It reads along none of these directions. */
  readonly isAskew?: true;
  /** False where the word follows the one before it without a space (a change of font within a word). */
  readonly spaceBefore: boolean;
  /** Where it stands if that is not where the layout is to find it: words recognised on a page that lies askew. */
  readonly printed?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** What stands on a page but not in its content: the value of a form field with its name, the text of an annotation. */
export interface PdfNote {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A straight line along an axis: `at` is its place on the other axis. */
export interface PdfRule {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface PdfRules {
  readonly horizontal: readonly PdfRule[];
  readonly vertical: readonly PdfRule[];
}

export interface PdfPage {
  readonly number: number;
  readonly label?: string;
  readonly width: number;
  readonly height: number;
  readonly words: readonly PdfWord[];
  readonly notes: readonly PdfNote[];
  /** Lines drawn on the page; absent where there are none, or too many to be tables. */
  readonly rules?: PdfRules;
  /** Nothing is drawn on it. */
  readonly isBlank: boolean;
}

export interface PdfOutlineEntry {
  readonly title: string;
  readonly level: number;
  readonly page: number;
}

export interface PdfContent {
  readonly pages: readonly PdfPage[];
  readonly outline: readonly PdfOutlineEntry[];
  /** Files attached to the document or to a place on a page. */
  readonly attachments: readonly AttachedFile[];
  readonly info: Readonly<Record<string, string>>;
  /** Numbers of the pages whose text was recognised (`2, 5-7`), and how surely, from 0 to 1. */
  readonly recognised?: { readonly pages: string; readonly confidence: number };
  readonly warnings: readonly string[];
}
