// What is copied as Markdown: footnotes for marks alone, no markup of others, and what nothing confirms says so.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMarkdown, gfm, gfmFromMarkdown } from '../../../packages/readers/testkit/libraries.ts';
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

  it('reads as the words of the documents, whatever they look like', () => {
    // Its second look for addresses sees no escapes, which no other reader of Markdown does.
    const mdastExtensions = gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension);
    const read = (markdown: string) => {
      const kinds = new Set<string>();
      const words = (node: { type: string; value?: string; children?: readonly object[] }): string => {
        kinds.add(node.type);
        const inner = (node.children ?? []).map((child) => words(child as typeof node)).join('');
        return `${node.type === 'break' ? '\n' : ''}${node.value ?? ''}${inner}${node.type === 'paragraph' ? '\n\n' : ''}`;
      };
      const text = words(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions }));
      return { kinds, text: text.replaceAll(/\s+/gu, ' ').trim() };
    };
    const marks = String.raw`a b 1 2 . ) - --- = === + : :- * _ ~ https://a.example/b HTTP:// www.a.example WWW. &lt; &#35; &amp <b> <!-- [a](b) [^1] ! ![ # > - | |-| [ ] \ $ " { }`;
    const piece = fc.constantFrom(
      '\n',
      '\n\n',
      '\r\n',
      ' ',
      '    ',
      '\t',
      '# ',
      '> ',
      '- ',
      '1. ',
      '`',
      '```',
      ...marks.split(' '),
    );
    const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(hostile, (words) => {
        const { kinds, text } = read(answerMarkdown({ ...answer, answer: words, marks: [], claims: [] }));
        expect([...kinds].filter((kind) => !['root', 'paragraph', 'text', 'break'].includes(kind))).toEqual([]);
        expect(text).toBe(words.replaceAll(/\s+/gu, ' ').trim());
      }),
      { numRuns: 2000 },
    );
    // As the title and the quote of a footnote too, and right before a mark.
    fc.assert(
      fc.property(hostile, (words) => {
        const marked = {
          answer: `a ${words}[1]`,
          marks: [{ start: words.length + 2, end: words.length + 5, citation: 1 }],
        };
        const copied = answerMarkdown({
          ...marked,
          claims: [],
          citations: [citation(1, { title: `t${words}`, quote: words })],
        });
        const { kinds, text } = read(copied);
        const known = ['root', 'paragraph', 'text', 'break', 'footnoteReference', 'footnoteDefinition', 'link'];
        expect([...kinds].filter((kind) => !known.includes(kind))).toEqual([]);
        const flat = words.replaceAll(/\s+/gu, ' ');
        expect(text.replaceAll(' ', '')).toContain(`"${flat}"http://127.0.0.1`.replaceAll(' ', ''));
      }),
      { numRuns: 1000 },
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
    expect(placeOf({ page: 12, place: 'page iv' })).toBe('page iv (page 12 of the file)');
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
