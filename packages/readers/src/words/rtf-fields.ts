// Fields of RTF that show a character and have no result beside them: Word writes every symbol that was inserted so (specification 1.9.1, "Fields"; SYMBOL of
// ECMA-376 part 1 §17.16.5.66).
import { symbolText } from '../office/office-symbols.ts';
import { decoderOfPage } from '../office/rtf-text.ts';

/** The character of `SYMBOL 176 \f "Symbol" \s 12`; undefined for other fields. */
export function symbolOfField(instruction: string): string | undefined {
  const [, number = ''] = /^\s*SYMBOL\s+(0x[\da-f]{1,4}|\d{1,5})\b/iu.exec(instruction) ?? [];
  if (number === '') return undefined;
  const code = Number(number);
  const [, font = ''] = /\\f\s+"?([^"\\]{1,60})/iu.exec(instruction) ?? [];
  // Without a switch that says otherwise it is a place in the code page.
  const isUnicode = /\\u\b/iu.test(instruction) || code > 0xff;
  const shown = symbolText(font.trim(), code);
  if (shown === '' || isUnicode || shown.charCodeAt(0) !== code) return shown;
  return decoderOfPage(1252).decode(Uint8Array.of(code));
}
