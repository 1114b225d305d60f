// Times that questions name, on a fixed day, by hand-made answers.
import { describe, expect, it } from 'vitest';
import { calendarOf } from '../../../../src/memory/archive/time/calendar.ts';
import { readWhen } from '../../../../src/memory/archive/time/when.ts';

/** A Saturday. */
const nowMs = Date.parse('2024-11-23T12:00:00Z');
const calendar = calendarOf('UTC');
const day = (ms: number | undefined): string => (ms === undefined ? '' : new Date(ms).toISOString().slice(0, 10));

const cases: readonly (readonly [question: string, from: string, to: string])[] = [
  ['What did I say in 2021?', '2021-01-01', '2022-01-01'],
  ['What did we discuss before 2022?', '', '2022-01-01'],
  ['What happened after 2022?', '2023-01-01', ''],
  ['What changed since March 2023?', '2023-03-01', ''],
  ['What did I plan in March 2024?', '2024-03-01', '2024-04-01'],
  ['What did I plan in early March?', '2024-03-01', '2024-04-01'],
  ['Who called on March 5?', '2024-03-05', '2024-03-06'],
  ['Who called on 5 December?', '2023-12-05', '2023-12-06'],
  ['What was decided on 2024-02-29?', '2024-02-29', '2024-03-01'],
  ['What did I read last spring?', '2024-03-01', '2024-06-01'],
  ['What did I read in spring 2023?', '2023-03-01', '2023-06-01'],
  ['What did I read in the summer of 2022?', '2022-06-01', '2022-09-01'],
  ['What was the plan for Q3 2023?', '2023-07-01', '2023-10-01'],
  ['Summarise the first half of 2022', '2022-01-01', '2022-07-01'],
  ['Which books did I mention in the 1990s?', '1990-01-01', '2000-01-01'],
  ['What did I ask yesterday?', '2024-11-22', '2024-11-23'],
  ['What did I ask last week?', '2024-11-11', '2024-11-18'],
  ['What did I ask last month?', '2024-10-01', '2024-11-01'],
  ['What did I ask last weekend?', '2024-11-16', '2024-11-18'],
  ['What did I ask three months ago?', '2024-08-01', '2024-09-01'],
  ['What did I ask 10 days ago?', '2024-11-13', '2024-11-14'],
  ['What did I ask in the past two years?', '2022-01-01', '2024-11-24'],
  ['What was said between June 2022 and August 2023?', '2022-06-01', '2023-09-01'],
  ['What was said from 3 May 2023 to 7 May 2023?', '2023-05-03', '2023-05-08'],
  ['What did we talk about between November and February?', '2023-11-01', '2024-03-01'],
  ['What did we talk about between 2024 and 2022?', '2022-01-01', '2025-01-01'],
  ['What did we talk about between March 2023 and January 2023?', '2023-01-01', '2023-04-01'],
  ['What did I tell you last Tuesday?', '2024-11-19', '2024-11-20'],
  ['Who came around Christmas 2022?', '2022-12-18', '2023-01-03'],
];

describe('a time in a question', () => {
  it.each(cases)('%s', (question, from, to) => {
    const when = readWhen(question, { calendar, nowMs });
    expect([day(when?.fromMs), day(when?.toMs)]).toEqual([from, to]);
    expect(question).toContain(when?.phrase);
  });

  it.each([
    'Is the Model 2022 printer any good?',
    'What may I eat?',
    'Which springs fit the sofa?',
    'Who marched along?',
    'Where is ticket 9999-99?',
  ])('is not in: %s', (question) => {
    expect(readWhen(question, { calendar, nowMs })).toBeUndefined();
  });

  it('is of the archive’s own past where that ended long ago', () => {
    const lastMs = Date.parse('2015-07-10T00:00:00Z');
    const when = readWhen('What did I read last spring?', { calendar, nowMs, lastMs });
    expect([day(when?.fromMs), day(when?.toMs)]).toEqual(['2015-03-01', '2015-06-01']);
  });
});
