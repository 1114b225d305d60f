// Names of columns, as short as a heading wants them.

/** Longer names of columns are cut: they are repeated with every chunk of the table. */
const longestNames = 400;

/** Names of columns, joined by ` | `, as a heading has room for them. */
export function shortNames(names: string): string {
  if (names.length <= longestNames) return names;
  const cut = names.lastIndexOf(' | ', longestNames);
  return `${names.slice(0, cut > 0 ? cut : longestNames).toWellFormed()} | …`;
}
