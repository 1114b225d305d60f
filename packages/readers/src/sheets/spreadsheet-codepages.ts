// Gives SheetJS the code pages of older workbooks (Excel 5 and 95 and before, and the properties of all), which it reads as western letters without:
// by the decoders of the platform instead of its own tables of half a megabyte. Importing it is enough; nothing is ever encoded.
import { set_cptable } from '@e965/xlsx';
import { decoderOfPage } from '../office/rtf-text.ts';

const utf16le = new TextDecoder('utf-16le', { ignoreBOM: true });
const utf16be = new TextDecoder('utf-16be', { ignoreBOM: true });
/** Numbers of [MS-XLS] §2.4.52 that are none of Windows: Apple Roman and ANSI as Excel 2 and 3 say them. */
const pages: Readonly<Record<number, number>> = { 32768: 10000, 32769: 1252 };

function decode(page: number, bytes: Uint8Array | readonly number[]): string {
  const input = Uint8Array.from(bytes);
  if (page === 1200) return utf16le.decode(input);
  if (page === 1201) return utf16be.decode(input);
  return decoderOfPage(pages[page] ?? page).decode(input);
}

set_cptable({ utils: { decode, encode: (_page: number, text: string) => Buffer.from(text, 'latin1') } });
