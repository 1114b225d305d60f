// Words of documents in a page of HTML: text, and nothing that a browser acts on. Invariants: no element, attribute or entity comes out of a
// document; what turns the order of what is read turns nothing; what is copied is the text.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // An HTML parser would change these two.
  '\r': '&#13;',
  '\u0000': '\ufffd',
};

/** Text that can stand in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\r\0]/g, (character) => entities[character] ?? character);
}

/** In titles and names, where no element can stand. */
export const escapeName = (text: string): string =>
  escapeHtml(text)
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replace(/[\u061c\u200e\u200f]/g, '');

/**
 * Text of the document. Characters that turn the order of what is read (CVE-2021-42574) each stand in an isolate of their own, where they
 * turn nothing, with their name as a label: what is copied is the text all the same.
 */
export const escapeText = (text: string): string =>
  escapeHtml(text).replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (control) => controls.get(control) ?? control,
  );

const controls = new Map(
  '061C 200E 200F 202A 202B 202C 202D 202E 2066 2067 2068 2069'
    .split(' ')
    .map((code) => [
      String.fromCharCode(Number.parseInt(code, 16)),
      `<bdi class="control" data-label="U+${code}">&#x${code};</bdi>`,
    ]),
);

/** What `escapeHtml` was given, where that held no carriage return and no NUL. */
export const unescapeHtml = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
