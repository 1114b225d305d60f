// What a first claim lacks that no right one does, and what confidence makes of it.
import { describe, expect, it } from 'vitest';
import { closestBelow } from '../../../src/answer/confidence.ts';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { contextOf } from '../../../testkit/evidence-of.ts';

const confidenceOf = (question: string, ...texts: readonly string[]): number =>
  composeAnswer({
    question,
    context: contextOf(...texts.map((text, at) => ({ id: `c${at}`, text, title: `Note ${at}` }))),
  }).confidence;

describe('a first claim', () => {
  const founding = 'The Harbour League was founded by nine captains who could not agree on a price for berths.';

  it('without a time is not the answer to "when"', () => {
    expect(confidenceOf('When was the Harbour League founded?', founding)).toBeLessThan(closestBelow);
    expect(confidenceOf('When was the Harbour League founded?', `In 1911 ${founding}`)).toBeGreaterThan(closestBelow);
    expect(
      confidenceOf('When was the Harbour League founded?', 'The Harbour League was founded after the great storm.'),
    ).toBeGreaterThan(closestBelow);
  });

  it('of a document that never names whom the question names is of another', () => {
    const office =
      'The head office of the company is located at One Quay Street in Port Anders, by the old lighthouse.';
    const other = 'Zorvex makes lamps. Zorvex sells them.';
    expect(confidenceOf('Where is the head office of Zorvex located?', office, other)).toBeLessThan(closestBelow);
    expect(
      confidenceOf('Where is the head office of Zorvex located?', `Zorvex makes lamps. ${office}`, other),
    ).toBeGreaterThan(closestBelow);
  });

  it('without the name of a place, or of a region alone, is not where somebody has its seat', () => {
    const question = 'Where is Zorvex based?';
    for (const text of [
      'Zorvex is a streaming service. Its European headquarters are based in Amsterdam.',
      'The office of Zorvex for Europe, based in Amsterdam, employs 900 people.',
      'The EMEA operations of Zorvex are based in Amsterdam.',
    ])
      expect(confidenceOf(question, text)).toBeLessThan(closestBelow);
    expect(
      confidenceOf(question, 'Zorvex is based in Los Gatos, California. Its European team is based in Amsterdam.'),
    ).toBeGreaterThan(closestBelow);
    expect(
      confidenceOf('Where is the EMEA team of Zorvex based?', 'The EMEA team of Zorvex is based in Amsterdam.'),
    ).toBeGreaterThan(closestBelow);
  });

  it('of no period is not the figure of the one that accounts are asked for', () => {
    const question = 'What was the gross margin of the Lumora lamp business before taxes and interest in Q2?';
    const margin = 'gross margin of the Lumora lamp business before taxes and interest was 31 percent.';
    expect(confidenceOf(question, `The ${margin}`)).toBeLessThan(closestBelow);
    expect(confidenceOf(question, `In the second quarter the ${margin}`)).toBeGreaterThan(closestBelow);
  });

  it('with a figure and nothing of what is counted is not the answer to "how many"', () => {
    const price = 'The Lumora 4 lamp is brighter than the Lumora 3 lamp and 97 euros cheaper.';
    const question = 'How many switches does the Lumora 4 lamp have?';
    expect(confidenceOf(question, price)).toBeLessThan(closestBelow);
    expect(confidenceOf(question, `${price.slice(0, -1)}, and has 12 switches.`)).toBeGreaterThan(closestBelow);
    expect(confidenceOf('How many times did Polonia win the cup?', 'Polonia won the cup twice.')).toBeGreaterThan(
      closestBelow,
    );
  });

  it('that has no word of a thing does not say what it is', () => {
    const page = '# Zorvex\n\nConstruct a graph of the rows of the ledger, and ask it in plain words.';
    expect(confidenceOf('What is Zorvex?', page)).toBeLessThan(closestBelow);
  });

  it('that only speaks of a thing is less sure to say what it is', () => {
    const question = 'What is a mooring warp?';
    const speaking = confidenceOf(question, 'Each mooring warp must be checked in spring.');
    const saying = confidenceOf(question, 'A mooring warp is a rope that holds a boat to the quay.');
    expect(speaking).toBeLessThanOrEqual(0.7);
    expect(saying).toBeGreaterThan(speaking);
  });

  it('of a table says what its columns name, of whom it names', () => {
    const towns =
      '| town | people | founded |\n|---|---|---|\n| Port Anders | 4,210 | 1840 |\n| Arlow | 1,905 | 1872 |\n| Bexley | 730 | 1901 |';
    for (const question of [
      'Who is the mayor of Arlow?',
      'Which town was founded in 1955?',
      'How many people live in Brenning and Arlow?',
    ])
      expect(confidenceOf(question, towns)).toBeLessThan(closestBelow);
    expect(confidenceOf('How many people live in Arlow?', towns)).toBeGreaterThan(closestBelow);
    expect(confidenceOf('Which town was founded in 1901?', towns)).toBeGreaterThan(closestBelow);
  });

  it('is of others where some name of the question stands nowhere', () => {
    const ferry = 'The ferry Kestrel reaches Bexley at 18:40 every evening.';
    expect(confidenceOf('When does the ferry Kestrel reach Bexley?', ferry)).toBeGreaterThan(closestBelow);
    expect(confidenceOf('When does the ferry Kestrel reach Northmark?', ferry)).toBeLessThan(closestBelow);
  });

  it('is not judged by names where every noun is written as one', () => {
    const text = 'Die alte Mole am Nordufer ist 340 Meter lang und wurde im Jahr 1872 gebaut.';
    expect(confidenceOf('Wie lang ist das Bauwerk am Nordufer, die alte Mole?', text)).toBeGreaterThan(closestBelow);
  });

  it('is of another time where the year or version of the question stands nowhere', () => {
    const regatta = 'The Kestrel regatta of Port Anders was won by Edith Mora.';
    expect(confidenceOf('Who won the Kestrel regatta of Port Anders in 1931?', regatta)).toBeLessThan(closestBelow);
    expect(
      confidenceOf('Who won the Kestrel regatta of Port Anders in 1931?', `${regatta.slice(0, -1)} in 1931.`),
    ).toBeGreaterThan(closestBelow);
  });

  it('without the form of value that is asked for is not the answer', () => {
    const cases: readonly (readonly [question: string, without: string, giving: string])[] = [
      [
        'At what time does the ferry leave Arlow?',
        'The ferry leaves Arlow on Sunday, 3 April.',
        'The ferry leaves Arlow at 18:03.',
      ],
      [
        'What is the phone number of the harbour office?',
        'The harbour office answers by phone or letter.',
        'The phone number of the harbour office is 555-0199.',
      ],
      [
        'How much did Kestrel Yard pay for the stone pier?',
        'Kestrel Yard did pay for the stone pier in the end.',
        'Kestrel Yard did pay $9,000 for the stone pier.',
      ],
      [
        "What was the name of Edith Mora's daughter?",
        'In spring her daughter came to the pier with Edith Mora.',
        'The daughter of Edith Mora was Hilda Brandt.',
      ],
      [
        'Until when is Kestrel v5 supported?',
        'Kestrel v5 will only be supported on v20 of its host.',
        'Kestrel v5 is supported until 1 March 2031.',
      ],
    ];
    for (const [question, without, giving] of cases) {
      expect(confidenceOf(question, without), question).toBeLessThan(closestBelow);
      expect(confidenceOf(question, giving), question).toBeGreaterThan(closestBelow);
    }
  });
});
