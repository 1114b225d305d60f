import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../../src/core/document.ts';
import { parseFile } from '../../../src/ingest/parsers/registry.ts';
import { expectWellFormed } from './well-formed.ts';

const parse = (content: string): Promise<ParsedDocument> =>
  parseFile({ name: 'a.csv', bytes: new TextEncoder().encode(content) });

describe('CSV of any size', () => {
  it('with more columns than a spreadsheet holds is refused, with what to do', async () => {
    await expect(parse(`${'a,'.repeat(1_000_000)}b\n1,2\n`)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/a row of 1000001 cells; at most 16384 .* turn columns into rows/u) as string,
    });
    const wide = Array.from({ length: 16_384 }, (_, column) => `c${column}`);
    const document = await parse(`${wide.join(',')}\n${wide.map((_, column) => column + 1).join(',')}\n`);
    expect(document.text).toMatch(/; c16383: 16384$/u);
    // The names of the columns become a heading of every chunk: not all of them.
    expect(document.headings[0]?.title.length).toBeLessThan(410);
  });

  it('whose rows would grow too long with the names of their columns is refused before they do', async () => {
    const names = Array.from({ length: 100 }, (_, column) => `${'long name '.repeat(10)}${column}`);
    const row = names.map(() => '1').join(',');
    const before = process.memoryUsage.rss();
    await expect(parse(`${names.join(',')}\n${`${row}\n`.repeat(20_000)}`)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('holds more than 67108864 characters') as string,
    });
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(400);
  });

  it('with quotes that follow no rule is read as it stands, and every row once', async () => {
    const document = await parse(`a,b\n1,2\n"x,3\n${'y,4\n'.repeat(3000)}`);
    expectWellFormed(document);
    expect(document.text.split('\n').slice(0, 4)).toEqual(['a | b', 'a: 1; b: 2', 'a: "x; b: 3', 'a: y; b: 4']);
    expect(document.metadata['rows']).toBe(3002);
    expect(document.places.at(-1)?.label).toBe('row 3003');
  });

  it('of one row, or of rows without content, is what it is', async () => {
    expect((await parse('name,value\n')).text).toBe('column 1: name; column 2: value');
    expect((await parse('\n,\n\u00a0,\nname,value\n,\nAda,1\n')).text).toBe('name | value\nname: Ada; value: 1');
  });
});
