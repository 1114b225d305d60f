// Where to and where from.
import { describe, expect, it } from 'vitest';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { contextOf } from '../../../testkit/evidence-of.ts';

const first = (question: string, text: string): string | undefined =>
  composeAnswer({ question, context: contextOf({ id: 'log', title: 'Log', text }) }).claims[0]?.text;

describe('a move', () => {
  const away = 'The Harbour League moved its office from Bexley to Arlow on 26 February 1986, with all its boats.';
  const there = 'In January 1979 the Harbour League moved its office to Bexley.';

  it('to a place is not the one from there', () => {
    for (const text of [`${away} ${there}`, `${there} ${away}`]) {
      expect(first('When did the Harbour League move its office to Bexley?', text)).toBe(there);
      expect(first('When did the Harbour League move its office from Bexley?', text)).toBe(away);
    }
  });

  it('is told by what names the place without a direction', () => {
    const text = 'The Harbour League reached Bexley in 1979. The Harbour League moved from Bexley in 1986.';
    expect(first('When did the Harbour League come to Bexley?', text)).toBe(
      'The Harbour League reached Bexley in 1979.',
    );
  });
});
