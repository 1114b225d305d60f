// Lines of printed pages flow where they were cut for the paper, and stay where somebody ended them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flowing } from '../../src/shared/unwrapped.ts';

const page = [{ page: 3 }];
const prose = [
  'Caution: the utility was designed for use only with inkjet printers',
  'that are supported by this software. It may be that damage occurs to',
  'your printer if it is misused. It is sold as a plug-in or as a start-',
  'up program.',
].join('\n');

describe('the lines of a printed page', () => {
  it('flow into each other', () => {
    expect(flowing(prose, page)).toBe(prose.replace('start-\n', 'start-\u2060').replaceAll('\n', ' '));
  });

  it('stay where a paragraph, a list, a short line or code ends', () => {
    const kept = [
      'The lamp of the tower burns oil every night.\n\nIt was built by Ada Frost long ago, it is said.',
      '• To boot a system, enough software and data must be there.\n• To restore one, its tools must be present.',
      '1. Fill the lamp with oil before the evening comes.\n2. Climb the stairs of the tower at dusk, slowly.',
      'Ada Frost\nThe mill\nEastpoint',
      'canvas.drawString(2.5*inch, inch, "(2.5,1) in inches")\ncanvas.drawString(4*inch, 2.5*inch, "(4, 2.5)")',
      'name of the station   metres over the sea\nEastpoint             212',
    ];
    for (const text of kept) expect(flowing(text, page)).toBe(text);
  });

  it('take no space between characters that stand without one', () => {
    const line = '\u8fd9\u662f\u4e00\u4e2a\u5173\u4e8e\u706f\u5854\u7684\u957f\u53e5\u5b50\uff0c'.repeat(2);
    expect(flowing(`${line}\n${line}`, page)).toBe(`${line}\u200b${line}`);
  });

  it('stay where the text is cited by line', () => {
    expect(flowing(prose, [{}])).toBe(prose);
  });

  it('keep their offsets, and change nothing but ends of lines', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 90 }), { maxLength: 12 }), (lines) => {
        const text = lines.join('\n');
        const shown = flowing(text, page);
        expect(shown).toHaveLength(text.length);
        for (let at = 0; at < text.length; at += 1) if (text[at] !== '\n') expect(shown[at]).toBe(text[at]);
      }),
    );
  });
});
