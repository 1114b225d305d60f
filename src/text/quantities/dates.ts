// Finds dates in text: full and partial dates, years, decades, centuries, eras and clock times, in English, German and
// the year-month-day form of Chinese and Japanese. A mention holds only what is written: "March 1990" has no day.
// Ambiguous day/month orders keep both readings. Linear time.
import type { SourceSpan } from '../../core/document.ts';

export interface DateMention extends SourceSpan {
  readonly text: string;
  /** Negative before Christ. The first year of a decade or century when `precision` says so. */
  readonly year?: number;
  /** 1..12 */
  readonly month?: number;
  /** 1..31 */
  readonly day?: number;
  /** Minutes after midnight, for clock times. */
  readonly minutes?: number;
  readonly precision: 'time' | 'day' | 'month' | 'year' | 'decade' | 'century';
  /** True for four digits without any sign that they are a year. */
  readonly bareYear: boolean;
  /** The other reading of 03/04/2020. */
  readonly alternative?: { readonly month: number; readonly day: number };
}

const months: Readonly<Record<string, number>> = {};
const monthNames = [
  'january jan januar jänner',
  'february feb februar',
  'march mar märz',
  'april apr',
  'may mai',
  'june jun juni',
  'july jul juli',
  'august aug',
  'september sep sept',
  'october oct oktober okt',
  'november nov',
  'december dec dezember dez',
];
for (const [index, names] of monthNames.entries())
  for (const name of names.split(' ')) (months as Record<string, number>)[name] = index + 1;

/** 1..12 for the name or abbreviation of a month (English, German), else undefined. */
export function monthOf(word: string): number | undefined {
  const lower = word.toLowerCase().replace(/\.$/u, '');
  return Object.hasOwn(months, lower) ? months[lower] : undefined;
}

const month = `(?<month>${monthNames
  .flatMap((names) => names.split(' '))
  .sort((a, b) => b.length - a.length)
  .join('|')})`;
const day = '(?<day>[0-3]?\\d)';
const year = '(?<year>[12]\\d{3})';
const ordinalWords =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth';
const centuryOf = new Map(`zeroth|${ordinalWords}`.split('|').map((word, index) => [word, index]));
centuryOf.set('twenty-first', 21);

type Build = (
  groups: Record<string, string | undefined>,
  text: string,
) => Omit<DateMention, 'start' | 'end' | 'text'> | undefined;
const number = (text: string | undefined): number | undefined =>
  text === undefined || text === '' ? undefined : Number(text);

function calendar(
  yearValue: number | undefined,
  monthValue: number | undefined,
  dayValue: number | undefined,
): ReturnType<Build> {
  if (monthValue !== undefined && (monthValue < 1 || monthValue > 12)) return undefined;
  if (dayValue !== undefined && (dayValue < 1 || dayValue > 31)) return undefined;
  return {
    ...(yearValue === undefined ? {} : { year: yearValue }),
    ...(monthValue === undefined ? {} : { month: monthValue }),
    ...(dayValue === undefined ? {} : { day: dayValue }),
    precision: dayValue !== undefined ? 'day' : monthValue !== undefined ? 'month' : 'year',
    bareYear: false,
  };
}

const isBefore = (era: string | undefined): boolean => era !== undefined && /^(?:b|v)/iu.test(era);
const era = '(?<era>BCE?|B\\.C\\.(?:E\\.)?|CE|C\\.E\\.|AD|A\\.D\\.|v\\. ?Chr\\.|n\\. ?Chr\\.)';

