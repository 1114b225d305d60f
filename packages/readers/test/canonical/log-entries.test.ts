// Lines that begin an entry: the stamps of the usual programs are known, and prose that begins a line with a date stays prose.
import { describe, expect, it } from 'vitest';
import { beginsEntry, continuesEntry, entryMarks } from '../../src/canonical/log-entries.ts';
import { segmentPieces } from '../../testkit/program.ts';

const stamped = [
  '2026-03-11 02:54:27,210 INFO [worker-3] order accepted',
  '2026-03-11T02:54:27.210Z order accepted',
  '2026-03-11T02:54:27+01:00 order accepted',
  '2026/03/11 02:54:27 [error] 31#0: upstream timed out',
  '[2026-03-11 02:54:27] local.ERROR: gone',
  'Mar 11 02:54:27 nas01 kernel: mounted',
  'Mar  9 02:54:27 nas01 smartd[811]: sectors',
  '<34>1 2026-03-11T02:54:27Z host app - - - gone',
  'Wed Mar 11 02:54:27 2026 started',
  '127.0.0.1 - - [11/Mar/2026:02:54:27 +0100] "GET / HTTP/1.1" 200 12',
  '2001:db8::1 - ann [11/Mar/2026:02:54:27 +0100] "GET / HTTP/1.1" 200 12',
  'I0311 02:54:27.123456 812 main.cc:31] started',
  '03-11 02:54:27.123  1234  1240 I Wifi: joined',
  '1773197667.123 gone',
  '[   12.345678] usb 1-1: new device',
  '[INFO] Building shop 1.0',
  'ERROR:root:it is gone',
  'INFO     Started server process',
  '[05.03.25, 18:32:11] Simone: the lamp is here',
  '\u200e[05.03.25, 18:32:11] Simone: \u200eimage omitted',
  '[3/12/25, 6:04:11\u202fPM] Ann: hello',
  '3/12/25, 6:04 PM - Ann: hello',
  '12/03/2026, 18:07 - Petra: We meet at 6:40',
  '12.03.26, 18:07 - Petra: hallo',
  '2026/3/11 下午6:04 - 安: 好',
  '2026. 3. 11. 오후 6:04, 안나 : 안녕',
  '[11-Mar-26 06:04 PM] ann#1234',
  '[18:04] <ann> hello',
  '18:04 <ann> hello',
];

describe('the beginning of an entry', () => {
  it.each(stamped)('is %s', (line) => {
    expect(entryMarks([line, line])).toEqual([expect.anything(), expect.anything()]);
  });

  it('is no date that a wrapped line of prose begins with', () => {
    const prose = [
      'The bridge was closed again on',
      '2026-03-11 and the inspection took place on',
      'Monday. It was opened at 10:30 on',
      '12.03.2026 by the mayor.',
      'ERROR messages are written in red, and',
      'INFO is grey. Version 1.2.10 of the program',
      '1.2.11 does not.',
      '10:30 is when the ferry leaves.',
      'Mar 11 was a Wednesday.',
    ];
    expect(entryMarks(prose).filter(Boolean)).toEqual([]);
    expect(segmentPieces(prose.join('\n')).some(({ kind }) => kind === 'entry')).toBe(false);
  });

  it('is a single stamp where what follows leaves no doubt', () => {
    expect(entryMarks(['2026-03-11 02:54:27,210 ERROR refused'])).toEqual(['certain']);
    expect(entryMarks(['12/03/2026, 18:07 - Petra: We meet'])).toEqual(['certain']);
    expect(entryMarks(['2026-03-11 18:07 was the time.'])).toEqual([undefined]);
  });

  it('is a day alone beside another one', () => {
    expect(entryMarks(['05.02.2026 REWE 23,40', '06.02.2026 Aral 51,00'])).toEqual(['day', 'day']);
    expect(entryMarks(['05.02.2026 REWE 23,40', 'and so on'])).toEqual([undefined, undefined]);
  });

  it('is looser in a file that is a log', () => {
    for (const line of ['2026-03-11 started', 'ERROR it is gone', '[12.5] tick', ...stamped.slice(0, 5)])
      expect(beginsEntry(line), line).toBe(true);
    expect(beginsEntry('OSError: [Errno 122] Disk quota exceeded')).toBe(false);
    for (const line of [
      '  File "index.py", line 88',
      '\tat shop.Order.pay(Order.java:31)',
      'Caused by: x',
      'Traceback (most',
    ])
      expect(continuesEntry(line), line).toBe(true);
  });

  it('takes linear time', () => {
    const from = process.cpuUsage();
    for (const part of ['1', '1.', '[', '\u200e', '2026-03-11 ', 'a ', ' ', '<1>', 'INFO'])
      entryMarks([part.repeat(400_000 / part.length), part.repeat(400_000 / part.length)]);
    expect(process.cpuUsage(from).user).toBeLessThan(2_000_000);
  });
});

describe('pieces of logs and chats', () => {
  const pieces = (text: string): string[] => segmentPieces(text).map(({ start, end }) => text.slice(start, end));

  it('are entries, each with its trace and the lines that its message is wrapped over', () => {
    const log = [
      '2026-03-11 02:54:27,210 INFO  [worker-3] order 81210 accepted in 8 ms',
      '2026-03-11 02:54:31,001 ERROR [worker-0] order 81211 refused: card expired',
      'Traceback (most recent call last):',
      '  File "pay.py", line 88, in charge',
      'CardError: expired',
      '2026-03-11 02:54:40,121 INFO  [worker-1] order 81212 accepted in 9 ms',
    ];
    expect(pieces(log.join('\n'))).toEqual([log[0], log.slice(1, 5).join('\n'), log[5]]);
    const chat = [
      '12/03/2026, 18:15 - Tomasz: My car only takes three people. Sorry!',
      'The back seat is broken',
      '12/03/2026, 18:20 - Petra: OK',
    ];
    expect(pieces(chat.join('\n'))).toEqual([chat.slice(0, 2).join('\n'), chat[2]]);
  });

  it('are cut where an entry is too long, and end at a blank line', () => {
    const words = (word: string, count: number): string => Array.from({ length: count }, () => word).join(' ');
    const text = `12/03/2026, 18:15 - Tomasz: ${words('one', 30)}. ${words('Two', 30)}.\n\nAfterwards it rained.`;
    expect(pieces(text)).toEqual([
      `12/03/2026, 18:15 - Tomasz: ${words('one', 30)}.`,
      `${words('Two', 30)}.`,
      'Afterwards it rained.',
    ]);
  });

  it('leave the rows of a table to the table', () => {
    const kinds = (text: string): string[] => segmentPieces(text).map(({ kind }) => kind);
    expect(kinds('Time | Salinity | Depth\n2026-03-11 02:00 | 5.6 | 12\n2026-03-11 03:00 | 5.7 | 12')).toEqual([
      'row',
      'row',
      'row',
    ]);
    expect(
      kinds('2026-03-11 02:54:27.210 | INFO | app:main:10 - up\n2026-03-11 02:54:28.210 | INFO | app:main:10 - down'),
    ).toEqual(['entry', 'entry']);
  });
});
