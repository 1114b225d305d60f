// Takes the day of a turn out of what a model says of it: the day stands beside each citation, and a quote that says no date carries none.
// Invariant: only days and months at which something that was read was said are taken out; any other date stays, and is checked.
const months = 'january february march april may june july august september october november december'.split(' ');
const month = `(?:${months.join('|')})`;
const day = '\\d{1,2}(?:st|nd|rd|th)?';
const dated = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:on|in|from|dated|as early as)\\s)?(?:the\\s)?(${day}\\s(?:of\\s)?${month},?\\s\\d{4}|${month}\\s${day},?\\s\\d{4}|${month}\\s\\d{4}|\\d{4}-\\d{2}-\\d{2})(?![\\p{L}\\p{N}-]),?`,
  'giu',
);

/** `2024-03-05`, or `2024-03` of a month. */
function toKey(written: string): string | undefined {
  if (/^\d{4}-/u.test(written)) return written;
  const words = written.toLowerCase().match(/\p{L}+|\d+/gu) ?? [];
  const year = words.at(-1) ?? '';
  const at = months.indexOf(words.find((word) => months.includes(word)) ?? '');
  const number = words.find((word: string) => word !== year && /^\d{1,2}$/u.test(word));
  if (at < 0 || !/^\d{4}$/u.test(year)) return undefined;
  const key = `${year}-${String(at + 1).padStart(2, '0')}`;
  return number === undefined ? key : `${key}-${number.padStart(2, '0')}`;
}

/** `timestamps`: RFC 3339 in UTC, of what was read. */
export function withoutSaidDates(claim: string, timestamps: Iterable<string>): string {
  const known = new Set<string>();
  for (const timestamp of timestamps) known.add(timestamp.slice(0, 10)).add(timestamp.slice(0, 7));
  const plain = claim
    .slice(0, 4_000)
    .replace(dated, (whole, written: string) => (known.has(toKey(written) ?? '') ? '' : whole))
    .replace(/[ \t]{2,8}/gu, ' ')
    .replace(/ (?=[.,;!?])/gu, '')
    .trim();
  return plain === '' ? claim : `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}
