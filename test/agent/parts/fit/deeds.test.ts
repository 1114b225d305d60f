// Who did something is told by what says that it was done, of the very thing where several say so.
import { describe, expect, it } from 'vitest';
import { deedAsked, isOfThing, saysDeed, saysDoer } from '../../../../src/agent/parts/fit/deeds.ts';
import { createTaken } from '../../../../src/agent/parts/taken.ts';
import type { VerifiedClaim } from '../../../../src/answer/claims/draft.ts';

const says = (question: string, said: string): boolean | undefined => {
  const deed = deedAsked(question);
  return deed && saysDeed(deed, said);
};

describe('deeds', () => {
  it('are asked for by a verb behind "who", and by whom', () => {
    expect(deedAsked('Who founded Acme Pumps?')).toEqual({ verb: 'founded', object: 'Acme Pumps' });
    expect(deedAsked('Who helped design the hall?')).toEqual({ verb: 'design', object: 'the hall' });
    expect(deedAsked('By whom was the hall built?')).toEqual({ verb: 'built', object: 'the hall' });
    for (const asked of ['Who is the chair?', 'Who works there?', 'Who must sign it?', 'What founded Acme?'])
      expect(deedAsked(asked), asked).toBeUndefined();
  });

  it.each([
    ['Who founded Acme?', 'Acme was set up in 1978 by eleven families.'],
    ['Who chaired the meeting?', 'Present: Ada Brook (chair), Tim Lane'],
    ['Who runs the mill?', 'The mill is managed by Ada Brook.'],
    ['Who wrote the book?', 'Its author is Ada Brook.'],
    ['Who owns Bolt?', 'In 2004 Ada Brook purchased Bolt.'],
    ['Who led the attack on the fort?', 'Under Ada Brook they attacked the fort.'],
    ['Who audits Acme?', 'The appointment of Brook LLP was ratified.'],
  ])('%s is told by "%s"', (asked, said) => {
    expect(says(asked, said)).toBe(true);
  });

  it.each([
    ['Who founded Acme?', 'Acme carries passengers between Ardley and Bexley.'],
    ['Who chaired the meeting?', 'Minutes of the meeting of the board, Ardley Town Hall'],
    ['Who organises the regatta?', 'The regatta begins at Ardley Bridge.'],
  ])('%s is not told by "%s"', (asked, said) => {
    expect(says(asked, said)).toBe(false);
  });

  it('may be done by whoever has no name', () => {
    expect(saysDoer('It was set up in 1978 by eleven fishing families.')).toBe(true);
    expect(saysDoer('It was founded in 1978 by the sea.')).toBe(true);
    expect(saysDoer('It stands by the sea.')).toBe(false);
  });

  it('of the thing itself come before those of others that are told where it is spoken of', () => {
    const claim = (text: string): VerifiedClaim =>
      ({ text, spans: [], support: 1, relevance: 1 }) as unknown as VerifiedClaim;
    const merged = 'In 1974 Acme Line merged with Acme Tours, a firm founded by Tim Lane.';
    const own = 'Acme Line was a shipping firm founded in 1960 by Ada Brook.';
    const taken = createTaken('Who founded Acme Line?', { most: 2, isAbout: () => true, evidence: () => [] });
    for (const text of [merged, own]) taken.take(claim(text));
    expect(taken.claims.map(({ text }) => text)).toEqual([own, merged]);
    const before = 'Ada Brook was a member, and once vice chair, until June 2016.';
    const appointed = 'She was appointed to that position on 6 June 2016.';
    const timed = createTaken('When was Ada Brook appointed chair?', {
      most: 2,
      isAbout: () => true,
      evidence: () => [],
    });
    for (const text of [before, appointed]) timed.take(claim(text));
    expect(timed.claims.map(({ text }) => text)).toEqual([appointed, before]);
    expect(isOfThing({ verb: 'founded', object: 'the Acme Line' }, 'Ada Brook founded Acme Line.')).toBe(true);
  });
});
