// What the extractive answer reads of tables and records: rows with their header, records with the line that names them, heads of messages last.
import { describe, expect, it } from 'vitest';
import { headersOf, joinRecords } from '../../../src/answer/extract/joined-pieces.ts';
import { narrowToPassages } from '../../../src/answer/extract/passages.ts';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { segmentPieces } from '../../../src/text/sentences.ts';
import { contextOf, evidenceOf } from '../../../testkit/evidence-of.ts';

const joined = (text: string): string[] =>
  joinRecords(text, segmentPieces(text)).map(({ start, end }) => text.slice(start, end));
const firstClaim = (question: string, text: string): string | undefined =>
  composeAnswer({ question, context: contextOf({ id: 'a', text }), language: 'en' }).claims[0]?.text;

const event = (name: string, when: string, host: string): string =>
  `${name}\n\nWhen: ${when} 10:00 – 11:30\nWhere: Room ${host.length}\nOrganizer: ${host}`;
const calendar = [
  event('Budget workshop', '2027-01-10', 'Ann Lee'),
  event('Harbour review', '2027-02-11', 'Jane Doe'),
  event('Security hearing', '2027-03-12', 'Tom Brandt'),
].join('\n\n');

describe('joinRecords', () => {
  it('makes one piece of a record and the line that names it', () => {
    expect(joined(calendar)).toEqual(calendar.split(/\n\n(?=\w+ (?:review|hearing))/u));
  });
  it('leaves rows with their names, prose and long records alone', () => {
    const rows = 'Station | Depth\nStation: Q1; Depth: 5\nStation: Q2; Depth: 6';
    expect(joined(rows)).toEqual(rows.split('\n'));
    const prose = 'It rained. Then we left.\nNote: the boat was late.';
    expect(joined(prose)).toEqual(segmentPieces(prose).map(({ start, end }) => prose.slice(start, end)));
    const long = `Card\n\n${Array.from({ length: 40 }, (_, at) => `Field ${at}: value ${at}`).join('\n')}`;
    expect(joined(long).length).toBeGreaterThan(1);
  });
  it('marks the head of a message, without its subject', () => {
    const mail =
      'Lease\n\nFrom: Ann <a@b.org>\nTo: Jane <j@b.org>\nDate: 3 Mar 2026\n\nThe lease expires on 4 May 2028.';
    const pieces = joinRecords(mail, segmentPieces(mail));
    const heads = pieces.filter(({ isMessageHead }) => isMessageHead);
    expect(heads.map(({ start, end }) => mail.slice(start, end)).join('\n')).toBe(
      mail.slice(7, mail.indexOf('\n\nThe')),
    );
    expect(heads).toHaveLength(1);
  });
});

describe('headersOf', () => {
  it('takes years for names, figures for data', () => {
    const text = 'Item | 2021 | 2022\nRent | 3.5 | 4.1\nTravel | 7.0 | 9.9';
    const pieces = segmentPieces(text);
    expect([...headersOf(pieces, text).values()].map(({ start, end }) => text.slice(start, end))).toEqual([
      'Item | 2021 | 2022',
      'Item | 2021 | 2022',
    ]);
    const headless = 'Rent | 3.5 | 4.1\nTravel | 7.0 | 9.9';
    expect(headersOf(segmentPieces(headless), headless).size).toBe(0);
    for (const rows of [
      'Town: Oslo; Mayor: Ann Lee\nTown: Turin; Mayor: Ida Moss',
      'MS A | 13:32 | P5\nMS B | 14:10 | P7',
    ])
      expect(headersOf(segmentPieces(rows), rows).size).toBe(0);
  });

  it('takes what Markdown marks for names, whatever stands below', () => {
    const text = '| Format | What is kept |\n|---|:---|\n| PDF | text with pages |\n| Mail | people, dates |';
    const pieces = segmentPieces(text);
    const [header] = new Set(headersOf(pieces, text).values());
    expect(text.slice(header?.start, header?.end)).toBe('| Format | What is kept |');
    const plain = text.replace('|---|:---|\n', '');
    expect(headersOf(segmentPieces(plain), plain).size).toBe(0);
  });
});

describe('the first claim', () => {
  it.each([
    ['When is the Harbour review?', '2027-02-11'],
    ['Who is the organizer of the Security hearing?', 'Tom Brandt'],
    ['Where does the Budget workshop take place?', 'Room 7'],
  ])('is the right record: %s', (question, answer) => {
    expect(firstClaim(question, calendar)).toContain(answer);
  });
  it('is the row and not its header, though the header has the year', () => {
    const table =
      'Item | 2021 | 2022 | 2023\nRent | 3.51 | 4.12 | 5.13\nTravel | 7.04 | 9.95 | 8.26\nRepairs | 6.07 | 2.98 | 1.19';
    expect(firstClaim('What was travel in 2022?', table)).toBe('Travel | 7.04 | 9.95 | 8.26');
  });
  it('is the sentence and not the date of the message, unless the message is asked about', () => {
    const mail =
      'Retention of the audit log\n\nFrom: Ann Lee <a@b.org>\nTo: Jane Doe <j@b.org>\nDate: 3 Mar 2026 09:10:00 +0000\n\nDear Jane,\n\nas agreed, the retention period of the log ends on 31 March 2028.';
    expect(firstClaim('When does the retention period of the audit log end?', mail)).toContain('31 March 2028');
    const lease =
      'Lease of Jane Doe\n\nFrom: Ann Lee <a@b.org>\nTo: Jane Doe <j@b.org>\nDate: 3 Mar 2026 09:10:00 +0000\n\nDear Jane,\n\nthe lease ends on 4 May 2028.';
    expect(firstClaim('When does the lease of Jane Doe from Ann Lee of 3 March end?', lease)).toContain('4 May 2028');
    expect(firstClaim('Who wrote the mail to Jane Doe on 3 March 2026 from Ann Lee?', mail)).toContain('Ann Lee');
  });
});

describe('narrowToPassages', () => {
  it('keeps a row that lies far below the names of its columns', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `MS Number${at} | 13:${10 + at} | P${100 + at}`);
    const text = `Ferries run daily from each pier.\n\nFerry | Departure | Pier\n\n${rows.join('\n')}`;
    const options = {
      passageTokens: 150,
      passagesPerChunk: 1,
      countTokens: (part: string) => Math.ceil(part.length / 4),
    };
    const [passage] = narrowToPassages(
      'From which pier does the Number44 leave?',
      [evidenceOf({ id: 'a', text })],
      options,
    );
    expect(passage?.text).toContain('MS Number44 |');
  });
  it('keeps a record with the line that names it', () => {
    const text = Array.from({ length: 40 }, (_, at) =>
      event(`Course${at} workshop`, '2027-01-10', `Host${at} Lee`),
    ).join('\n\n');
    const options = {
      passageTokens: 120,
      passagesPerChunk: 1,
      countTokens: (part: string) => Math.ceil(part.length / 4),
    };
    const [passage] = narrowToPassages(
      'Who is the organizer of the Course30 workshop?',
      [evidenceOf({ id: 'a', text })],
      options,
    );
    expect(passage?.text).toContain('Host30 Lee');
  });
});
