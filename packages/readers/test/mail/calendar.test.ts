// What calendars say of meetings that are answered, moved and called off, and how older and bare ones are written.
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

async function parse(name: string, lines: readonly string[]) {
  const document = await parseFile({ name, bytes: Buffer.from(lines.join('\r\n')) });
  expectWellFormed(document);
  return document;
}
const event = (lines: readonly string[], method: readonly string[] = []): string[] => [
  ...['BEGIN:VCALENDAR', ...method, 'BEGIN:VEVENT', 'SUMMARY:Tides', 'DTSTART:20240506T100000Z'],
  ...[...lines, 'END:VEVENT', 'END:VCALENDAR'],
];

describe('events', () => {
  it('say who accepted and who declined', async () => {
    const { text } = await parse(
      'a.ics',
      event([
        'ATTENDEE;CN=Ann;PARTSTAT=ACCEPTED:mailto:ann@a.org',
        'ATTENDEE;PARTSTAT=declined:mailto:bo@a.org',
        'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:cy@a.org',
      ]),
    );
    expect(text).toContain('Attendees: Ann <ann@a.org> (accepted), bo@a.org (declined), cy@a.org');
  });

  it('that are called off say so, and those that were moved say from when', async () => {
    expect((await parse('a.ics', event([], ['METHOD:CANCEL']))).text).toContain('Status: cancelled');
    expect((await parse('a.ics', event(['STATUS:CONFIRMED'], ['METHOD:REQUEST']))).text).toContain('Status: confirmed');
    const moved = await parse('a.ics', event(['RECURRENCE-ID;TZID=/a.org/Tz/Europe/Berlin:20240507T120000']));
    expect(moved.text).toContain('Instead of: 2024-05-07 12:00 (Europe/Berlin)');
  });

  it('say further times, with their ends', async () => {
    const { text } = await parse(
      'a.ics',
      event(['RDATE;VALUE=PERIOD:20240507T100000Z/20240507T110000Z,20240508T100000Z/PT30M', 'RDATE:20240509T100000Z']),
    );
    expect(text).toContain(
      'Also on: 2024-05-07 10:00 (UTC) – 2024-05-07 11:00 (UTC), 2024-05-08 10:00 (UTC), for 30 minutes, 2024-05-09 10:00 (UTC)',
    );
  });

  it('name what is attached and where to dial in, but not what lies in them', async () => {
    const { text } = await parse(
      'a.ics',
      event([
        'ATTACH;FILENAME=plan.pdf:https://a.org/1',
        'ATTACH;VALUE=BINARY;ENCODING=BASE64;X-FILENAME=map.png:aGVsbG8=',
        'ATTACH;VALUE=BINARY;ENCODING=BASE64:d29ybGQ=',
        'X-GOOGLE-CONFERENCE:https://meet.a.org/x',
        'RESOURCES:Projector',
      ]),
    );
    expect(text).toContain(
      'Resources: Projector\nConference: https://meet.a.org/x\nAttachments: plan.pdf <https://a.org/1>, map.png',
    );
    expect(text).not.toContain('d29ybGQ');
  });
});

describe('calendars', () => {
  it('of version 1.0 have their quoted values read', async () => {
    const document = await parse('a.vcs', [
      ...['BEGIN:VCALENDAR', 'VERSION:1.0', 'BEGIN:VEVENT'],
      ...['SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Gr=FC=', '=DFe', 'DTSTART:20240506T100000'],
      ...['DESCRIPTION;QUOTED-PRINTABLE:Line 1=0D=0ALine 2', 'END:VEVENT', 'END:VCALENDAR'],
    ]);
    expect(document.mime).toBe('text/calendar');
    expect(document.text).toBe('Grüße\n\nWhen: 2024-05-06 10:00\n\nLine 1\nLine 2');
  });

  it('are read without the lines around their entries', async () => {
    const document = await parse('a.ics', ['BEGIN:VTODO', 'SUMMARY:Paint', 'DUE:20240506', 'END:VTODO']);
    expect(document.text).toBe('Paint\n\nDue: 2024-05-06');
    expect(document.places.map(({ label }) => label)).toEqual(['task 1']);
  });

  it('are read where each line was ended twice on the way', async () => {
    const lines = [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'SUMMARY:Low ',
      ' water',
      'DTSTART:20240506T100000Z',
      'END:VEVENT',
    ];
    const document = await parse('a.ics', [lines.join('\r\r\n')]);
    expect(document.text).toBe('Low water\n\nWhen: 2024-05-06 10:00 (UTC)');
  });

  it('without entries say what they hold', async () => {
    const empty = (kind: string) =>
      parse('a.ics', ['BEGIN:VCALENDAR', `BEGIN:${kind}`, `END:${kind}`, 'END:VCALENDAR']);
    await expect(empty('VTIMEZONE')).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('only definitions'),
    });
    await expect(empty('VFREEBUSY')).rejects.toMatchObject({ message: expect.stringContaining('free or busy') });
  });
});
