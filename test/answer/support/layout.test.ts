import { describe, expect, it } from 'vitest';
import { withoutLayout } from '../../../src/answer/support/layout.ts';
import { supportOf } from '../../../src/answer/support.ts';

const quote = 'There are three kinds of hooks:\n\n- [onStart](#onstart)\n- [onStop](#onstop)\n- [onDrain](#ondrain)';

describe('a list without its marks', () => {
  it('is what the quote says', () => {
    const claim = 'There are three kinds of hooks: onStart; onStop; onDrain';
    expect(supportOf(claim, quote)).toMatchObject({ verdict: 'supported', reasons: ['verbatim'] });
  });

  it.each([
    'There are three kinds of hooks: onStart; onStop; onFlush',
    'There are three kinds of hooks: onStart; onDrain; onStop',
    'There are three kinds of hooks: onStart; onStop',
    'There are four kinds of hooks: onStart; onStop; onDrain',
  ])('is not: %s', (claim) => {
    expect(supportOf(claim, quote).reasons).not.toContain('verbatim');
  });

  it('keeps what may change a meaning', () => {
    for (const written of ['Measured:\n- 5 degrees', 'Done:\n- ~~washing~~', '![plan](plan.png)', 'a - b'])
      expect(withoutLayout(written)).toBe(written.replace('\n- ~', ' ~'));
  });
});
