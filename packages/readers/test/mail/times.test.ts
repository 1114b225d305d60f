import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../src/document.ts';
import { recurrenceWords } from '../../src/mail/calendar-recurrence.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const parse = async (name: string, lines: readonly string[]): Promise<ParsedDocument> => {
  const document = await parseFile({ name, bytes: Buffer.from(lines.join('\r\n')) });
  expectWellFormed(document);
  return document;
};
const places = ({ text, places: found }: ParsedDocument): string[] =>
  found.map(({ label, start, end }) => `${label}: ${text.slice(start, end)}`);

describe('calendars', () => {
  it('have events with times, zones, people and recurrence', async () => {
    const document = await parse('a.ics', [
      'BEGIN:VCALENDAR',
      'X-WR-CALNAME:Team',
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      String.raw`SUMMARY:Planning\, part 1`,
      'DTSTART;TZID=Europe/Berlin:20240506T100000',
      'DTEND;TZID=Europe/Berlin:20240506T113000',
      'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20241231',
      'ORGANIZER;CN="Lee, Ann":mailto:ann@a.org',
      String.raw`DESCRIPTION:Bring it.\n\nThen we`,
      '  decide.',
      'BEGIN:VALARM',
      'DESCRIPTION:Alarm!',
      'END:VALARM',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'SUMMARY:Fair',
      'DTSTART;VALUE=DATE:20240601',
      'DTEND;VALUE=DATE:20240604',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'SUMMARY:Call',
      'DTSTART:20240602T090000Z',
      'DURATION:PT1H30M',
      'END:VEVENT',
      'BEGIN:VTODO',
      'SUMMARY:Write',
      'DUE;VALUE=DATE:20240607',
      'STATUS:NEEDS-ACTION',
      'END:VTODO',
      'END:VCALENDAR',
    ]);
    expect(places(document)).toEqual([
      'event 1: Planning, part 1\n\nWhen: 2024-05-06 10:00 – 11:30 (Europe/Berlin)\nRepeats: every 2 weeks on Monday and Wednesday, until 2024-12-31\nOrganizer: Lee, Ann <ann@a.org>\n\nBring it.\n\nThen we decide.',
      'event 2: Fair\n\nWhen: 2024-06-01 – 2024-06-03',
      'event 3: Call\n\nWhen: 2024-06-02 09:00 (UTC), for 1 hour 30 minutes',
      'task 1: Write\n\nDue: 2024-06-07\nStatus: needs-action',
    ]);
    expect(document).toMatchObject({
      title: 'Team',
      metadata: { events: 3, tasks: 1, firstStart: '2024-05-06', lastStart: '2024-06-02' },
    });
  });

  it('are refused without a calendar in them', async () => {
    await expect(parse('a.ics', ['SUMMARY:x'])).rejects.toMatchObject({ code: 'invalid-media' });
    await expect(parse('a.ics', ['BEGIN:VCALENDAR', 'END:VCALENDAR'])).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it.each([
    ['FREQ=DAILY', 'every day'],
    ['FREQ=MONTHLY;BYDAY=2TU', 'every month on the second Tuesday'],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      'every month on the last Monday, Tuesday, Wednesday, Thursday and Friday',
    ],
    ['FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=-1;COUNT=3', 'every year on the last day in May, 3 times'],
    ['FREQ=OFTEN', undefined],
  ])('say %s in words', (rule, words) => {
    expect(recurrenceWords(rule, (value) => value)).toBe(words);
  });
});

describe('subtitles', () => {
  it('of SubRip are what is said, by its times', async () => {
    const document = await parse('a.srt', [
      '1',
      '00:00:01,000 --> 00:00:03,000',
      '<i>Hello</i> there.',
      '',
      '2',
      '00:00:03,500 --> 00:00:05,000',
      'General',
      'Kenobi.',
      '3',
      '00:01:02,000 --> 00:01:04,000',
      '{\\an8}You are 5 < 6.',
    ]);
    expect(document.text).toBe('Hello there.\nGeneral\nKenobi.\n\nYou are 5 < 6.');
    expect(places(document)).toEqual([
      '00:00:01: Hello there.',
      '00:00:03: General\nKenobi.',
      '00:01:02: You are 5 < 6.',
    ]);
    expect(document.blocks).toHaveLength(2);
    expect(document.metadata).toEqual({ cues: 3, duration: '00:01:04' });
  });

  it('of WebVTT name their speakers and leave notes out', async () => {
    const document = await parse('a.vtt', [
      'WEBVTT - Talk',
      '',
      'NOTE not this',
      '',
      '01:02.000 --> 01:03.000 align:start',
      '<v Ann Lee>Tea &amp; milk</v>',
    ]);
    expect(places(document)).toEqual(['00:01:02: Ann Lee: Tea & milk']);
    expect(document.title).toBe('Talk');
  });

  it('are refused where nothing has a time', async () => {
    await expect(parse('a.srt', ['words'])).rejects.toMatchObject({ code: 'invalid-media' });
  });
});

describe('logs', () => {
  it('have entries with their traces', async () => {
    const document = await parse('a.log', [
      '2024-05-06 10:00:00 INFO start',
      '2024-05-06 10:00:01 ERROR failed',
      'java.lang.Error: x',
      '\tat a.b(C.java:1)',
      '',
      '[INFO] end',
    ]);
    expect(document.blocks.map(({ start, end }) => document.text.slice(start, end))).toEqual([
      '2024-05-06 10:00:00 INFO start',
      '2024-05-06 10:00:01 ERROR failed\njava.lang.Error: x\n\tat a.b(C.java:1)',
      '[INFO] end',
    ]);
    expect(document.citeByLine).toBe(true);
  });

  it('without times have a line for each entry', async () => {
    expect((await parse('a.log', ['one', 'two', '  more'])).blocks).toHaveLength(2);
  });
});
