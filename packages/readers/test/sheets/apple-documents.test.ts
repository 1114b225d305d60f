import { PDFDocument, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { zipOf } from '../../testkit/zip-fixture.ts';

async function preview(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  pdf.addPage().drawText('What the letter says.', { font, x: 50, y: 700 });
  return pdf.save();
}

describe('documents of Pages and Keynote', () => {
  it('are read by their preview, also those of before 2013', async () => {
    const bytes = zipOf({ 'index.xml': '<sl:document/>', 'QuickLook/Preview.pdf': await preview() });
    const document = await parseFile({ name: 'letter.pages', bytes });
    expect(document.text).toBe('What the letter says.');
    expect(document.mime).toBe('application/vnd.apple.pages');
  });

  it('are what their name says where they hold a table, too', async () => {
    const bytes = zipOf({
      'Index/Document.iwa': 'x',
      'Index/Tables/DataList.iwa': 'x',
      'Index/CalculationEngine.iwa': 'x',
    });
    await expect(parseFile({ name: 'letter.pages', bytes })).rejects.toMatchObject({
      code: 'unsupported-media',
      message: expect.stringContaining('document of Pages'),
    });
    const slides = zipOf({ 'index.apxl': '<key:presentation/>' });
    await expect(parseFile({ name: 'talk.key', bytes: slides })).rejects.toMatchObject({
      message: expect.stringContaining('document of Keynote'),
    });
  });
});
