// Anchors print nothing.
import { describe, expect, it } from 'vitest';
import { claimTextOf } from '../../src/answer/claim-text.ts';
import { supportOf } from '../../src/answer/support.ts';
import { withoutAnchors } from '../../src/text/anchors.ts';

describe('withoutAnchors', () => {
  it('leaves what an anchor encloses, and every other tag', () => {
    expect(withoutAnchors('<a id="w03">W03</a> and <a name=\'x\'></a>end')).toBe('W03 and end');
    const link = '<a href="https://example.org">W03</a> <b>bold</b>';
    expect(withoutAnchors(link)).toBe(link);
  });

  it('lets a row be said as it is printed', () => {
    const row = '| <a id="w03">W03</a> | The pump was started while its valve was closed. |';
    const said = claimTextOf(row);
    expect(said).toBe('| W03 | The pump was started while its valve was closed. |');
    expect(supportOf(said, row).verdict).toBe('supported');
    expect(supportOf(said.replace('closed', 'open'), row).verdict).toBe('unsupported');
  });
});
