// Whose sentence it is, and what it says: tables of sentences as documents write them.
import { describe, expect, it } from 'vitest';
import { createReadAbout, type Standing } from '../../../src/agent/analyse/about.ts';
import { type Cue, cuesIn, strongestCue } from '../../../src/agent/analyse/cues.ts';
import { createNaming, isHeadOf } from '../../../src/agent/analyse/naming.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

const acme = { name: 'Acme Robotics', others: ['Beta Drives'], isTopic: false };

/** How each sentence of the text stands to Acme Robotics. */
function standings(text: string, over: { title?: string; headingPath?: string[] } = {}): Record<string, Standing> {
  const evidence = { ...evidenceOf({ id: 'a', text }), title: 'A text', headingPath: [], ...over };
  const read = createReadAbout(acme, [evidence]);
  return Object.fromEntries(read(evidence).map(({ start, end, standing }) => [text.slice(start, end), standing]));
}

describe('whose a sentence is', () => {
  it.each<[string, string, Standing | undefined]>([
    ['named first', 'Acme Robotics has loyal customers.', 'named'],
    ['named with its legal form', 'Acme Robotics Ltd. has loyal customers.', 'named'],
    ['named behind a lead', 'In 2024, Acme Robotics won an award.', 'named'],
    ['set against another first', 'Unlike Beta Drives, Acme Robotics has no debt.', 'named'],
    ['of the other, set against it', 'Unlike Acme Robotics, Beta Drives has no debt.', 'beside'],
    ['of the other, named behind', 'Beta Drives is cheaper than Acme Robotics.', 'beside'],
    ['of what is its own', "Acme Robotics' main strength is its price.", 'named'],
    ['of its own rivals', "Acme Robotics's main rivals have lower prices.", 'beside'],
    ['of its rivals', 'Rivals of Acme Robotics have lower prices.', 'beside'],
    ['of a longer name', 'Acme Robotics Foods has loyal customers.', undefined],
    ['of another that begins alike', 'Acme Foods has loyal customers.', undefined],
    ['of nobody', 'Prices are low.', undefined],
    ['of another', 'Corvid has the best margins.', undefined],
  ])('%s', (_, sentence, standing) => {
    expect(standings(sentence)[sentence]).toBe(standing);
  });

  const own = { title: 'Acme Robotics: annual report 2025' };
  it.each<[string, string, Standing | undefined]>([
    ['without a name', 'Profits rose by 4 %.', 'meant'],
    ['by a pronoun', 'Its margin is high.', 'meant'],
    ['by its first word', 'Acme has loyal customers.', 'named'],
    ['of a place', 'The plant in Leeds lacks space.', 'meant'],
    ['of an unknown name', 'Corvid has the best margins.', undefined],
    ['of an unknown name behind a lead', 'In Europe, Corvid leads with 40 %.', undefined],
    ['of a name behind a place', 'In Spain Corvid leads with 40 %.', undefined],
    ['of a name that a clause explains', 'Analysts prefer Corvid, which has low prices.', undefined],
    ['of what a rival means for it', 'The main threat is Corvid, whose arms cost half as much.', 'meant'],
    ['of what it lacks', 'A weakness is that it has no support.', 'meant'],
    ['of a rival', 'The main competitor has low prices.', 'beside'],
  ])('in a text about it, %s', (_, sentence, standing) => {
    expect(standings(sentence, own)[sentence]).toBe(standing);
  });

  it('goes on about whom the sentence before was about, and no further than the paragraph', () => {
    const text =
      'Acme Robotics sells arms. It has patents. Beta Drives sells drives. It has debt.\n\nThe company has dealers.';
    expect(standings(text)).toEqual({ 'Acme Robotics sells arms.': 'named', 'It has patents.': 'meant' });
    expect(standings(text, own)['The company has dealers.']).toBe('meant');
  });

  it('is another’s under a heading that names another', () => {
    const text = '## Corvid Systems\n\nFor years Corvid Systems has had low prices. It is slow.';
    expect(standings(text, own)).toEqual({});
    expect(standings('## Plants\n\nIt is slow.', own)).toEqual({ 'It is slow.': 'meant' });
  });

  it('quotes the sentence before with "it"', () => {
    const text = 'Acme Robotics sells arms. It has patents.';
    const evidence = { ...evidenceOf({ id: 'a', text }), title: 'A text', headingPath: [] };
    expect(createReadAbout(acme, [evidence])(evidence).map(({ from }) => from)).toEqual([0, 0]);
  });

  it('of a market is told by its words', () => {
    const bikes = createReadAbout({ name: 'electric bikes market', others: [], isTopic: true }, []);
    const told = (title: string, text: string) =>
      bikes({ ...evidenceOf({ id: 'a', text }), title, headingPath: [] }).length;
    expect(told('Electric bikes', 'Sales grew by 4 %.')).toBe(1);
    expect(told('Traffic', 'Electric bikes sold well.')).toBe(1);
    expect(told('Electric scooters', 'Sales grew by 4 %.')).toBe(0);
  });
});

describe('names', () => {
  it('are completed by the titles where these agree', () => {
    const named = (titles: readonly string[], text: string) => createNaming('Acme', titles).named(text).length;
    expect(named(['Acme Robotics report'], 'Acme Robotics grew.')).toBe(1);
    expect(named(['Acme Robotics report', 'Acme Foods'], 'Acme Robotics grew.')).toBe(0);
  });

  it.each([
    ['Annual Report of Acme Robotics', true],
    ['acme-robotics-report.md', true],
    ['Acme Robotics vs Beta Drives', false],
    ['Why customers leave Acme Robotics', false],
    ['Beta Drives and Acme Robotics', false],
  ])('in a title: %s', (title, isOwn) => {
    expect(isHeadOf(title, createNaming('Acme Robotics'))).toBe(isOwn);
  });
});

describe('what a sentence says', () => {
  const among: readonly Cue[] = ['strengths', 'weaknesses', 'opportunities', 'threats'];
  it.each<[string, Cue | undefined]>([
    ['It won an award.', 'strengths'],
    ['It has no debt.', 'strengths'],
    ['It is not profitable.', 'weaknesses'],
    ['It lacks engineers.', 'weaknesses'],
    ['It has no spell checker.', 'weaknesses'],
    ['The bike comes without lights.', 'weaknesses'],
    ['It does not support Linux.', 'weaknesses'],
    ['It has no rivals in the region.', undefined],
    ['It has no hidden fees.', undefined],
    ['It works without a network.', undefined],
    ['It could expand into Spain.', 'opportunities'],
    ['A lawsuit threatens it.', 'threats'],
    ['It was founded in 1998.', undefined],
    ['It grew.', undefined],
  ])('%s', (sentence, cue) => {
    expect(strongestCue(cuesIn(sentence, []), among)?.cue).toBe(cue);
  });

  it('is told by the heading where its words do not', () => {
    expect(strongestCue(cuesIn('Many dealers.', ['SWOT', 'Strengths']), among)?.cue).toBe('strengths');
  });
});
