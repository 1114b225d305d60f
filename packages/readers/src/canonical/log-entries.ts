// Lines that begin an entry of a log or a message of a chat: a time stamp, as the usual programs write it, at the beginning of the line. Invariant:
// prose is not taken for a log: a date that a wrapped line happens to begin with is a stamp only beside other stamped lines. Linear in the line.

/** What chat programs put before a stamp: marks of direction, a byte order mark. */
const unseen = String.raw`[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]{0,4}`;
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const clock = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?`;
const zone = String.raw`(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})(?![\p{L}\d]))?`;
const halfDay = String.raw`(?:\s?[ap]\.?\s?m\.?(?!\p{L}))?`;
const day = [
  // 2026-03-11, 2026/3/11, 2026. 3. 11., 2026年3月11日
  String.raw`\d{4}(?:[-/]\d{1,2}[-/]|\.\s?\d{1,2}\.\s?|年\s?\d{1,2}月\s?)\d{1,2}[日.]?`,
  // 3/12/26, 11-03-2026, 11-Mar-26, 11/Mar/2026, 11 Mar 2026
  String.raw`\d{1,2}(?:[-/]\d{1,2}[-/]|[-/ ]${month}[-/ ])(?:\d{4}|\d{2})`,
  // 11.03.26, 5.3.2026, 11. 3. 2026; 1.2.10 is a number of a section
  String.raw`\d{1,2}\.\s?\d{1,2}\.\s?\d{4}|\d{2}\.\d{2}\.\d{2}`,
].join('|');
const moment = String.raw`(?:${day})(?:[T:]|,?\s{1,3}(?:[^\s\d]{2,4}\s?)?)${clock}${halfDay}${zone}`;
const level = '(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC)';

/** A day and a time of day, wherever they come from: what follows may be anything. */
const stamps: readonly RegExp[] = [
  new RegExp(String.raw`^${unseen}[[(<]?${unseen}${moment}(?=[\])>\s,;:|-]|$)`, 'iu'),
  // Apache and nginx: 127.0.0.1 - - [11/Mar/2026:02:54:27 +0100]
  new RegExp(String.raw`^\S{2,60} \S{1,60} \S{1,60} \[\d{2}/${month}/\d{4}:\d{2}:\d{2}`, 'u'),
  // syslog (RFC 3164 and 5424) and ctime: Mar 11 02:54:27 host; <34>1 2026-03-11T02:54:27Z; Wed Mar 11 02:54:27 2026
  new RegExp(
    String.raw`^(?:<\d{1,3}>)?(?:\d )?\[?(?:[A-Z][a-z]{2},? )?(?:${month} {1,2}\d{1,2}|\d{1,2} ${month} \d{4})[ ,] ?\d{2}:\d{2}`,
    'u',
  ),
  /^<\d{1,3}>\d{0,2} ?\d{4}-\d{2}-\d{2}T/u,
  // glog: I0311 02:54:27.123; Android: 03-11 02:54:27.123  1234  1234 I
  /^[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d/u,
  /^\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3} /u,
  // Seconds since 1970 or since the start: 1773197667.123, [    12.345678]
  /^\[?1\d{9}(?:\d{3}|\.\d{1,9})?[\]:|,]?\s+\S/u,
  /^\[ {0,8}\d{1,8}\.\d{3,9}\] \S/u,
  // A time of day alone: [18:04:11], 18:04:11.123 INFO, [18:04] <ann>
  /^\[\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\] /u,
  /^\d{2}:\d{2}:\d{2}(?:[.,]\d{3,9})? \S/u,
  /^\d{1,2}:\d{2} <[^<>\s]{1,60}> /u,
  // A level alone: [INFO] Building, ERROR:root:gone, INFO     Started
  new RegExp(String.raw`^(?:\[\s?${level}\s?\]|${level}(?::(?=\S)|\s{2,}(?=\S)| \[))`, 'u'),
];
/** One object a line. */
const objectLine = /^\{"/u;
/** A day alone: a stamp where a neighbour begins with one too. */
const dayAlone = new RegExp(String.raw`^[[(]?(?:${day})(?=[\])\s:,;])`, 'iu');
/** What only logs and chats put right behind the day and time. */
const certain = new RegExp(
  String.raw`^${unseen}(?:\[${unseen}${moment}\]|${moment}(?:,\d{3})?(?:\s[-–]\s|\s(?:\|\s)?\s{0,4}\[?${level}\b))|^\S{2,60} \S{1,60} \S{1,60} \[\d{2}/${month}/\d{4}:|^(?:<\d{1,3}>)?${month} {1,2}\d{1,2} \d{2}:\d{2}:\d{2} \S`,
  'iu',
);
/** What begins an entry where the file is known to be a log: a day, a level, a counter. */
const inLogs = new RegExp(
  String.raw`^(?:\d{4}[-/.]\d{2}[-/.]\d{2}|\[?\d{2}[:/.]\d{2}[:/.]\d{2}|\[?${level}\b|\[?[\d.]{3,20}\])`,
  'u',
);
/** Lines of a trace: indented, or as the usual languages begin them. */
const continuation = /^(?:\s|Caused by:|at |\.\.\. \d|Traceback|\}|\])/u;

/** No stamp is longer. */
const longestStamp = 160;
const headOf = (line: string): string => line.slice(0, longestStamp);

/** Whether the line of a file that is a log begins an entry. */
export function beginsEntry(line: string): boolean {
  const head = headOf(line);
  return inLogs.test(head) || stamps.some((stamp) => stamp.test(head)) || objectLine.test(head);
}

/** Whether the line goes on with the entry above it, however the entries of the file begin. */
export const continuesEntry = (line: string): boolean => continuation.test(headOf(line));

/** How a line begins an entry: with what only logs and chats write, with a day and time or a level, with a day alone; or it is an object. */
type EntryMark = 'certain' | 'stamp' | 'day' | 'object';

/**
 * For each line of any text how it begins an entry, if it does: a stamp counts where there are two of them, or where what follows leaves no
 * doubt; a day alone beside another.
 */
export function entryMarks(lines: readonly string[]): readonly (EntryMark | undefined)[] {
  const heads = lines.map(headOf);
  const marks = heads.map((head, at): EntryMark | undefined => {
    if (objectLine.test(head) && lines[at]?.trimEnd().endsWith('}')) return 'object';
    if (!stamps.some((stamp) => stamp.test(head))) return dayAlone.test(head) ? 'day' : undefined;
    return certain.test(head) ? 'certain' : 'stamp';
  });
  const areSeveral = marks.filter((mark) => mark === 'stamp' || mark === 'certain').length >= 2;
  return marks.map((mark, at) => {
    if (mark === 'day') return marks[at - 1] === 'day' || marks[at + 1] === 'day' ? mark : undefined;
    return mark === 'stamp' && !areSeveral ? undefined : mark;
  });
}
