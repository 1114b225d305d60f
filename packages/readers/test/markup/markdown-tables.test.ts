import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../src/document.ts';
import { hideLongTables } from '../../src/markup/markdown-tables.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const parse = (source: string): Promise<ParsedDocument> =>
  parseFile({ name: 'a.md', bytes: new TextEncoder().encode(source) });
const table = (rows: number, columns: number): string[] => {
  const line = (cell: (column: number) => string): string =>
    `| ${Array.from({ length: columns }, (_, column) => cell(column)).join(' | ')} |`;
  return [
    line((column) => `c${column}`),
    line(() => '---'),
    ...Array.from({ length: rows }, (_, row) => line((column) => `r${row}c${column}`)),
  ];
};
const rowsOf = ({ text, blocks }: ParsedDocument): string[] =>
  blocks.filter(({ kind }) => kind === 'table-row').map(({ start, end }) => text.slice(start, end));

describe('long tables of Markdown', () => {
  it('are read row by row, like short ones, and what stands around them too', async () => {
    for (const count of [10, 400]) {
      const lines = table(count, 5);
      const source = `# Before\n\nText *a*.\n\n${lines.join('\n')}\n\n## After\n\n- item\n`;
      const document = await parse(source);
      expectWellFormed(document);
      expect(document.text).toBe(source);
      expect(document.headings.map(({ title }) => title)).toEqual(['Before', 'After']);
      expect(rowsOf(document)).toEqual([lines[0], ...lines.slice(2)]);
      expect(document.blocks.filter(({ isHeader }) => isHeader)).toHaveLength(1);
      expect(document.blocks.map(({ kind }) => kind).filter((kind) => kind !== 'table-row')).toEqual([
        'heading',
        'paragraph',
        'heading',
        'list-item',
      ]);
    }
  });

  it('of 120,000 cells, or 60,000 columns, take neither time nor memory', async () => {
    const before = process.cpuUsage();
    expect(rowsOf(await parse(table(6000, 20).join('\n')))).toHaveLength(6001);
    expect(rowsOf(await parse(table(2, 60_000).join('\n')))).toHaveLength(3);
    const { user } = process.cpuUsage(before);
    // With the full parser 15 s, if the memory suffices.
    expect(user / 1e6).toBeLessThan(8);
  });

  it('are no tables in code, without a line under the header, or with another number of cells there', async () => {
    const lines = table(400, 5);
    const [header = '', , ...body] = lines;
    const code = await parse(`\`\`\`\n${lines.join('\n')}\n\`\`\`\n\nAfter.`);
    expect(code.blocks.map(({ kind }) => kind)).toEqual(['code', 'paragraph']);
    expect(hideLongTables([header, ...body].join('\n')).rows).toEqual([]);
    expect(hideLongTables([header, '|---|---|', ...body].join('\n')).rows).toEqual([]);
  });

  it('keep the cells with escaped bars, and rows inside of lists belong to their item', async () => {
    const bars = ['| a \\| b | c |', '|---|---|', ...Array.from({ length: 600 }, (_, row) => `| ${row} | x \\| y |`)];
    expect(rowsOf(await parse(bars.join('\n')))).toHaveLength(601);
    const inList = await parse(
      `- item\n\n${table(400, 5)
        .map((line) => `  ${line}`)
        .join('\n')}\n\n  more\n`,
    );
    expectWellFormed(inList);
    expect(inList.blocks.map(({ kind }) => kind)).toEqual(['list-item']);
  });

  it('hide behind as many characters, line by line', () => {
    const line = fc.constantFrom('| a | b |', '|---|---|', '| `x` | 😀 |', '', 'text', '```', '# h', '  | a | b |');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, isLong) => {
        const source = [...lines, ...(isLong ? table(400, 3) : []), ...lines].join('\n');
        const { text, rows } = hideLongTables(source);
        expect(text.length).toBe(source.length);
        expect([...text.matchAll(/\n/g)].map(({ index }) => index)).toEqual(
          [...source.matchAll(/\n/g)].map(({ index }) => index),
        );
        for (const { start, end } of rows) {
          expect(text.slice(start, end).trim()).toBe('');
          expect(source.slice(start, end)).toMatch(/^\|.*\|$/u);
        }
      }),
    );
  });
});