const forms: readonly (readonly [RegExp, Build])[] = [
  [
    /(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?!\d)/duy,
    (g) => calendar(number(g['year']), number(g['month']), number(g['day'])),
  ],
  [
    /(?<year>\d{3,4})\s?年(?:\s?(?<month>\d{1,2})\s?月(?:\s?(?<day>\d{1,2})\s?[日号號])?)?/duy,
    (g) => calendar(number(g['year']), number(g['month']), number(g['day'])),
  ],
  [
    /(?<month>\d{1,2})\s?月\s?(?<day>\d{1,2})\s?[日号號]/duy,
    (g) => calendar(undefined, number(g['month']), number(g['day'])),
  ],
  [
    new RegExp(
      `${day}(?:st|nd|rd|th|\\.)?(?: of| day of)? ${month}(?:\\.|(?!\\p{L}))(?:,? (?:of )?${year}(?!\\d))?`,
      'diyu',
    ),
    (g) => calendar(number(g['year']), monthOf(g['month'] as string), number(g['day'])),
  ],
  [
    new RegExp(
      `${month}(?:\\.|(?!\\p{L}))(?: the)? ${day}(?:st|nd|rd|th)?(?!\\d|[.,:]\\d)(?:(?:,| of)? ${year}(?!\\d))?`,
      'diyu',
    ),
    (g, text) =>
      /^ma[yr] /u.test(text) ? undefined : calendar(number(g['year']), monthOf(g['month'] as string), number(g['day'])),
  ],
  [
    new RegExp(`${month}(?:\\.|(?!\\p{L})),?(?: of)? ${year}(?!\\d)`, 'diyu'),
    (g) => calendar(number(g['year']), monthOf(g['month'] as string), undefined),
  ],
  [
    /(?<a>\d{1,2})\/(?<b>\d{1,2})\/(?<year>\d{4}|\d\d)(?!\d|\/)/duy,
    (g) => {
      const [a, b] = [Number(g['a']), Number(g['b'])];
      const full =
        (g['year'] as string).length === 2
          ? Number(g['year']) + (Number(g['year']) < 50 ? 2000 : 1900)
          : Number(g['year']);
      const first = calendar(full, a, b) ?? calendar(full, b, a);
      if (!first || a > 12 || b > 12 || a === b) return first;
      return { ...first, alternative: { month: b, day: a } };
    },
  ],
  [
    /(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})(?!\d)/duy,
    (g) => calendar(number(g['year']), number(g['month']), number(g['day'])),
  ],
  [
    new RegExp(
      `(?<n>\\d{1,2}(?:st|nd|rd|th)?\\.?|${ordinalWords}|twenty-first)[- ](?:century|centuries|Jahrhunderts?)(?: ${era})?`,
      'diyu',
    ),
    (g) => {
      const text = (g['n'] as string).toLowerCase();
      const n = /^\d/u.test(text) ? Number.parseInt(text, 10) : centuryOf.get(text);
      if (n === undefined || n < 1 || n > 40) return undefined;
      return { year: isBefore(g['era']) ? -n * 100 : (n - 1) * 100, precision: 'century', bareYear: false };
    },
  ],
  [
    /(?<year>1\d\d0|20\d0)(?:'|’)?(?:s(?!\p{L})|er(?!\p{L}))/duy,
    (g) => ({ year: Number(g['year']), precision: 'decade', bareYear: false }),
  ],
  [
    /['’](?<year>[2-9]0)s(?!\p{L})/duy,
    (g) => ({ year: 1900 + Number(g['year']), precision: 'decade', bareYear: false }),
  ],
  [
    new RegExp(`(?<year>\\d{1,2},\\d{3}|\\d{1,5}) ?${era}(?!\\p{L})`, 'dyu'),
    (g) => {
      const value = Number((g['year'] as string).replace(',', ''));
      return { year: isBefore(g['era']) ? -value : value, precision: 'year', bareYear: false };
    },
  ],
  [
    /(?:AD|A\.D\.|CE) ?(?<year>\d{1,4})(?!\d)/duy,
    (g) => ({ year: Number(g['year']), precision: 'year', bareYear: false }),
  ],
  [
    /(?<hour>[012]?\d)(?:[:.](?<minute>[0-5]\d)(?::[0-5]\d)?)? ?(?<half>a\.m\.|p\.m\.|am|pm|AM|PM)(?!\p{L})/duy,
    (g) => {
      const hour = Number(g['hour']);
      if (hour < 1 || hour > 12) return undefined;
      const late = /^p/iu.test(g['half'] as string);
      return {
        minutes: ((hour % 12) + (late ? 12 : 0)) * 60 + Number(g['minute'] ?? 0),
        precision: 'time',
        bareYear: false,
      };
    },
  ],
  [
    /(?<hour>[012]?\d):(?<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])/duy,
    (g) => {
      const hour = Number(g['hour']);
      return hour > 23 ? undefined : { minutes: hour * 60 + Number(g['minute']), precision: 'time', bareYear: false };
    },
  ],
  [
    new RegExp(`${year}(?![\\d]|[.,]\\d|[ -]?(?:%|percent))`, 'dyu'),
    (g) => ({ year: Number(g['year']), precision: 'year', bareYear: true }),
  ],
  [
    new RegExp(`${month}(?!\\p{L})`, 'diyu'),
    (g, text) =>
      /^\p{Lu}/u.test(text) && !/^(?:May|Mar|Jan|Jun|August|April|Dec|Dez|Sep)$/u.test(text)
        ? calendar(undefined, monthOf(g['month'] as string), undefined)
        : undefined,
  ],
];

