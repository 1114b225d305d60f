// A claim that draws on several sentences: what is told of one thing is not told of another, though both sentences speak of the same.
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support.ts';

describe('a claim out of two sentences', () => {
  it.each([
    [
      'The venue of Lind was relegated from the first league in 2013.',
      'The venue of Lind is in Mill Street, north of the town. Lind was relegated from the first league in 2013.',
    ],
    [
      'Complexity theory is a branch of computer science and is understood to be a task for machines.',
      'Complexity theory is a branch of computer science that sorts problems. A problem of complexity is understood to be a task for machines.',
    ],
    [
      'It is also known as the plastome and was first proved in 1962.',
      'It is also known as the plastome. Its existence was first proved in 1962.',
    ],
    [
      'It won the award in 2000 and has its origins in the college.',
      'It won the award in 2000. Lind University has its origins in the college.',
    ],
  ])('is refused where the deed is of another: %s', (claim, quote) => {
    expect(supportOf(claim, quote).verdict).toBe('unsupported');
  });

  it.each([
    [
      'The Millers aired in 2013 and was cancelled in 2014.',
      'The Millers aired in 2013. The Millers was cancelled in 2014.',
    ],
    ['Olga Petrov won the title in 1988.', 'Olga Petrov trained in Minsk. She won the title in 1988.'],
    [
      'The film Poseidon earned $181 million on a budget of $160 million.',
      'Poseidon (film) . Poseidon earned $ 181 million on a budget of $ 160 million .',
    ],
  ])('is held where it is of the same: %s', (claim, quote) => {
    const { verdict, reasons } = supportOf(claim, quote);
    expect(verdict, reasons.join('; ')).toBe('supported');
  });
});
