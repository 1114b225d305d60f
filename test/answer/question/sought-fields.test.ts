// Which fields a question wants, and how the fields of a piece are called.
import { describe, expect, it } from 'vitest';
import { fieldNamesOf, isNamed, isSought, soughtFields } from '../../../src/answer/question/sought-fields.ts';
import { termsOf } from '../../../src/answer/question/terms.ts';
import { startProcessorTime } from '../../../testkit/processor-time.ts';

const soughtBy = (question: string, language = 'en') => soughtFields(question, termsOf(question, language), language);

describe('soughtFields', () => {
  it.each([
    ['How high is Brenning Lighthouse?', 'Height', 'Founded'],
    ['Where was Edith Mora born?', 'Birthplace', 'Height'],
    ['Who designed the pier?', 'Architect', 'Author'],
    ['How many people live in Arlow?', 'Population', 'Area'],
    ['Who is the founder of Kestrel Yard?', 'Founder', 'Founded'],
    ['When was Kestrel Yard founded?', 'Founded', 'Founder'],
    ['When does the lease end?', 'Expires', 'From'],
    ['Who wrote the post about ferries?', 'Author', 'Posted on'],
    ['Wie hoch ist der Turm?', 'Höhe', 'Gewicht'],
    ['Où se trouve le siège ?', 'Adresse', 'Prix'],
    ['¿Dónde está la oficina?', 'Dirección', 'Precio'],
    ['Wann wurde die Werft gegründet?', 'Gründungsjahr', 'Sitz'],
  ])('%s wants %s, not %s', (question, wanted, other) => {
    expect(isSought(wanted, soughtBy(question))).toBe(true);
    expect(isSought(other, soughtBy(question))).toBe(false);
  });

  it('takes no sum of something else for what was paid', () => {
    const sought = soughtBy('How much did the Harbour League pay for the pier?');
    expect(isSought('Total assets', sought)).toBe(false);
    expect(isSought('Total', sought)).toBe(true);
    expect(isSought('Total amount', sought)).toBe(true);
  });

  it('counts the words that ask as said, not what is asked about', () => {
    const question = 'Where was Edith Mora born?';
    const terms = termsOf(question, 'en');
    expect(
      terms.filter((_, at) => soughtBy(question).said[at]).map(({ start, end }) => question.slice(start, end)),
    ).toEqual(['born']);
  });

  it('wants nothing of prose: a sentence before a colon is no name', () => {
    expect(isSought('The author of this long line of text', soughtBy('Who wrote it?'))).toBe(false);
  });

  it('knows the fields that a question names itself, words that only ask among them', () => {
    const sought = soughtBy('What are the payment terms of Premier Sail Group?');
    expect(isNamed('Payment terms', sought, 'en')).toBe(true);
    expect(isNamed('Payment date', sought, 'en')).toBe(false);
  });

  it('stays quick over long and spoiled questions', () => {
    const tookMs = startProcessorTime();
    for (const text of ['who '.repeat(5_000), 'when '.repeat(5_000), `how many ${'a'.repeat(20_000)}`]) soughtBy(text);
    expect(tookMs()).toBeLessThan(2_000);
  });
});

describe('fieldNamesOf', () => {
  it.each([
    ['Height: 41 m', ['Height']],
    ['Height | 41 m', ['Height']],
    ['| Payment terms: | By quarter', ['Payment terms']],
    ['Order: | 12 | Cinema: | Downtown', ['Order', 'Cinema']],
    ['Town: Arlow; Mayor: Ann Lee', ['Town', 'Mayor']],
    ['Sales tax (8.5%) $66.23', ['Sales tax']],
    ['Rewards applied -$25.00', ['Rewards applied']],
    ['Subtotal 863,91 €', ['Subtotal']],
    ['It was opened in 1872 by the engineer.', []],
    ['Station | Depth | Salinity', []],
  ])('%s', (piece, names) => {
    expect(fieldNamesOf(piece)).toEqual(names);
  });
});
