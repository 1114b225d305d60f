// Who is spoken to, and days in figures.
import { describe, expect, it } from 'vitest';
import { analyzeQuestion } from '../../../src/answer/question/question.ts';
import { askedDates, datedTerms, isAddress } from '../../../src/answer/question/talk.ts';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { contextOf } from '../../../testkit/evidence-of.ts';

const addresses = (text: string, name: string): boolean =>
  isAddress(text, text.indexOf(name), text.indexOf(name) + name.length);

describe('isAddress', () => {
  it.each(['Wow, John! That is fine.', 'Hey John, how are you?', 'Thanks, John.', 'It was cold. John, are you there?'])(
    '%s',
    (text) => {
      expect(addresses(text, 'John')).toBe(true);
    },
  );
  it.each([
    '12:04 - John: I was there',
    'user: John\ntext: yes',
    'We saw John at the pier.',
    'The brother of John, who sails',
  ])('not: %s', (text) => {
    expect(addresses(text, 'John')).toBe(false);
  });
});

describe('datedTerms', () => {
  const said = (question: string, text: string): string[] => {
    const read = analyzeQuestion(question, 'en');
    return datedTerms(text, askedDates(read)).map((at) => read.terms[at]?.term ?? '');
  };
  it('finds the day of the question in figures', () => {
    expect(said('What did Ida send on 25 February, 2031?', '[2031-02-25 13:09] Ida: the key')).toEqual([
      '25',
      'februari',
      '2031',
    ]);
    expect(said('What did Ida send on 25 February, 2031?', '25/02/2031, 13:09 - Ida: the key')).toHaveLength(3);
    expect(said('What did Ida send in February 2031?', '2031-02-25T13:09:00')).toHaveLength(2);
  });
  it('and no other day', () => {
    expect(said('What did Ida send on 25 February, 2031?', '[2031-02-24 13:09] Ida: the key')).toEqual([]);
    expect(said('What did Ida send in 2031?', '2031-02-25')).toEqual([]);
  });
});

describe('an answer from a chat', () => {
  const chat = [
    '[2031-02-24 09:02] Tom: Ida, your learning of the organ sounds like fun!',
    '[2031-02-24 09:05] Ida: The organ of the chapel is out of tune',
    '[2031-02-25 09:04] Tom: Learning the lute is fun for me these days',
  ].join('\n');
  const first = (question: string): string | undefined =>
    composeAnswer({ question, context: contextOf({ id: 'a', title: 'Chat', text: chat, score: 9 }) }).claims[0]?.text;
  it('is by whom it is about', () => {
    expect(first('What is Tom learning for fun?')).toContain('the lute');
  });
  it('is of the day that was asked for', () => {
    expect(first('What did Tom say on 25 February 2031?')).toContain('the lute');
    expect(first('What did Ida say on 24 February 2031?')).toContain('The organ of the chapel');
  });
});
