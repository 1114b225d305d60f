// A name and its inflected forms are told from other words of its family.
import { expect, it } from 'vitest';
import { heldIn } from '../../../src/text/words/word-forms.ts';

it.each([
  ['we propose the transformer, based on attention', 'word'],
  ['two transformers and their encoders', 'word'],
  ['the transformer’s layers', 'word'],
  ['a transformation of the text', 'family'],
  ['transformative work', 'family'],
  ['transform it', 'family'],
  ['nontransformer words', 'none'],
  ['nothing of it', 'none'],
] as const)('%s: %s', (text, held) => expect(heldIn(text, 'transformer', 'transform')).toBe(held));

it('takes little time on texts that begin every word alike', () => {
  const startedAt = process.cpuUsage();
  heldIn('transformation '.repeat(20_000), 'transformer', 'transform');
  const { user } = process.cpuUsage(startedAt);
  expect(user / 1000).toBeLessThan(2_000);
});
