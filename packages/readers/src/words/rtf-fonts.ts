// The font table of RTF (specification 1.9.1, "Font Table"): in which code page the bytes of a font are, and what those of a symbol font show.
import { isSymbolFont, symbolsAsText } from '../office/office-symbols.ts';
import { pageOfCharset } from '../office/rtf-text.ts';

export interface RtfFonts {
  /** `fcharset` or `cpg` of a font. */
  define(font: number, word: string, value: number): void;
  /** A piece of its name. */
  name(font: number, text: string): void;
  /** Undefined where the font follows the file. */
  pageOf(font: number): number | undefined;
  /** Its bytes are places in it, and in no code page. */
  isSymbol(font: number): boolean;
  /** A text in the font as it is shown. */
  shown(font: number, text: string): string;
}

export function rtfFonts(): RtfFonts {
  const pages = new Map<number, number>();
  const names = new Map<number, string>();
  return {
    define(font, word, value) {
      const page = word === 'cpg' ? value : pageOfCharset(value);
      // Western is also what fonts say that only follow the file.
      if (page !== undefined && page !== 1252) pages.set(font, page);
    },
    name(font, text) {
      const known = names.get(font) ?? '';
      if (known.length < 100) names.set(font, known + text);
    },
    pageOf: (font) => pages.get(font),
    isSymbol: (font) => isSymbolFont(names.get(font) ?? ''),
    shown: (font, text) => symbolsAsText(text, names.get(font) ?? ''),
  };
}
