// What says what something is, and what only speaks of it.
import { describe, expect, it } from 'vitest';
import { definedIn, definitionFit, isDefinition, onlySpeaks } from '../../src/text/definitions.ts';

describe('what a question wants defined', () => {
  it.each([
    ['What is the Lighthouse Rule?', 'Lighthouse Rule'],
    ['Who is Ada Lovelace?', 'Ada Lovelace'],
    ['what is self-attention', 'self-attention'],
    ['What does "ebb tide" mean?', '"ebb tide"'],
    ['Define a trace tree.', 'trace tree'],
    ['What is a summary in the harbour manual?', 'summary'],
  ])('%s', (question, subject) => expect(definedIn(question)).toBe(subject));

  it.each([
    'What is Tides and Men about?',
    'How many berths are there?',
    'When was the quay built?',
    'Which tide is the highest?',
  ])('not: %s', (question) => expect(definedIn(question)).toBeUndefined());
});

describe('a definition', () => {
  it.each([
    ['What is a dolphin berth?', 'A dolphin berth is a mooring that stands apart from the quay.'],
    ['What is a dolphin berth?', 'Dolphin berths are the moorings of tankers.'],
    ['What is the tidal gate?', 'The tidal gate (TG) refers to the lock at the mouth of the river.'],
    ['What is backstop?', 'Backstop: a rope that keeps the boom from falling aft.'],
    ['What is TGC?', 'Tidal Gate Control (TGC) has emerged as a way of saving water.'],
    ['What is TGC?', 'Tidal Gate Control (TGC) is a way of saving water.'],
    ['Who is Mary Orr?', 'MARY ORR (mary.example), professor of law and of the sea at Anders, writes about berths.'],
    ['What is Quaymaster?', 'We call the resulting scheduling system Quaymaster.'],
    ['What is Quaymaster?', 'We propose a new scheduler, Quaymaster, based solely on tides.'],
    ['What is Quaymaster?', 'This paper introduces Quaymaster, which plans berths.'],
    ['What is slack water?', 'Slack water, sometimes called stand of tide is a short time without current.'],
    ['Who is Mary Orr?', 'Mary Orr, a pilot of this harbour, retired in 1999.'],
    ['What is Portline?', 'Portline Corporation is an operator of ferries.'],
    ['What is a tide table?', 'A tide ta-\nble is a list of high and low waters.'],
  ])('%s %s', (question, piece) => expect(isDefinition(definedIn(question) ?? '', piece)).toBe(true));

  it.each([
    ['What is a dolphin berth?', 'The tanker left the dolphin berth at noon.'],
    ['What is Quaymaster?', 'When a ship crosses the line, Quaymaster assigns a berth.'],
    ['What is Quaymaster?', 'A project called Quaymaster Pilot was cancelled.'],
    ['What is a tide?', 'The tide table is a list.'],
    ['What is Portline?', 'They call the outer basin of Portline.'],
  ])('not: %s %s', (question, piece) => expect(isDefinition(definedIn(question) ?? '', piece)).toBe(false));
});

it('reads a long passage where it speaks of the subject, also over the end of a line', () => {
  const filler = 'Nothing of it is told in these words, which go on for a while.\n'.repeat(20);
  const told = `${filler}A trans-\nformer is a network that attends to all of its input.\n${filler}`;
  expect(told.length).toBeGreaterThan(2000);
  expect(isDefinition('transformer', told)).toBe(true);
  expect(isDefinition('transformer', `${filler}They bought the transformer in May.\n${filler}`)).toBe(false);
});

describe('how something compares with its like', () => {
  const fits = (question: string, piece: string): number => definitionFit(definedIn(question) ?? '', piece);
  it('is no definition, and the less where a figure limits it', () => {
    const measured = fits('What is Quaymaster?', 'Quaymaster is the fastest scheduler on 9 of the 26 tides.');
    const plain = fits('What is Quaymaster?', 'Quaymaster is the most used scheduler of the coast.');
    const genus = fits('What is Quaymaster?', 'Quaymaster is a scheduler of berths.');
    expect(measured).toBe(onlySpeaks);
    expect(plain).toBeGreaterThan(measured);
    expect(genus).toBeGreaterThan(plain);
  });
  it.each(['Quaymaster is the west pier.', 'Quaymaster is the latest version of Berthmaster.'])('%s is', (piece) =>
    expect(fits('What is Quaymaster?', piece)).toBe(1),
  );
});
