// What is copied as Markdown: footnotes for marks alone, no markup of others, and what nothing confirms says so.
import { describe, expect, it } from 'vitest';
import type { Citation } from '../../src/shared/contract.ts';
import { answerMarkdown, claimMarkdown, placeOf } from '../../src/shared/markdown.ts';
import { cut, inOrder, inPlace } from '../../src/shared/text.ts';

const citation = (index: number, more: Partial<Citation> = {}): Citation => ({
  index,
  documentId: `doc_${index}`,
  chunkId: `chk_${index}`,
  title: `Pumps *${index}*`,
  uri: `p${index}.pdf`,
  url: `http://127.0.0.1/v1/documents/doc_${index}/view?start=0&end=9`,
  source: 'files',
  quote: 'It runs\nat 40 bar.',
  start: 0,
  end: 18,
  score: 1,
  alsoIn: [],
  ...more,
});
const text = 'It runs at [2] <b>40</b> bar. [1]';
const answer = {
  answer: text,
  marks: [{ start: text.length - 3, end: text.length, citation: 1 }],
  claims: [
    { text: 'It runs at [2] <b>40</b> bar.', citations: [1], support: 1 },
    { text: 'It is loud.', citations: [2], support: 0.4, kind: 'reworded' as const, confirmed: false },
  ],
  citations: [citation(1, { page: 4 }), citation(2), citation(3)],
};

describe('an answer as Markdown', () => {
  it('has a footnote for each mark and for nothing else', () => {
    expect(answerMarkdown(answer)).toBe(
      [
        'It runs at \\[2\\] \\<b\\>40\\</b\\> bar. [^1]',
        'In the model’s words, not confirmed: It is loud. [^2]',
        '[^1]: Pumps \\*1\\*, page 4: "It runs at 40 bar." <http://127.0.0.1/v1/documents/doc_1/view?start=0&end=9>\n' +
          '[^2]: Pumps \\*2\\*: "It runs at 40 bar." <http://127.0.0.1/v1/documents/doc_2/view?start=0&end=9>',
      ].join('\n\n'),
    );
  });

  it('is one claim where one is asked for', () => {
    const copied = claimMarkdown(answer, 0);
    expect(copied).toMatch(/^It runs at \\\[2\\\] .* \[\^1\]\n\n\[\^1\]: /u);
    expect(copied).not.toContain('loud');
  });
});

describe('texts', () => {
  it('say where a citation stands', () => {
    expect(placeOf({ page: 4 })).toBe('page 4');
    expect(placeOf({ lines: [5, 5] })).toBe('line 5');
    expect(placeOf({ lines: [5, 9], place: 'Grain' })).toBe('lines 5–9, Grain');
    expect(placeOf({})).toBe('');
  });

  it('turn no order of what is read, and keep their length where offsets count', () => {
    const turned = 'a\u202eb\u2066c\u2069d\u200fe\u061cf';
    expect(inOrder(turned)).toBe('a\ufffdb\ufffdc\ufffddef');
    expect(inPlace(turned)).toHaveLength(turned.length);
  });

  it('are cut between characters', () => {
    expect(cut('ab🌊c', 3)).toBe('ab…');
  });
});
