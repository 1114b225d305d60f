import { expect, it } from 'vitest';
import { ofOtherRelease } from '../../../src/answer/extract/releases.ts';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { contextOf } from '../../../testkit/evidence-of.ts';

it.each([
  ['When was Pigeonpost 3.0 released?', 'Pigeonpost 2.4 was released on 2 June 2024.', true],
  ['When was Pigeonpost 3.0 released?', 'Pigeonpost v3.0.1 was released on 2 June 2025.', false],
  ['When was Pigeonpost 3.0 released?', 'Unlike Pigeonpost 2.4, Pigeonpost 3.0 came in March.', false],
  ['When was Pigeonpost 3.0 released?', 'Lanternfall 2.4 was released in June.', false],
  ['When was Pigeonpost 3.0 released?', 'It was released in June.', false],
  ['When was Pigeonpost 3.0 released?', 'Version 2.4 of Pigeonpost was released in June.', true],
  ['When was Pigeonpost 3.0 released?', 'Version 3.0 of the Pigeonpost server was released in June.', false],
  ['What changed since Pigeonpost 2.4?', 'Pigeonpost 3.0 added dead letter boxes.', undefined],
  ['When was Pigeonpost released?', 'Pigeonpost 2.4 was released on 2 June 2024.', undefined],
])('%s: %s', (question, piece, isOther) => {
  expect(ofOtherRelease(question)?.(piece)).toBe(isOther);
});

it('claims nothing of another release than the one that is asked about', () => {
  const text =
    'Pigeonpost 2.4 was released on 2 June 2024. Pigeonpost 3.0 was released on 14 March 2025. It added boxes.';
  const { claims } = composeAnswer({
    question: 'When was Pigeonpost 3.0 released?',
    context: contextOf({ id: 'a', text, title: 'Releases of Pigeonpost' }),
  });
  expect(claims[0]?.text).toContain('14 March 2025');
  expect(claims.map((claim) => claim.text).join(' ')).not.toContain('2.4');
});
