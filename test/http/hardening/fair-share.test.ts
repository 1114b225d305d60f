// Who has had less of a server, and how much of it nobody can save up.
import { describe, expect, it } from 'vitest';
import { createFairShare } from '../../../src/http/hardening/admission.ts';

describe('fair share', () => {
  it('knows who had less, and takes a newcomer for one who had as much but the credit', () => {
    const share = createFairShare(500);
    share.join('a');
    for (let count = 0; count < 100; count += 1) {
      share.begin('a');
      share.charge('a', 100);
    }
    share.join('b');
    expect(share.had('a') - share.had('b')).toBe(100 + 500);
    // Whoever comes back is where it was, if that is more.
    share.charge('b', 300);
    share.join('b');
    expect(share.had('a') - share.had('b')).toBe(300);
  });

  it('forgets what was not asked for while others worked', () => {
    const share = createFairShare(500);
    for (const name of ['a', 'b']) share.join(name);
    share.charge('a', 10_000);
    share.begin('a');
    share.join('b');
    expect(share.had('a') - share.had('b')).toBe(500);
    share.clear();
    expect(share.had('a')).toBe(0);
  });
});