const candidate = /[\p{L}\d'’]+/gu;
const letterStart =
  /^(?:jan|feb|jän|m[aä]r|apr|ma[yi]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|ad|ce|a$|first|second|third|fou|fif|six|sev|eig|nin|ten|ele|twe|thi)/iu;

/**
 * Dates, years, decades, centuries and clock times in `text`, in order, never overlapping. A year range such as
 * "1914–18" gives two mentions. Offsets are UTF-16 code units.
 */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function findDates(text: string): DateMention[] {
  const found: DateMention[] = [];
  let from = 0;
  candidate.lastIndex = 0;
  for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
    const at = match.index;
    if (at < from) continue;
    const word = match[0];
    const digits = /\d/u.test(word[0] as string) || /^['’]\d/u.test(word);
    if (!digits && !letterStart.test(word)) continue;
    if (
      digits &&
      at > 0 &&
      /[\p{L}\d]|(?<=\d)[.,]|(?<=\p{L})[-_]/u.test(text[at - 1] as string) &&
      !/(?:mid|pre|post|early|late|ca|c)[-.]?$/iu.test(text.slice(Math.max(0, at - 6), at)) &&
      !/[\p{Script=Han}]/u.test(text[at - 1] as string)
    )
      continue;
    if (digits && /[$€£¥]\s?$/u.test(text.slice(Math.max(0, at - 2), at))) continue;
    for (const [form, build] of forms) {
      form.lastIndex = at;
      const hit = form.exec(text);
      if (!hit) continue;
      const fields = build(hit.groups ?? {}, hit[0]);
      if (!fields) continue;
      const end = at + hit[0].length;
      found.push({ start: at, end, text: hit[0], ...fields });
      from = end;
      // "1914–18", "1914-1918"
      const tail =
        fields.precision === 'year' && (fields.year ?? 0) > 0
          ? /^[-–—/](\d{4}|\d\d)(?![\d-])/u.exec(text.slice(end, end + 6))
          : null;
      if (tail) {
        const short = tail[1] as string;
        const value =
          short.length === 4 ? Number(short) : Math.floor((fields.year as number) / 100) * 100 + Number(short);
        if (value >= (fields.year as number) && value < 2200) {
          found.push({
            start: end + 1,
            end: end + tail[0].length,
            text: short,
            year: value,
            precision: 'year',
            bareYear: true,
          });
          from = end + tail[0].length;
        }
      }
      candidate.lastIndex = Math.max(from, candidate.lastIndex);
      if (candidate.lastIndex > from && from < at + word.length) candidate.lastIndex = from;
      break;
    }
  }
  return found;
}

/** True if everything `claim` says about the date is said by `quote` too; the claim may be coarser, never finer. */
export function dateCovers(quote: DateMention, claim: DateMention): boolean {
  if (claim.precision === 'time' || quote.precision === 'time')
    return claim.precision === quote.precision && claim.minutes === quote.minutes;
  if (claim.precision === 'decade' || claim.precision === 'century') {
    const width = claim.precision === 'decade' ? 10 : 100;
    if (claim.year === undefined || quote.year === undefined) return false;
    if (quote.precision === 'century' && claim.precision === 'decade') return false;
    return quote.year >= claim.year && quote.year < claim.year + width;
  }
  if (quote.precision === 'decade' || quote.precision === 'century') return false;
  if (claim.year !== undefined && claim.year !== quote.year) return false;
  const agree = (month: number | undefined, day: number | undefined): boolean =>
    (claim.month === undefined || claim.month === month) && (claim.day === undefined || claim.day === day);
  return (
    agree(quote.month, quote.day) ||
    (quote.alternative !== undefined && agree(quote.alternative.month, quote.alternative.day))
  );
}
