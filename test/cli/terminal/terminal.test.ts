// What documents and file names hold cannot steer the terminal that shows them.
import { describe, expect, it } from 'vitest';
import { toPrintable } from '../../../src/cli/terminal/terminal.ts';

describe('toPrintable', () => {
  it('shows control characters and changes of direction, and keeps every other text as it is', () => {
    expect(toPrintable('a\u001b[2Jb\u009bc\rd\u202ee\u2066f\u2069')).toBe(
      'a\ufffd[2Jb\ufffdc\ufffdd\ufffde\ufffdf\ufffd',
    );
    expect(toPrintable('Größe\t1\n שלום 漢字')).toBe('Größe\t1\n שלום 漢字');
  });
});
