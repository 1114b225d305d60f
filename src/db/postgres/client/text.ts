// Texts that PostgreSQL can hold: U+0000 becomes U+0001 U+0001, and U+0001 becomes U+0001 U+0002. Order and prefixes stay as they were.

export function encodeText(text: string): string {
  if (!text.includes('\u0000') && !text.includes('\u0001')) return text;
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001');
}

export function decodeText(text: string): string {
  return text.includes('\u0001')
    ? text.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001')
    : text;
}
