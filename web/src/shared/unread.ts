// What is written into the fields of a form and cannot be read. Pure.

/** A number from 0 on with at most six decimals, in its plain form. Empty for anything else; a comma would mean tenths to some and thousands to others. */
export const numberIn = (text: string): string =>
  /^(?:\d{1,12}(?:\.\d{0,6})?|\.\d{1,6})$/.test(text) ? String(Number(text)) : '';

/** What fields must hold, by their names, each a whole sentence. */
export type Needs = Readonly<Record<string, string>>;

/** Names of the fields that hold something of which nothing was read. */
export const unreadOf = (written: URLSearchParams, read: URLSearchParams, needs: Needs): readonly string[] =>
  Object.keys(needs).filter((name) => (written.get(name) ?? '').trim() !== '' && !read.get(name));
