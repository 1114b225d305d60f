// Merged cells and repeated header rows of DOC and RTF: every figure stays under its header, as in DOCX and OpenDocument.
import { describe, expect, it } from 'vitest';
import { type CellEdges, createTableRows, type EdgedRow } from '../../src/canonical/table-spans.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { cellEdgesOf } from '../../src/words/word-doc-rows.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const known = (edges: readonly number[], more: Partial<CellEdges> = {}): CellEdges => ({
  edges,
  continues: edges.slice(1).map(() => false),
  isJoined: edges.slice(1).map(() => false),
  isHeader: false,
  ...more,
});
const linesOf = (rows: readonly EdgedRow[]): string[] => {
  const lines: string[] = [];
  const table = createTableRows((line) => lines.push(line));
  for (const row of rows) table.add(row, []);
  table.end();
  return lines;
};

describe('rows that know where their cells end', () => {
  it('leave the columns that a cell takes from others empty, and repeat what goes on from above', () => {
    expect(
      linesOf([
        { texts: ['Lamp', 'red', '4'], known: known([0, 2000, 4000, 6000]) },
        { texts: ['', 'blue', '5'], known: known([0, 2010, 3990, 6000], { continues: [true, false, false] }) },
        { texts: ['Both', '9'], known: known([0, 4000, 6000]) },
        { texts: ['7'], known: known([4000, 6000]) },
      ]),
    ).toEqual(['Lamp | red | 4', 'Lamp | blue | 5', 'Both |  | 9', '|  | 7']);
  });

  it('are written cell by cell where nothing, or something else, is said of them', () => {
    expect(linesOf([{ texts: ['a', 'b'] }, { texts: ['c', 'd'], known: known([0, 1, 2, 3, 4]) }])).toEqual([
      'a | b',
      'c | d',
    ]);
  });
});

describe('DOC', () => {
  /** Two cells, the first joined with the one above, the second with the one before. */
  const definition = Buffer.alloc(2 + 1 + 6 + 40);
  definition.writeUInt16LE(definition.length - 1, 0);
  definition[2] = 2;
  for (const [index, edge] of [-108, 2000, 4000].entries()) definition.writeInt16LE(edge, 3 + index * 2);
  definition.writeUInt16LE(1 << 5, 9);
  definition.writeUInt16LE(1, 29);

  it('says of a row where its cells end and how they are merged', () => {
    const read = (sprm: number): Buffer | undefined => ({ [0xd608]: definition, [0x3404]: Buffer.from([1]) })[sprm];
    expect(cellEdgesOf(read)).toEqual({
      edges: [-108, 2000, 4000],
      continues: [true, false],
      isJoined: [false, true],
      isHeader: true,
    });
  });

  it('says nothing where its definition is cut off or missing', () => {
    expect(cellEdgesOf(() => undefined)).toBeUndefined();
    expect(cellEdgesOf(() => definition.subarray(0, 6))).toBeUndefined();
    const short = cellEdgesOf((sprm) => (sprm === 0xd608 ? definition.subarray(0, 9) : undefined));
    expect(short).toMatchObject({ continues: [false, false], isHeader: false });
  });
});

describe('RTF', () => {
  it('names the columns below rows that are repeated on every page, and repeats merged cells', async () => {
    const cells = (texts: readonly string[]): string =>
      `\\pard\\intbl ${texts.map((text) => `${text}\\cell `).join('')}\\row`;
    const file = `{\\rtf1 Before\\par
\\trowd\\trhdr\\cellx2000\\clmgf\\cellx4000\\clmrg\\cellx6000${cells(['Country', 'Rates', ''])}
\\trowd\\trhdr\\cellx2000\\cellx4000\\cellx6000${cells(['', 'Full day', 'Half day'])}
\\trowd\\clvmgf\\cellx2000\\cellx4000\\cellx6000${cells(['Norway', '75', '40'])}
\\trowd\\clvmrg\\cellx2000\\cellx4000\\cellx6000${cells(['', '60', '30'])}
\\pard After\\par}`;
    const document = await parseFile({ name: 'a.rtf', bytes: new TextEncoder().encode(file) });
    expectWellFormed(document);
    expect(document.text.split(/\n+/u)).toEqual([
      'Before',
      'Country | Rates',
      '| Full day | Half day',
      'Country: Norway; Rates Full day: 75; Rates Half day: 40',
      'Country: Norway; Rates Full day: 60; Rates Half day: 30',
      'After',
    ]);
  });
});
