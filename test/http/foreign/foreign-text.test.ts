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
    '\n```\nopen',
    '\n~~~~ sh\nls\n~~~',
    '\n> ```\n> ls',
    '\n# Title\n    ls',
    'a | b\n:-|-:\n1 | 2',
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
const piecesBehind = (...between: string[]) =>
  fc.array(
    fc.tuple(fc.constantFrom(...between), piece).map(([first, one]) => marked`${first}${one}`),
    { minLength: 1, maxLength: 5 },
  );
const pieces = piecesBehind('', ' ', '\n', '\n\n');

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
const said = (parts: readonly MarkedText[]): string => parts.map(({ text }) => text).join('');
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
        // A fence that stays open is closed before a mark.
        const unfenced = (text: string): string => bare(text).replaceAll(/[`~]/gu, '');
        expect(unfenced(foreign.text)).toBe(unfenced(said(parts)));
      }),
      { numRuns: 500 },
    );
  });

  it('has its marks where Markdown reads text, behind code and rows of tables', () => {
    fc.assert(
      fc.property(piecesBehind(' ', '\n', '\n\n'), (parts) => {
        const { foreign } = written('marks', parts);
        const read = nodesOf(markdown(foreign.text)).flatMap(({ type, value = '' }) => (type === 'text' ? value : []));
        expect(read.flatMap(bracketsIn)).toEqual(foreign.marks.map((mark) => mark.citation));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['an indented text, as of a manual', 'OPTIONS\n\n     -k keep files', '\n\n'],
    ['the line that goes on with another', 'keep\n     files', ' '],
    ['code in its fence', '```sh\nls [2]\n```', '\n'],
    ['code whose fence stays open', '~~~~\nls', '\n~~~~\n'],
    ['a row of a table', '| a | b |\n|---|---|\n| 1 | 2 |', '\n\n'],
    ['what is quoted with its fence', '> ```\n> ls', '\n\n'],
    ['a sentence', 'It holds `ls`.', ' '],
  ])('puts a mark behind %s', (_, words, room) => {
    const { foreign } = written('marks', [marked`${words} ${marksOf([1, 2])}`, marked`\n\nIt ends. ${marksOf([3])}`]);
    expect(foreign.text.replaceAll('\u2060', '')).toBe(`${words}${room}[1][2]\n\nIt ends. [3]`);
  });

  it('is Markdown whose links are the marks alone, and which says the same words', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const { foreign, streamed } = written('links', parts);
        expect(streamed).toBe(foreign.text);
        const page = markdown(foreign.text);
        const links = nodesOf(page).filter(({ type }) => type === 'link');
        const expected = parts.flatMap(({ marks }) => marks.map((mark) => mark.citation));
        expect(links.map(textOf).map(bare)).toEqual(expected.map((n) => `[${n}]`));
        for (const [at, link] of links.entries()) {
          const { title, page: n, url } = citation(expected[at] ?? 0);
          expect(decodeURIComponent(link.url ?? '')).toBe(url);
          expect(bare(link.title ?? '')).toBe(bare(`${title}${n === undefined ? '' : `, page ${n}`}`));
        }
        // What programs make formulas or chips of, before they read any Markdown.
        expect(foreign.text).not.toMatch(/(?<!\\)(?:\\\\)*\\[[\](]/u);
        expect(bracketsIn(foreign.text)).toEqual([]);
        const known = new Set(['root', 'paragraph', 'text', 'break', 'link']);
        expect(nodesOf(page).flatMap(({ type }) => (known.has(type) ? [] : [type]))).toEqual([]);
        expect(bare(textOf(page))).toBe(bare(said(parts)));
        const points = [...foreign.text];
        for (const { from, to, citation: cited } of foreign.marks)
          expect(points.slice(from, to).join('').startsWith(`[[\u2060${cited}]](`)).toBe(true);
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
