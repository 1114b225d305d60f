import { expect, it } from 'vitest';
import { knownWord } from '../../../src/text/words/known-word.ts';

it('knows common words by any of their forms, and neither names nor slips of the keyboard', () => {
  expect(['purchases', 'decided', 'larger', 'unemployment'].map(knownWord)).toEqual([true, true, true, true]);
  expect(['nordlicht', 'okafor', 'temperatues', 'reques'].map(knownWord)).toEqual([false, false, false, false]);
});
