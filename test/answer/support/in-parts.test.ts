// A sentence that joins several statements is carried where each is; what a sentence of the quote says in an apposition, a relative clause
// or brackets may be claimed by itself.
import { describe, expect, it } from 'vitest';
import { statementsOf } from '../../../src/answer/support/own-words/statements.ts';
import { supportOf } from '../../../src/answer/support.ts';

describe('the statements that a sentence joins', () => {
  it.each([
    ['Ana Ruiz, a violinist, was hired in 1960.', ['Ana Ruiz is a violinist.', 'Ana Ruiz was hired in 1960.']],
    ['The bridge, which opened in 1931, was sold.', ['The bridge opened in 1931.', 'The bridge was sold.']],
    ['Born in Tartu, Jaan Rebane became a judge.', ['Jaan Rebane was born in Tartu.', 'Jaan Rebane became a judge.']],
    [
      'Henrik Moe (born 4 May 1921) was a painter.',
      ['Henrik Moe was born on 4 May 1921.', 'Henrik Moe was a painter.'],
    ],
    ['He almost won the race and left the town.', ['He almost won the race.', 'He left the town.']],
    [
      'The inn burned down in 1901, and it was sold in 1910.',
      ['The inn burned down in 1901.', 'The inn was sold in 1910.'],
    ],
  ])('%s', (sentence, statements) => {
    expect(statementsOf(sentence)).toEqual(statements);
  });

  it.each([
    'Ana, the mayor, and Tom left the town.',
    'If Ana won the case, she left the town and sold the house.',
    'Ana did not win the case and left the town.',
    'Ana won the case in 1990 and left the town.',
    'Ana designed and built the hall.',
    'The witness reported the theft and left the town.',
  ])('are not told apart: %s', (sentence) => {
    expect(statementsOf(sentence)).toEqual([]);
  });
});

describe('a claim in parts', () => {
  it.each([
    ['Henrik Moe was born on 4 May 1921.', 'Henrik Moe (born 4 May 1921) was a Norwegian painter.'],
    ['Nadia Brandt was a chemist from Basel.', 'Nadia Brandt, a chemist from Basel, discovered the dye in 1931.'],
    ['Nadia Brandt, a chemist, discovered the dye.', 'Nadia Brandt was a chemist. Nadia Brandt discovered the dye.'],
    ['Jaan Rebane was born in Tartu in 1954.', 'Born in Tartu in 1954, Jaan Rebane became a geologist.'],
    [
      'He has published two books on the longbow and was consulted as an expert on the wreck.',
      'He studied in Oxford, and he has published two books on the longbow. He was also consulted as an expert on the wreck.',
    ],
  ])('is accepted: %s', (claim, quote) => {
    const { verdict, reasons } = supportOf(claim, quote);
    expect(verdict, reasons.join('; ')).toBe('supported');
  });

  it.each([
    ['He almost won the race and won the race.', 'He almost won the race.'],
    ['Ana Ruiz, a lawyer, won the case.', 'Ana Ruiz won the case. Tom Berg, a lawyer, lost it.'],
    ['Ana Ruiz is the mayor.', 'Ana Ruiz, the mayor of Lyon, resigned.'],
    ['Ana Ruiz is the mayor.', 'Ana Ruiz, the former mayor, resigned.'],
    ['Tom Berg is the mayor of Lyon.', 'The wife of Tom Berg, the mayor of Lyon, resigned.'],
    ['Ana Ruiz was born in Lyon.', 'If born in Lyon in 1950, Ana Ruiz was French.'],
    [
      'He was born in Lyon and died in Graz.',
      'Ben was a judge. He was born in Lyon. Carl was a painter. He died in Graz.',
    ],
    [
      'The museum was founded in 1890, and it moved to the harbour in 1950.',
      'The museum was founded in 1890. The club was founded in 1900. It moved to the harbour in 1950.',
    ],
  ])('is refused where a part is not carried, or is told of another: %s', (claim, quote) => {
    expect(supportOf(claim, quote).verdict).toBe('unsupported');
  });
});
