// iCalendar (RFC 5545): each event, task and journal entry as a record with its times as they are written (zone included), its place `event 2`, its
// people and its recurrence in words. Nothing is expanded; alarms and definitions of time zones are left out.

import { canonicalText, paragraphBlocks, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { type JoinedText, joinText } from '../canonical/joined-text.ts';
import type { Metadata } from '../document.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { htmlPiece, looksLikeHtml } from '../web/html-piece.ts';
import { type CalendarComponent, type ContentLine, readComponents, unescapeText } from './calendar-lines.ts';
import { recurrenceWords } from './calendar-recurrence.ts';

const kinds: Readonly<Record<string, string>> = { VEVENT: 'event', VTODO: 'task', VJOURNAL: 'entry' };
const maxPeople = 200;

export const calendar: Parser = {
  name: 'calendar',
  mimes: ['text/calendar'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name);
    const components = readComponents(source);
    if (components === undefined)
      throw new ReadError('invalid-media', `${input.name} has no BEGIN:VCALENDAR: it is no calendar. Export it again.`);
    const joined = joinText();
    const counts = new Map<string, number>();
    const starts: string[] = [];
    const head = components.find(({ kind }) => kind === 'VCALENDAR');
    const method = head === undefined ? '' : textOf(head, 'METHOD');
    for (const component of components) {
      const kind = kinds[component.kind];
      if (kind === undefined) continue;
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      joined.at(`${kind} ${number}`);
      addEntry(joined, component, method);
      const start = day(lineOf(component, 'DTSTART')?.value);
      if (start !== undefined) starts.push(start);
    }
    const document = joined.finish();
    if (counts.size === 0)
      throw new ReadError(
        'invalid-media',
        `${input.name} holds no event, task or entry, only ${components.some(({ kind }) => kind === 'VFREEBUSY') ? 'times that are free or busy' : 'definitions'}. Export the calendar itself.`,
      );
    requireText(document.text, input.name);
    const name = head === undefined ? undefined : textOf(head, 'X-WR-CALNAME') || textOf(head, 'NAME');
    const metadata: Metadata = Object.fromEntries(
      [...counts].map(([kind, count]) => [kind === 'entry' ? 'entries' : `${kind}s`, count]),
    );
    starts.sort();
    return parsedDocument({
      ...document,
      mime: 'text/calendar',
      title: name || (counts.get('event') === 1 ? document.headings[0]?.title : undefined),
      metadata: {
        ...metadata,
        ...(starts.length === 0 ? {} : { firstStart: starts[0] ?? '', lastStart: starts.at(-1) ?? '' }),
        ...(method === '' ? {} : { method }),
      },
      warnings,
    });
  },
};

const lineOf = ({ lines }: CalendarComponent, name: string): ContentLine | undefined =>
  lines.find((line) => line.name === name);
const linesOf = ({ lines }: CalendarComponent, name: string): ContentLine[] =>
  lines.filter((line) => line.name === name);
const textOf = (component: CalendarComponent, name: string): string =>
  canonicalText(unescapeText(lineOf(component, name)?.value ?? '')).trim();

