// A quote without what Markdown writes only to lay it out: the marks before the items of a list, which are written on one line with semicolons, and the
// addresses of links. A claim that is the rest, word for word, says what the quote says. What may change a meaning stays: numbers, strokes through words,
// boxes that are ticked. Pure.

const itemMark = /([:：]?)[^\S\n]{0,8}\n(?:[^\S\n]{0,8}\n)?[^\S\n]{0,40}[-*+•][^\S\n]{1,8}(?=[^\s\d-])/gu;
const link = /(?<!!)\[([^[\]\n]{1,200})\]\((?:#|\.{0,2}\/|https?:\/\/)[^()\s]{0,400}\)/gu;

/** The quote as people read it on one line. */
export const withoutLayout = (quote: string): string =>
  quote.replace(itemMark, (_, colon: string) => (colon === '' ? '; ' : `${colon} `)).replace(link, '$1');
