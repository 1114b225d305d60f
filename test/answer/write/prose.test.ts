import { describe, expect, it } from 'vitest';
import { numberBlocks } from '../../../src/answer/context/evidence.ts';
import { claimOf, createSentenceReader, saysNotFound } from '../../../src/answer/write/prose.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

describe('plain sentences of a model', () => {
  it('are cut while they come, without the numbers behind them', () => {
    const reader = createSentenceReader();
    const pieces = [
      'The pump runs at ',
      '40 bar. [',
      '1] Its filter is',
      ' changed every 300 hours [1, 2].',
      ' It hums',
    ];
    expect(pieces.flatMap((piece) => reader.push(piece))).toEqual([
      'The pump runs at 40 bar.',
      'Its filter is changed every 300 hours.',
    ]);
    expect(reader.end()).toEqual(['It hums']);
    expect(reader.end()).toEqual([]);
  });

  it('keep the brackets that stand behind a name or before more words', () => {
    const reader = createSentenceReader();
    const said = ['It returns [1, 2] in order. [1] The path is argv[1]. It is sent [2].'];
    expect([...said.flatMap((piece) => reader.push(piece)), ...reader.end()]).toEqual([
      'It returns [1, 2] in order.',
      'The path is argv[1].',
      'It is sent.',
    ]);
  });

  it.each([
    ['NOT FOUND', true],
    ['Not found.', true],
    ['"NOT FOUND" [3]', true],
    ['The passages do not mention a price.', true],
    ['None of this is sure: the text does not say it.', true],
    ['The key was not found in the keyring.', false],
    ['The pump must not be opened.', false],
    ["The passages don't mention a price.", true],
    ['No price stands there; the document doesn’t say it.', true],
  ])('say that nothing answers: %s', (sentence, expected) => {
    expect(saysNotFound(sentence, () => false)).toBe(expected);
  });

  const blocks = numberBlocks(
    [
      'The boiler is heated to 90 degrees and must never be opened under pressure.',
      'The pump P-7 runs at 40 bar. Its filter is changed every 300 hours. Ann Lee is responsible for it.',
    ].map((text, at) => ({ evidence: evidenceOf({ id: `c${at}`, text }), tokens: 20 })),
  );

  it('lose the number of an item after a sentence that announces a list, and keep every other number', () => {
    const read = (text: string): readonly string[] => {
      const reader = createSentenceReader();
      return [...[...text].flatMap((character) => reader.push(character)), ...reader.end()];
    };
    expect(read('The sale has:\n\n1. Cabinets are sold for £4,000.\n2. A longbow is sold.')).toEqual([
      'The sale has:',
      'Cabinets are sold for £4,000.',
      'A longbow is sold.',
    ]);
    expect(read('Der Betrieb ruht an zwei Tagen:\n5. Mai und 1. Juni.').join(' ')).toContain('5. Mai');
    expect(read('2. Abschnitt regelt das.').join(' ')).toContain('2. Abschnitt');
  });

  it('quote the sentence that carries them, else the passage, else nothing', () => {
    expect(claimOf('The pump P-7 runs at 40 bar.', blocks, 'What pressure?').quotes).toEqual([
      { id: 2, quote: 'The pump P-7 runs at 40 bar.' },
    ]);
    expect(claimOf('Ann Lee is responsible for the pump P-7.', blocks, 'Who?').quotes).toEqual([
      { id: 2, quote: blocks[1]?.block.evidence.text },
    ]);
    expect(claimOf('Zebras graze.', blocks, 'Who?').quotes).toEqual([]);
  });

  it.each([
    ['300 hours.', 'Its filter is changed every 300 hours.'],
    ['Yes, the pump P-7 runs at 40 bar.', 'The pump P-7 runs at 40 bar.'],
  ])('give way to what the passage says where they are a phrase of it, or open with yes or no: %s', (said, shown) => {
    expect(claimOf(said, blocks, 'How often is the filter changed?')).toMatchObject({
      text: shown,
      quotes: [{ id: 2, quote: shown }],
    });
  });

  it.each(['30', '00 hours', 'Yes, the pump P-7 runs at 60 bar.', 'Ann Lee'])(
    'stay as they are otherwise: %s',
    (said) => {
      expect(claimOf(said, blocks, 'What pressure?').text).toBe(said);
    },
  );
});
