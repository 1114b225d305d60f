// A line of an answer out of the archive for each quote: when it was said, by whom, and what it is to the question.
import { toInert } from '../../core/answers/inert-text.ts';
import type { ArchiveCitation } from '../../core/archive.ts';

/** What a quote is to the question, beside what it says. */
export type Mark = 'first' | 'last' | 'latest' | 'earlier';

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

const before: Readonly<Partial<Record<Mark, string>>> = { earlier: 'Earlier, ' };
const behind: Readonly<Partial<Record<Mark, string>>> = {
  first: ' the first time that was found,',
  last: ' the last time that was found,',
  latest: ' the latest that was found,',
};

/** Without the mark of its citation. */
export function toLine({ timestamp, role, author, quote }: ArchiveCitation, mark?: Mark): string {
  const who = author ?? (role === 'user' ? 'you' : `the ${role}`);
  const opening = (mark && before[mark]) ?? '';
  const when =
    timestamp === undefined ? 'at a time that is not known' : `on ${dateFormat.format(Date.parse(timestamp))}`;
  const start = opening === '' ? `${when.charAt(0).toUpperCase()}${when.slice(1)}` : `${opening}${when}`;
  return toInert(`${start},${(mark && behind[mark]) ?? ''} ${who} said: “${quote.replace(/\s+/gu, ' ').trim()}”`);
}
