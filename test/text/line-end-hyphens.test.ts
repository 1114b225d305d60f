import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeQuery, analyzeText, analyzeWords } from '../../src/text/analyze.ts';
import { joinLineEndHyphens } from '../../src/text/line-end-hyphens.ts';
import { startProcessorTime } from '../../testkit/processor-time.ts';

describe('joinLineEndHyphens', () => {
  it.each([
    ['Type special-\nization helps.', 'Type specialization helps.'],
    ['Type special-\n  ization helps.', 'Type specialization helps.'],
    ['a soft\u00ad\nened word', 'a softened word'],
    ['an e-\nmail', 'an e-mail'],
    ['state-of-the-\nart', 'state-of-the-art'],
    ['sequence trans-\nduction mod-\nels', 'sequence transduction models'],
    ['Sensor XR-\n2040 of 2019-\n2021', 'Sensor XR-2040 of 2019-2021'],
    ['Jean-\n Paul had COVID-\n19', 'Jean-Paul had COVID-19'],
    ['a self-\nemployed, self-\nish man', 'a self-employed, selfish man'],
  ])('writes %j as %j', (text, joined) => {
    expect(joinLineEndHyphens(text)).toBe(joined);
  });

  it.each(['a dash -\nand more', 'a dash -\n2 more', 'a list:\n- item', '-\nAda', 'a-b'])('leaves %j alone', (text) => {
    expect(joinLineEndHyphens(text)).toBe(text);
  });

  it('keeps a hyphen that the reference has, unless it has the joined word too', () => {
    expect(joinLineEndHyphens('position-\nwise', 'the Position-wise feed-forward layer')).toBe('position-wise');
    expect(joinLineEndHyphens('position-\nwise', 'position-wise and positionwise')).toBe('positionwise');
    expect(joinLineEndHyphens('feed-\nforward nets; a feed-forward net')).toBe('feed-forward nets; a feed-forward net');
  });

  it('takes out nothing but hyphens, breaks and indents, and is done after one pass', () => {
    const pieces = fc.array(fc.constantFrom('special', 'Ab', '-', '\n', ' ', 'é', '\u00ad', '7', 'of'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const joined = joinLineEndHyphens(text);
        const bare = (value: string): string => value.replace(/[-\s\u00ad]/g, '');
        expect(bare(joined)).toBe(bare(text));
        expect(joined.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('takes linear time', () => {
    const tookMs = startProcessorTime();
    for (const hostile of ['word-\n', 'a-', 'a', '-\n', '-\n  ']) joinLineEndHyphens(`${hostile.repeat(100_000)}\n`);
    expect(tookMs()).toBeLessThan(5000);
  });
});

describe('the analyzer at line ends', () => {
  it('finds a cut word as a whole and by its halves', () => {
    const terms = analyzeText('Trace-based type special-\nization of position-\nwise layers', { language: 'en' });
    for (const wanted of ['specialization', 'special', 'positionwise', 'position-wise', 'position', 'wise'])
      expect(terms).toEqual(expect.arrayContaining(analyzeQuery(wanted, { languages: ['en'] })));
  });

  it('gives the whole word the range of both halves, in order', () => {
    const text = 'Type special-\n ization.';
    const words = analyzeWords(text, { language: 'en' });
    const whole = words.find((word) => word.term === analyzeText('specialization', { language: 'en' })[0]);
    expect(text.slice(whole?.start, whole?.end)).toBe('special-\n ization');
    expect(words.map((word) => word.start)).toEqual(words.map((word) => word.start).toSorted((a, b) => a - b));
  });

  it.each(['well-known facts', 'dash -\nthen', 'x-\n19', 'Anna-\nMaria'])('adds nothing to %j', (text) => {
    const flat = text.replace('-\n', ' ');
    expect(analyzeText(text, { language: 'en' })).toEqual(analyzeText(flat, { language: 'en' }));
  });
});
