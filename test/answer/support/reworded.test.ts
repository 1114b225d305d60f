// What a script makes of sentences in plain words is held or left to a judge; with a figure, a name or a letter changed it is not.
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support.ts';
import { vetoesOf } from '../../../src/answer/vetoes.ts';
import { rewordingsOf } from '../../../testkit/forge/reworded.ts';

const sentences: readonly (readonly [sentence: string, reworded: string])[] = [
  ['The mill is currently located near the large pond.', 'The mill is now situated near the big pond.'],
  ['In 1911, the library moved to Lund.', 'The library moved to Lund in 1911.'],
  ['The chapel was built by the guild.', 'The guild built the chapel.'],
  ['However, the ferry (named Lind) required 40 sailors.', 'The ferry required 40 sailors.'],
  ['The lake, which was frozen for months, attracted skaters from Lund.', 'The lake attracted skaters from Lund.'],
];

describe('sentences in the words of a script', () => {
  it.each(sentences)('%s', (sentence, reworded) => {
    const claims = rewordingsOf(sentence).map(({ claim }) => claim);
    expect(claims).toContain(reworded);
    for (const claim of claims) {
      const { verdict, reasons } = supportOf(claim, sentence);
      if (verdict === 'supported') continue;
      expect(vetoesOf({ claim, quotes: [{ quote: sentence, title: '' }], reasons }).vetoes, claim).toEqual([]);
    }
  });

  it.each([
    ['The mill is now situated close to the big pond of Lund.', 'The mill is currently located near the large pond.'],
    ['The library moved to Lund in 1912.', 'In 1911, the library moved to Lund.'],
    ['The guild was built by the chapel in 1502.', 'The chapel was built by the guild in 1502.'],
    ['The town has 700 resıdents.', 'The town has 700 inhabitants.'],
    ['The lake was frozen.', 'The lake, which was almost frozen, attracted skaters.'],
  ])('is refused where it says something else: %s', (claim, sentence) => {
    expect(supportOf(claim, sentence).verdict).toBe('unsupported');
  });
});
