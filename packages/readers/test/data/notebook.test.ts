import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import type { ParsedDocument } from '../../src/document.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const parse = async (value: unknown): Promise<ParsedDocument> => {
  const document = await parseFile({ name: 'a.ipynb', bytes: Buffer.from(JSON.stringify(value)) });
  expectWellFormed(document);
  return document;
};
const places = ({ text, places: found }: ParsedDocument): string[] =>
  found.map(({ label, start, end }) => `${label}: ${text.slice(start, end)}`);

describe('notebooks', () => {
  it('have cells with their outputs as places', async () => {
    const document = await parse({
      cells: [
        { cell_type: 'markdown', source: ['# Costs\n', '\n', '- one\n', '- two'] },
        {
          cell_type: 'code',
          source: 'total()',
          outputs: [
            { output_type: 'stream', text: ['\u001b[31m42\u001b[0m\n'] },
            { output_type: 'display_data', data: { 'text/plain': '<Figure>', 'image/png': 'AAAA' } },
            {
              output_type: 'execute_result',
              data: { 'text/html': '<table><tr><th>a</th></tr><tr><td>1</td></tr></table>', 'text/plain': 'a 1' },
            },
            { output_type: 'error', ename: 'ValueError', evalue: 'too many', traceback: ['long'] },
          ],
        },
        { cell_type: 'raw', source: 'as it is' },
      ],
      metadata: { language_info: { name: 'python' }, authors: [{ name: 'Ann' }] },
      nbformat: 4,
    });
    expect(places(document)).toEqual([
      'cell 1: # Costs\n\n- one\n- two',
      'cell 2: total()\n\n42\n\n<Figure>\n\na\n1\n\nValueError: too many',
      'cell 3: as it is',
    ]);
    expect(document.title).toBe('Costs');
    expect(document.metadata).toEqual({ cells: 3, programmingLanguage: 'python', author: 'Ann' });
    expect(document.warnings).toEqual(['An image is not read.']);
    expect(document.blocks.map(({ kind }) => kind)).toEqual(
      'heading list-item list-item code other other table-row table-row other paragraph'.split(' '),
    );
  });

  it('of version 3 are read too', async () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: 'Old' },
      { cell_type: 'code', input: 'x', outputs: [{ output_type: 'pyout', text: '7', png: 'AA' }] },
    ];
    const document = await parse({ worksheets: [{ cells }], nbformat: 3 });
    expect(places(document)).toEqual(['cell 1: Old', 'cell 2: x\n\n7']);
    expect(document.headings).toMatchObject([{ level: 2, title: 'Old' }]);
    expect(document.warnings).toHaveLength(1);
  });

  it('are refused without cells or text', async () => {
    for (const value of [{}, [], { cells: 'no' }, { cells: [] }, { cells: [null, 7, { cell_type: 'code' }] }])
      await expect(parse(value)).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it('of the samples keep every cell', async () => {
    const path = sharedData('documents', 'office', 'markitdown-test_notebook.ipynb');
    if (path === undefined) return;
    const document = await parseFile({ name: 'a.ipynb', bytes: readFileSync(path) });
    expectWellFormed(document);
    expect(document.title).toBe('Test Notebook Title');
    expect(places(document)).toEqual([
      'cell 1: # Test Notebook',
      'cell 2: print("markitdown")\n\nmarkitdown',
      'cell 3: ## Code Cell Below',
      'cell 4: # comment in code\nprint(42)\n\n42',
      'cell 5: End\n\n---',
    ]);
  });
});
