// What a PDF reader hands to the layout: words in content order with their boxes, page by page. The reader (PDFium) is
// behind this type alone, so that another can take its place.

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
  /** False where the word follows the one before it without a space (a change of font within a word). */
  readonly spaceBefore: boolean;
}

export interface PdfPage {
  readonly number: number;
  readonly label?: string;
  readonly width: number;
  readonly height: number;
  readonly words: readonly PdfWord[];
}

export interface PdfOutlineEntry {
  readonly title: string;
  readonly level: number;
  readonly page: number;
}

export interface PdfContent {
  readonly pages: readonly PdfPage[];
  readonly outline: readonly PdfOutlineEntry[];
  readonly info: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}