function addEntry(joined: JoinedText, component: CalendarComponent, method: string): void {
  joined.put('heading', textOf(component, 'SUMMARY'), 1);
  const rules = linesOf(component, 'RRULE').map(({ value }) => recurrenceWords(value, dateText) ?? value);
  const facts: readonly (readonly [string, string])[] = [
    ['When', when(component)],
    ['Instead of', timeText(lineOf(component, 'RECURRENCE-ID'))],
    ['Due', timeText(lineOf(component, 'DUE'))],
    ['Repeats', rules.join('; ')],
    ['Except', linesOf(component, 'EXDATE').map(timesText).join(', ')],
    ['Also on', linesOf(component, 'RDATE').map(timesText).join(', ')],
    ['Where', textOf(component, 'LOCATION')],
    ['Organizer', person(lineOf(component, 'ORGANIZER'))],
    ['Attendees', linesOf(component, 'ATTENDEE').slice(0, maxPeople).map(attendee).filter(Boolean).join(', ')],
    ['Contact', listText(component, 'CONTACT')],
    ['Resources', listText(component, 'RESOURCES')],
    // Who calls something off need not say so in the event (RFC 5546 §3.2.5).
    ['Status', textOf(component, 'STATUS').toLowerCase() || (/^cancel$/iu.test(method) ? 'cancelled' : '')],
    ['Completed', timeText(lineOf(component, 'COMPLETED'))],
    ['Categories', listText(component, 'CATEGORIES')],
    ['Link', lineOf(component, 'URL')?.value.trim() ?? ''],
    ['Conference', conferenceOf(component)],
    ['Attachments', linesOf(component, 'ATTACH').slice(0, maxPeople).map(attachmentText).filter(Boolean).join(', ')],
  ];
  joined.put(
    'record',
    facts
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${value.replace(/\s+/gu, ' ').trim()}`)
      .join('\n'),
  );
  for (const name of ['DESCRIPTION', 'COMMENT']) {
    const text = textOf(component, name);
    if (looksLikeHtml(text)) joined.add(htmlPiece(text), 1);
    else joined.add({ text, headings: [], blocks: paragraphBlocks(text) });
  }
}

/** From when to when; a day's end is written as the day after (§3.6.1), and read as the day itself. */
function when(component: CalendarComponent): string {
  const start = lineOf(component, 'DTSTART');
  if (start === undefined) return '';
  const end = lineOf(component, 'DTEND');
  const from = timeText(start);
  if (end === undefined) {
    const duration = durationText(lineOf(component, 'DURATION')?.value ?? '');
    return duration === '' ? from : `${from}, for ${duration}`;
  }
  if (/^\d{8}$/u.test(end.value.trim())) {
    const last = dayBefore(end.value.trim());
    return last === day(start.value) || last === undefined ? from : `${from} – ${last}`;
  }
  const to = timeText(end);
  const isSameDay = day(start.value) === day(end.value) && zoneOf(start) === zoneOf(end);
  const zone = zoneOf(start);
  const bare = (text: string): string => (zone === '' ? text : text.slice(0, -zone.length - 3));
  if (!isSameDay) return `${from} – ${to}`;
  return `${bare(from)} – ${bare(to).slice(11)}${zone === '' ? '' : ` (${zone})`}`;
}

const moment = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/u;

/** `20240506T100000Z` as `2024-05-06 10:00 UTC`; what is no time stays as it is. */
function dateText(value: string): string {
  const found = moment.exec(value.trim());
  if (found === null) return value.trim();
  const [, year, month, date, hour, minute, , utc] = found;
  return `${year}-${month}-${date}${hour === undefined ? '' : ` ${hour}:${minute}${utc === undefined ? '' : ' (UTC)'}`}`;
}

const day = (value: string | undefined): string | undefined => {
  const found = moment.exec((value ?? '').trim());
  return found === null ? undefined : `${found[1]}-${found[2]}-${found[3]}`;
};

function dayBefore(value: string): string | undefined {
  const written = day(value);
  const milliseconds = written === undefined ? Number.NaN : Date.parse(`${written}T00:00:00Z`);
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds - 86_400_000).toISOString().slice(0, 10);
}

/** Programs put the address of their tables before the name: `/freeassociation.sourceforge.net/Europe/Berlin`. */
const zoneName = ({ parameters: { TZID: zone = '' } }: ContentLine): string =>
  zone.startsWith('/') ? zone.split('/').slice(-2).join('/') : zone;

const zoneOf = (line: ContentLine): string => (line.value.trim().endsWith('Z') ? 'UTC' : zoneName(line));

function timeText(line: ContentLine | undefined): string {
  if (line === undefined) return '';
  const zone = zoneName(line);
  const text = dateText(line.value);
  return zone === '' || text.endsWith('(UTC)') || !text.includes(':') ? text : `${text} (${zone})`;
}

function timesText(line: ContentLine): string {
  return line.value
    .split(',')
    .map((value) => {
      // A period has an end or a length (§3.3.9).
      const [start = '', end] = value.split('/');
      const from = timeText({ ...line, value: start });
      if (end === undefined) return from;
      return /^[+-]?P/u.test(end.trim())
        ? `${from}, for ${durationText(end)}`
        : `${from} – ${timeText({ ...line, value: end })}`;
    })
    .join(', ');
}

function durationText(value: string): string {
  const found = /^[+-]?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/u.exec(value.trim());
  if (found === null) return '';
  const names = ['week', 'day', 'hour', 'minute', 'second'];
  return names
    .map((name, index) => ({ name, count: found[index + 1] }))
    .filter(({ count }) => count !== undefined && count !== '0')
    .map(({ name, count }) => `${count} ${name}${count === '1' ? '' : 's'}`)
    .join(' ');
}

const listText = (component: CalendarComponent, name: string): string =>
  linesOf(component, name)
    .slice(0, maxPeople)
    .map(({ value }) => unescapeText(value))
    .join(', ');

/** Where to dial in: RFC 7986 §5.11, and what Google and Microsoft write for it. */
const conferenceNames = ['CONFERENCE', 'X-GOOGLE-CONFERENCE', 'X-MICROSOFT-SKYPETEAMSMEETINGURL'];
const conferenceOf = (component: CalendarComponent): string =>
  [...new Set(conferenceNames.flatMap((name) => linesOf(component, name).map(({ value }) => value.trim())))].join(', ');

/** The address of what is attached, or its name where it lies in the file itself. */
function attachmentText({ value, parameters }: ContentLine): string {
  const name = (parameters['FILENAME'] ?? parameters['X-FILENAME'] ?? parameters['X-LABEL'] ?? '').trim();
  const isInside = parameters['VALUE']?.toUpperCase() === 'BINARY' || /^(?:data|cid):/iu.test(value);
  const address = isInside ? '' : value.trim();
  return name === '' || address === '' ? name || address : `${name} <${address}>`;
}

/** What people answered (§3.2.12); that an answer is still missing is not said. */
const answers = new Set(['ACCEPTED', 'DECLINED', 'TENTATIVE', 'DELEGATED']);
function attendee(line: ContentLine): string {
  const answer = line.parameters['PARTSTAT']?.toUpperCase() ?? '';
  const who = person(line);
  return who !== '' && answers.has(answer) ? `${who} (${answer.toLowerCase()})` : who;
}

function person(line: ContentLine | undefined): string {
  if (line === undefined) return '';
  const address = line.value.trim().replace(/^mailto:/iu, '');
  const name = line.parameters['CN']?.trim();
  return name === undefined || name === '' || name === address ? address : `${name} <${address}>`;
}
