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
  escapeHtml(text).replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (control) => {
    const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `<bdi class="control" data-label="U+${code}">&#x${code};</bdi>`;
  });

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** What `escapeHtml` was given, where that held no carriage return and no NUL. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => characters[name] ?? entity);
