import { describe, expect, it } from 'vitest';
import { isNestedTooDeeply, readLines } from '../../src/markup/markdown-lines.ts';
import { parseFile } from '../../src/registry/registry.ts';

const hostile: readonly [string, string][] = [
  ['link openers', '[a]('.repeat(50_000)],
  ['brackets', '['.repeat(50_000) + ']'.repeat(50_000)],
  ['quotes', `${'>'.repeat(20_000)} deep`],
  ['indented lists', Array.from({ length: 900 }, (_, depth) => `${'  '.repeat(depth)}- item`).join('\n')],
  ['lists in one line', `${'- '.repeat(5000)}item`],
];

describe('Markdown line by line', () => {
  it.each(hostile)('stands in for a parser that would not end: %s', async (name, text) => {
    const source = `# Title\n\nBefore.\n\n${text}\n\n## After\n\nEnd.`;
    const document = await parseFile({ name: 'a.md', bytes: new TextEncoder().encode(source) });
    // The same word 900 times over is like no language.
    const others = name === 'indented lists' ? [expect.stringContaining('no words in any language')] : [];
    expect(document.warnings).toEqual([expect.stringContaining('line by line'), ...others]);
    expect(document.headings.map(({ title }) => title)).toEqual(['Title', 'After']);
    expect(document.text).toBe(source);
  });

  it.each(['- '.repeat(300), '-'.repeat(400), `|${'---|'.repeat(200)}`, '* * *', `${'> '.repeat(20)}quoted`])(
    'is not needed for %.20s',
    (line) => {
      expect(isNestedTooDeeply(line)).toBe(false);
    },
  );

  it('finds headings, paragraphs and fenced code, and no heading in code', () => {
    const text = '# One #\nText\nmore\n\n```sh\n# comment\n```\nAfter\n\n### Two\n~~~\nopen';
    const { marks, blocks } = readLines(text);
    expect(marks.map(({ level, title }) => [level, title])).toEqual([
      [1, 'One'],
      [3, 'Two'],
    ]);
    expect(blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
      ['heading', '# One #'],
      ['paragraph', 'Text\nmore'],
      ['code', '```sh\n# comment\n```'],
      ['paragraph', 'After'],
      ['heading', '### Two'],
      ['code', '~~~\nopen'],
    ]);
  });
});
