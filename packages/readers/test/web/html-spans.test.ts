// Cells of HTML tables that span: each figure under its header, and no page that grows without end.
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

async function rowsOf(table: string): Promise<string[]> {
  const document = await parseFile({
    name: 'a.html',
    bytes: Buffer.from(`<!doctype html><title>T</title><body>${table}`),
  });
  expectWellFormed(document);
  return document.blocks
    .filter(({ kind }) => kind === 'table-row')
    .map(({ start, end, isHeader }) => `${isHeader ? '# ' : ''}${document.text.slice(start, end)}`);
}

describe('the rows of an HTML table', () => {
  it('have each cell in its columns', async () => {
    const rows = await rowsOf(
      `<table><thead><tr><th rowspan=2>Site<th colspan=2>Depth<th rowspan=2>Note<tr><th>min<th>max</thead>
       <tbody><tr><td rowspan=2>Bay<td>1<td>2<td>a<tr><td>3<td>4<td>b<tr><td>Sound<td colspan=2>none<td>c
       <tr><td rowspan=0>Rest<td>9<td>8<td>d<tr><td>7<td>6<td>e</tbody><tbody><tr><td>Cape<td>5</tbody></table>`,
    );
    expect(rows).toEqual([
      '# Site | Depth |  | Note',
      '# Site | min | max | Note',
      'Site: Bay; Depth min: 1; Depth max: 2; Note: a',
      'Site: Bay; Depth min: 3; Depth max: 4; Note: b',
      'Site: Sound; Depth min: none; Note: c',
      'Site: Rest; Depth min: 9; Depth max: 8; Note: d',
      'Site: Rest; Depth min: 7; Depth max: 6; Note: e',
      'Site: Cape; Depth min: 5',
    ]);
  });

  it('have each cell in its columns below a header of one level', async () => {
    const rows = await rowsOf(
      `<table><tr><th>Site<th colspan=2>Depth<tr><td rowspan=2>Bay<td>1<td>2<tr><td>3<td>4<tr><td>Sound<td colspan=2>none</table>`,
    );
    expect(rows).toEqual(['# Site | Depth', 'Bay | 1 | 2', 'Bay | 3 | 4', 'Sound | none']);
  });

  it('say a long text once', async () => {
    const long = 'It was replaced in spring. '.repeat(10).trim();
    expect(await rowsOf(`<table><tr><td>1<td rowspan=2>${long}<td>a<tr><td>2<td>b</table>`)).toEqual([
      `1 | ${long} | a`,
      '2 |  | b',
    ]);
  });

  it('do not grow as their spans say', async () => {
    const wide = await rowsOf(
      `<table><tr>${'<td colspan=1000 rowspan=65534>x'.repeat(50)}${'<tr><td>y'.repeat(2000)}</table>`,
    );
    expect(wide.join('\n').length).toBeLessThan(100_000);
    const tall = await rowsOf(`<table><tr>${'<td rowspan=9000>x'.repeat(100)}${'<tr><td>y'.repeat(9000)}</table>`);
    expect(tall.join('\n').length).toBeLessThan(500_000);
    const without = await rowsOf(`<table><tr>${'<td rowspan=65534>x'.repeat(100)}${'<tr>'.repeat(9000)}</table>`);
    expect(without.join('\n').length).toBeLessThan(500_000);
  });
});
