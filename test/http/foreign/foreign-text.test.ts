// Text for foreign programs: whatever a document has in the place of a mark, a reader of marks finds the marks of the answer and no other, and Markdown makes
// links of them alone.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMarkdown, gfm, gfmFromMarkdown } from '../../../packages/readers/testkit/libraries.ts';
import type { Citation } from '../../../src/core/answer.ts';
import { type MarkedText, marked, marksOf } from '../../../src/core/marked-text.ts';
import { createForeignText, type ForeignText, type TextStyle } from '../../../src/http/foreign/foreign-text.ts';
import { bracketsIn } from '../../../testkit/openai/completion.ts';

const citation = (index: number): Citation => ({
  index,
  documentId: `doc_${index}`,
  chunkId: `chk_${index}`,
  title: ['A "title" [2](x)', 'a_b *c*\n\nd', 'Manual'][index % 3] ?? '',
  uri: 'a.md',
  url: `http://127.0.0.1:4180/v1/documents/doc_${index}/view?start=1&end=2${index % 2 ? '&copy;=(x) y' : ''}`,
  source: 's',
  quote: 'q',
  start: 1,
  end: 2,
  score: 1,
  alsoIn: [],
  ...(index % 2 && { page: index }),
});
const citations = Array.from({ length: 12 }, (_, at) => citation(at + 1));

const plants = [
  ...[
    '[1]',
    '[2][3]',
    '[^1]',
    '[^1]: see [2]',
    '[1](#c1)',
    '[1]: /v1/documents',
    '[ 1 ]: http://evil.test',
    '[1',
    '[',
    '【1】',
    '［1］',
    '\\[1\\]',
    '[[1]]',
  ],
  ...[
    'http://evil.test/a',
    'www.evil.test',
    'evil.example.com',
    'mailto:a@b.test',
    'a@b.test',
    '<http://evil.test>',
    '![x](http://evil.test)',
    '<a href="x">[1]</a>',
  ],
  ...[
    '# Title',
    '- item',
    '1. one',
    '12) two',
    '> said',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '```js\na[0]\n```',
    '    code [1]',
    '\tcode',
    '***',
    '---',
    '===',
    '&lt;b&gt;',
    '$x$',
    '~~gone~~',
    '😀',
    '\r\n',
    '  \n\n  ',
  ],
];
const words = fc
  .array(fc.oneof(fc.constantFrom(...plants), fc.constantFrom('word', '3.14', ' ', '\n', '\n\n', '. ')), {
    maxLength: 8,
  })
  .map((some) => some.join(''));
const piece = fc
  .tuple(words, fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }))
  .map(([text, cited]): MarkedText => marked`${text} ${marksOf(cited)}`);
const pieces = fc.array(
  fc.tuple(fc.constantFrom('', ' ', '\n', '\n\n'), piece).map(([between, one]) => marked`${between}${one}`),
  { minLength: 1, maxLength: 5 },
);

function written(style: TextStyle, parts: readonly MarkedText[]): { foreign: ForeignText; streamed: string } {
  const foreign = createForeignText(style);
  const streamed = parts.map((part) => foreign.write(part, citations)).join('');
  return { foreign, streamed };
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly title?: string | null;
  readonly children?: readonly Node[];
}
const markdown = (text: string): Node =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node;
const nodesOf = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)];
const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join('');
const bare = (text: string): string => text.replace(/[\s\u00a0\u2060]+/gu, '');

describe('text for foreign programs', () => {
  it('has the marks of the answer where it says, in UTF-16 and in code points, and nothing else that is read as one', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const { foreign, streamed } = written('marks', parts);
        const expected = parts.flatMap(({ marks }) => marks.map((mark) => mark.citation));
        expect(streamed).toBe(foreign.text);
        expect(foreign.marks.map((mark) => mark.citation)).toEqual(expected);
        const points = [...foreign.text];
        for (const { start, end, from, to, citation: cited } of foreign.marks) {
          expect(foreign.text.slice(start, end)).toBe(`[${cited}]`);
          expect(points.slice(from, to).join('')).toBe(`[${cited}]`);
        }
        // As front ends look for them.
        const found = bracketsIn(foreign.text);
        expect(found).toEqual(expected);
        expect(foreign.text.replaceAll('\u2060', '')).toBe(parts.map(({ text }) => text).join(''));
      }),
      { numRuns: 500 },
    );
  });

  it('is Markdown whose links are the marks alone, and which says the same words', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const { foreign, streamed } = written('links', parts);
        expect(streamed).toBe(foreign.text);
        const page = markdown(foreign.text);
        const links = nodesOf(page).filter(({ type }) => type === 'link');
        const expected = parts.flatMap(({ marks }) => marks.map((mark) => mark.citation));
        expect(links.map(textOf)).toEqual(expected.map((n) => `[${n}]`));
        for (const [at, link] of links.entries()) {
          const { title, page: n, url } = citation(expected[at] ?? 0);
          expect(decodeURIComponent(link.url ?? '')).toBe(url);
          expect(bare(link.title ?? '')).toBe(bare(`${title}${n === undefined ? '' : `, page ${n}`}`));
        }
        const known = new Set(['root', 'paragraph', 'text', 'break', 'link']);
        expect(nodesOf(page).flatMap(({ type }) => (known.has(type) ? [] : [type]))).toEqual([]);
        expect(bare(textOf(page))).toBe(bare(parts.map(({ text }) => text).join('')));
        const points = [...foreign.text];
        for (const { from, to, citation: cited } of foreign.marks)
          expect(points.slice(from, to).join('').startsWith(`[\\[${cited}\\]](`)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps each line and its indentation', () => {
    const { foreign } = written('links', [marked`a\n  b\n\n\tc ${marksOf([1])}`, marked`\nd ${marksOf([2])}`]);
    const page = markdown(foreign.text);
    expect(nodesOf(page).filter(({ type }) => type === 'break')).toHaveLength(2);
    expect(textOf(page)).toContain('\u00a0\u00a0b');
  });
});
