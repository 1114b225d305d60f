// What a title or heading says to be of another number than the one asked for is told apart from what is of that number, or of none.
import { describe, expect, it } from 'vitest';
import { ofOtherNumber } from '../../../src/answer/extract/other-numbers.ts';

const passage = (title: string, text = '', headingPath: readonly string[] = []) => ({
  title,
  text,
  uri: 'a.txt',
  headingPath,
});
const isOther = (question: string, titles: readonly string[], one: string, text = 'Deposit: 450.00 EUR') =>
  ofOtherNumber(
    question,
    [...titles, one].map((title) => passage(title)),
    'en',
  )?.(text, passage(one));

describe('what is of another number', () => {
  it.each([
    ['What is the deposit of contract 8841?', ['Contract 8841'], 'Contract 8814'],
    ['What is the deposit of contract 8841?', ['8841.pdf'], 'Contract 8814 (draft)'],
    ['What was the deposit in 2031?', ['Accounts 2031'], 'Accounts 2030'],
    ['What is the deposit for the Osprey 5?', ['Rates of the Osprey 5'], 'Rates of the Osprey 6'],
    ['What does article 7 say?', ['Article 7'], 'Article 8'],
    ['What is the deposit of lease AB-1042?', ['Lease AB-1042'], 'Lease AB-1043'],
    ['What is the deposit and rent of contract 8841?', ['Contract 8841'], 'Contract 8814'],
  ])('%s', (question, titles, one) => {
    expect(isOther(question, titles, one)).toBe(true);
    expect(isOther(question, [...titles, one], titles[0] as string)).toBe(false);
  });

  it('is told by a heading as by a title', () => {
    const [asked, other] = [passage('Book', '', ['Room 412']), passage('Book', '', ['Room 421'])];
    const test = ofOtherNumber('How many chairs are in room 412?', [asked, other], 'en');
    expect([test('12 chairs.', asked), test('14 chairs.', other)]).toEqual([false, true]);
  });

  it.each([
    [
      'nothing carries the number that was asked for',
      'What is the deposit of contract 8841?',
      ['Lease'],
      'Contract 8814',
    ],
    ['both are asked for', 'What are the deposits of contracts 8841 and 8814?', ['Contract 8841'], 'Contract 8814'],
    ['both short ones are asked for', 'What do the Osprey 5 or 6 cost?', ['Osprey 5'], 'Osprey 6'],
    ['both are asked for in the plural', 'What do articles 7 and 8 say?', ['Article 7'], 'Article 8'],
    ['what is beside it is asked for', 'What was the deposit before 2031?', ['Accounts 2031'], 'Accounts 2030'],
    ['the title names no number', 'What is the deposit of contract 8841?', ['Contract 8841'], 'Deposits'],
    ['its number counts something else', 'What is the deposit of contract 8841?', ['Contract 8841'], 'Room 412'],
    ['a measure is asked for', 'Which room has 450 chairs?', ['Room of 450 chairs'], 'Room of 300 chairs'],
  ])('is not told where %s', (_, question, titles, one) => {
    expect(isOther(question, titles, one)).toBe(false);
  });

  it('is not what names the number in its own words', () => {
    const own = 'This contract replaces contract 8841.';
    expect(isOther('What replaced contract 8841?', ['Contract 8841'], 'Contract 8814', own)).toBe(false);
  });
});
