// What no judge may speak over: forged facts contradict, other words do not.
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support/support.ts';
import { contradictionsFirst, vetoesOf } from '../../../src/answer/support/vetoes.ts';
import { type ForgeSentence, forgePairs, forgeries } from '../../../testkit/forge/forge.ts';
import { forgeTexts } from '../../../testkit/forge/forge-texts.ts';
import { paraphrases } from '../paraphrases.ts';

const own: ForgeSentence[] = forgeTexts.flatMap(({ language, sentences }) =>
  sentences.map((text) => ({ text, language })),
);
const vetoes = (claim: string, quote: string, title = ''): string[] => {
  const { verdict, reasons } = supportOf(claim, quote, { context: title });
  return verdict === 'supported' ? [] : vetoesOf({ claim, quotes: [{ quote, title }], reasons });
};

describe('vetoes', () => {
  it('stand against all of 2,400 forged claims, but for opposites that no list has', { timeout: 120_000 }, () => {
    const forged = forgePairs(own, { count: 2_400, seed: 20_261_121, kinds: forgeries });
    const open = forged.filter(({ claim, quote }) => vetoes(claim, quote).length === 0);
    expect(open.filter(({ kind }) => kind !== 'direction-swapped')).toEqual([]);
    expect(open.length).toBeLessThanOrEqual(4);
  });

  it('leave claims in other words to a judge: three quarters of those that people would agree to, and more', () => {
    expect(paraphrases.length).toBeGreaterThanOrEqual(40);
    const vetoed = paraphrases.filter(({ claim, quote, title }) => vetoes(claim, quote, title).length > 0);
    expect(vetoed.length / paraphrases.length, JSON.stringify(vetoed, null, 1)).toBeLessThanOrEqual(0.25);
  });

  it.each(
    paraphrases.flatMap(({ forged = [], quote, title }) => forged.map((claim) => [claim, quote, title] as const)),
  )('refuse: %s | %s', (claim, quote, title) => expect(vetoes(claim, quote, title)).not.toEqual([]));

  it('take a figure from the quote that has it, and never in the place of another', () => {
    const quotes = ['The pier was opened in 1872.', 'It carries lorries and 1,240 visitors a day.'];
    const claim = 'Opened in 1872, the pier lets 1,240 visitors pass every day.';
    const read = (text: string) => vetoes(text, quotes.join(' '));
    expect(read(claim)).toEqual([]);
    expect(read(claim.replace('1872', '1873')).join()).toContain('1873');
    expect(read('The pier was opened for 1,872 visitors a day.')).not.toEqual([]);
  });

  it('come first where reasons are cut', () => {
    expect(contradictionsFirst(['word-changed: a → b', 'not-in-quote: c', 'negation-added: not'])[0]).toBe(
      'negation-added: not',
    );
  });
});
