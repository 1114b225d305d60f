import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from 'docx';
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../../src/ingest/parsers/registry.ts';
import { readZipDirectory } from '../../../src/ingest/parsers/zip.ts';

async function docx(): Promise<Uint8Array> {
  const cell = (text: string): TableCell => new TableCell({ children: [new Paragraph(text)] });
  const document = new Document({
    title: 'Minutes',
    creator: 'Ada',
    sections: [
      {
        children: [
          new Paragraph({ text: 'Agenda', heading: HeadingLevel.HEADING_1 }),
          new Paragraph({
            children: [new TextRun('We met '), new TextRun({ text: 'twice', bold: true }), new TextRun(' & left.')],
          }),
          new Paragraph({ text: 'point', bullet: { level: 0 } }),
          new Table({
            rows: [
              new TableRow({ children: [cell('a'), cell('b')] }),
              new TableRow({ children: [cell('1'), cell('2')] }),
            ],
          }),
        ],
      },
    ],
  });
  return new Uint8Array(await Packer.toBuffer(document));
}

describe('DOCX', () => {
  it('keeps headings, lists, tables and the facts of the file', async () => {
    const document = await parseFile({ name: 'a.docx', bytes: await docx() });
    expect(document.text).toBe('Agenda\n\nWe met twice & left.\n\n- point\n\na | b\n1 | 2');
    expect(document.headings).toMatchObject([{ level: 1, title: 'Agenda', start: 0 }]);
    expect(document).toMatchObject({ title: 'Minutes', metadata: { author: 'Ada' } });
  });

  it('refuses a truncated archive', async () => {
    const bytes = await docx();
    await expect(parseFile({ name: 'a.docx', bytes: bytes.subarray(0, bytes.length - 400) })).rejects.toMatchObject({
      code: 'invalid-media',
    });
  });

  it('refuses a bomb by its own directory, before anything is unpacked', async () => {
    const bytes = await docx();
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const directory = view.getUint32(bytes.length - 22 + 16, true);
    view.setUint32(directory + 24, 0x7fffffff, true);
    expect(() => readZipDirectory(bytes, 'a.docx')).toThrow(expect.objectContaining({ code: 'too-large' }));
  });
});
