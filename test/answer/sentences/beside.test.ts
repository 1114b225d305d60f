// What further claims say nothing of what was asked, behind a first claim that answers.
import { describe, expect, it } from 'vitest';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { contextOf, type Passage } from '../../../testkit/evidence-of.ts';

const said = (question: string, ...passages: readonly Passage[]): readonly string[] =>
  composeAnswer({ question, context: contextOf(...passages) }).claims.map(({ text }) => text);

const boats: Passage = {
  id: 'boats',
  title: 'boats',
  text: [
    'Boat: Kestrel; Berth: 4; Length: 9 m; Built: 1961; State: laid up',
    'Boat: Heron; Berth: 7; Length: 12 m; Built: 1974; State: museum boat',
    'Boat: Osprey; Berth: 9; Length: 11 m; Built: 1980; State: at sea',
  ].join('\n'),
};

describe('behind the row of what is asked', () => {
  it('no row of another is said', () => {
    expect(said('How long is the Heron?', boats)).toEqual([boats.text.split('\n')[1]]);
    expect(said('When was the Osprey built?', boats)).toEqual([boats.text.split('\n')[2]]);
    expect(said('Which boat is a museum boat?', boats)).toEqual([boats.text.split('\n')[1]]);
  });

  it('figures tell rows apart as names do, also where several things are asked for', () => {
    const sales: Passage = {
      id: 'sales',
      title: 'sales',
      text: '| region | quarter | sales |\n|---|---|---|\n| Northmark | Q1 | 120 |\n| Northmark | Q2 | 135 |\n| Southmark | Q2 | 80 |',
    };
    expect(said('What were the sales in Northmark in Q2?', sales)).toEqual(['| Northmark | Q2 | 135 |']);
    expect(said('What were the sales in Q2?', sales).toSorted()).toEqual([
      '| Northmark | Q2 | 135 |',
      '| Southmark | Q2 | 80 |',
    ]);
  });
});

describe('behind a sure first claim', () => {
  const answer = 'The ferry Kestrel sank near Bexley in 1911 after a collision.';
  const log: Passage = {
    id: 'log',
    title: 'Log',
    score: 9,
    text: `${answer} The ferry had been repaired twice. Divers reached the wreck near Bexley years later.`,
  };
  const hall: Passage = { id: 'hall', title: 'Hall', score: 2, text: 'Market days are Tuesday and Friday.' };

  it('what repeats a few words of the question is left out, and what tells as much is kept', () => {
    const question = 'When did the ferry Kestrel sink near Bexley?';
    expect(said(question, log, hall)).toEqual([answer]);
    const again = 'The ferry Kestrel, which sank near Bexley, was never raised.';
    expect(said(question, { ...log, text: `${answer} The ferry had been repaired twice. ${again}` }, hall)).toEqual([
      answer,
      again,
    ]);
  });

  it('a reason goes on in the sentences that follow', () => {
    const reason = 'The ferry Kestrel sank near Bexley because its hull was rotten.';
    const more = 'The ferry had been repaired badly near Bexley.';
    expect(said('Why did the ferry Kestrel sink near Bexley?', { ...log, text: `${reason} ${more}` }, hall)).toEqual([
      reason,
      more,
    ]);
  });
});
