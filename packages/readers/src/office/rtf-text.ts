// Bytes of RTF to characters: the code page of the file, of each font's character set, and what Windows means by their numbers.

/** `\fcharsetN` to a Windows code page (RTF 1.9.1, "Font Table"). */
const charsetPages: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

/** Encodings of the Encoding Standard by code page; pages that it does not have (437, 850) are read as Windows' western one. */
const labels: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  65001: 'utf-8',
};

/** Undefined where the font's set is none of a language (symbols, the default). */
export const pageOfCharset = (charset: number): number | undefined => charsetPages[charset];

const decoders = new Map<number, InstanceType<typeof TextDecoder>>();

/** A decoder for a code page; Windows' western one where the page is unknown. */
export function decoderOfPage(page: number): InstanceType<typeof TextDecoder> {
  const known = decoders.get(page);
  if (known) return known;
  const label = labels[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252');
  const decoder = new TextDecoder(label);
  decoders.set(page, decoder);
  return decoder;
}

/** Control words that stand for a character. */
export const characterWords: Readonly<Record<string, string>> = {
  '~': '\u00a0',
  _: '\u2011',
  '-': '',
  '{': '{',
  '}': '}',
  '\\': '\\',
  tab: '\t',
  line: '\n',
  lbr: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  zwj: '\u200d',
  zwnj: '\u200c',
  ltrmark: '\u200e',
  rtlmark: '\u200f',
};
