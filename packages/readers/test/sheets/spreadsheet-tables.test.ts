// Which rows of a sheet name the columns of which others, as people lay out sheets: with an empty row under the header, a second table without one,
// forms beside tables. A wrong name is worse than none.
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { cells, xlsxOf } from '../../testkit/office-fixtures.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

type Content = readonly (string | number | undefined)[];

const textOf = async (rows: Readonly<Record<number, Content>>, after = ''): Promise<string> => {
  const data = Object.entries(rows)
    .map(([row, content]) => cells(Number(row), content))
    .join('');
  const document = await parseFile({ name: 'a.xlsx', bytes: xlsxOf([{ name: 'S', data, after }]) });
  expectWellFormed(document);
  return document.text;
};

/** As cells that are set in bold. */
const bold = (texts: readonly string[]): string[] =>
  texts.map((text) => `<c s="4" t="inlineStr"><is><t>${text}</t></is></c>`);

describe('the header of a table on a sheet', () => {
  it('names the rows below an empty one', async () => {
    const rows = { 1: ['Rates'], 2: ['Place', 'Code', 'Peak'], 4: ['Gambia', '220', 0.29], 5: ['Mali', '223', 0.31] };
    expect(await textOf(rows)).toContain('Place: Gambia; Code: 220; Peak: 0.29\nPlace: Mali; Code: 223; Peak: 0.31');
  });

  it('is found below rows of remarks, over figures', async () => {
    const rows = {
      1: ['Lots of people'],
      2: ['cannot resist writing', undefined, 'some notes'],
      3: ['at', 'the', 'top'],
      4: ['Name', 'Works as', 'Age'],
      5: ['Ann', 'nurse', 69],
      6: ['Bo', 'pilot', 60],
    };
    expect(await textOf(rows)).toBe(
      'S\n\nLots of people\n\ncannot resist writing | some notes\n\nat | the | top\n\nName | Works as | Age\nName: Ann; Works as: nurse; Age: 69\nName: Bo; Works as: pilot; Age: 60',
    );
    // Labels of groups among figures are none.
    const groups = { 1: ['North', 5, 6], 2: ['South', 'west', 'east'], 3: ['Ulm', 7, 8], 4: ['Bonn', 9, 1] };
    expect(await textOf(groups)).toContain('Ulm | 7 | 8');
  });

  it('is no row of data whose figures were typed as text', async () => {
    const rows = {
      1: ['Gambia', '220', '0.29', 'S'],
      2: ['Mali', '22020', '0.28', 'N'],
      3: ['Chad', '235', '0.3', 'N'],
    };
    expect(await textOf(rows)).toBe('S\n\nGambia | 220 | 0.29 | S\nMali | 22020 | 0.28 | N\nChad | 235 | 0.3 | N');
  });

  it('may hold numbers as text over numbers', async () => {
    const rows = { 1: ['Day', '1', '2', '3'], 2: ['Sold', 5, 6, 7], 3: ['Kept', 8, 9, 1] };
    expect(await textOf(rows)).toContain('Day: Sold; 1: 5; 2: 6; 3: 7');
  });

  it('is no first line of a form', async () => {
    const rows = { 1: ['Customer:', 'Comac Fund'], 2: ['Number:', 335], 3: ['Branch:', 161] };
    expect(await textOf(rows)).toBe('S\n\nCustomer: | Comac Fund\nNumber: | 335\nBranch: | 161');
  });

  it('does not name what follows under an empty row with other content', async () => {
    const rows = {
      1: ['Group', 'Share'],
      2: ['Residents', '<c s="3"><v>0.994</v></c>'],
      3: ['Others', '<c s="3"><v>0.006</v></c>'],
      5: ['Mean age', 28],
      6: ['Median age', 27],
    };
    expect(await textOf(rows)).toMatch(/Group: Others; Share: 0\.60%\n\nMean age \| 28\nMedian age \| 27$/u);
  });

  it('is a title where one cell is merged over most of the columns', async () => {
    const rows = { 1: ['Receipts 2019'], 2: ['Date', 'Detail', 'Sum', 'Fees'], 3: ['May', 'Dinner', 5, 6] };
    const after = '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>';
    expect(await textOf(rows, after)).toBe(
      'S\n\nReceipts 2019\n\nDate | Detail | Sum | Fees\nDate: May; Detail: Dinner; Sum: 5; Fees: 6',
    );
  });

  it('has two rows where most of its cells are merged over both', async () => {
    const rows = {
      1: ['Rod', 'Cycles', 'Growth'],
      2: [undefined, undefined, 'measured', 'foreseen'],
      3: ['C18', 4, 0.7, 0.8],
      4: ['C06', 5, 0.6, 0.7],
    };
    const after = '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:B2"/></mergeCells>';
    expect(await textOf(rows, after)).toContain('Rod: C18; Cycles: 4; Growth measured: 0.7; foreseen: 0.8');
  });

  it('begins another table where it stands in bold among others', async () => {
    const data =
      cells(1, bold(['City', 'Staff', 'Rent'])) +
      cells(2, ['Oslo', 4, 5]) +
      cells(3, bold(['Name', 'Age', 'Pay'])) +
      cells(4, ['Ann', 30, 7]);
    const bytes = xlsxOf([{ name: 'S', data }]);
    expect((await parseFile({ name: 'a.xlsx', bytes })).text).toBe(
      'S\n\nCity | Staff | Rent\nCity: Oslo; Staff: 4; Rent: 5\n\nName | Age | Pay\nName: Ann; Age: 30; Pay: 7',
    );
  });

  it('is no row of words that somebody set in bold, nor one that says the same as the next', async () => {
    const data =
      cells(1, bold(['Name', 'Role', 'City'])) +
      cells(2, ['Ann', 'member', 'Oslo']) +
      cells(3, bold(['Bo', 'chair', 'Rome'])) +
      cells(4, ['Cy', 'member', 'Bern']);
    const { text } = await parseFile({ name: 'a.xlsx', bytes: xlsxOf([{ name: 'S', data }]) });
    expect(text).toMatch(/\nName: Bo; Role: chair; City: Rome\nName: Cy; Role: member; City: Bern$/u);
    const rows = {
      1: ['Ann', 'chair', 'Oslo'],
      2: ['Bo', 'chair', 'Oslo'],
      3: ['Cy', 'clerk', 7],
      4: ['Di', 'cook', 8],
    };
    expect(await textOf(rows)).not.toContain('Ann Bo');
  });
});

describe('rows without a header', () => {
  it('keep their empty cells where they are a grid', async () => {
    const rows = { 1: [1, 2, 3], 2: [4, undefined, 5], 3: [undefined, 6, 7] };
    expect(await textOf(rows)).toBe('S\n\n1 | 2 | 3\n4 |  | 5\n| 6 | 7');
  });

  it('have none where they are a form, or hold one cell', async () => {
    const rows = {
      1: ['To', undefined, undefined, undefined, 'Ann'],
      2: [undefined, 'by', undefined, 'hand'],
      3: [undefined, undefined, 'Remarks'],
    };
    const wide = Array.from({ length: 12 }, (_, column) => column);
    const sparse = [1, ...Array<undefined>(10).fill(undefined), 2];
    expect(await textOf({ 1: wide, 2: wide, 3: sparse })).toMatch(/ \| 11\n1 \| 2$/u);
    expect(await textOf(rows)).toBe('S\n\nTo | Ann\nby | hand\nRemarks');
  });
});
