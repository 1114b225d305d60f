// Letters of fonts that tell them by glyph names alone (ligatures, variants, code points), as the Adobe Glyph List reads such names.
import { PDFDocument, type PDFFont, PDFName, type PDFObject, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { createPdfMemory, loadPdfium } from '../../src/engines/pdf-module.ts';
import { readPdf } from '../../src/pages/pdf-reader.ts';
import { ReadError } from '../../src/read-error.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { spoiled } from '../../testkit/spoiled.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

interface FontOptions {
  readonly subtype?: string;
  readonly first?: number;
  readonly more?: Readonly<Record<string, PDFObject | string>>;
  /** How the encoding of the font is put down. */
  readonly encoding?: 'direct' | 'indirect' | 'indirect differences';
}

function glyphFont(document: PDFDocument, names: readonly string[], options: FontOptions = {}): PDFObject {
  const { subtype = 'Type1', first = 1, more = {}, encoding = 'indirect' } = options;
  const { context } = document;
  const differences = context.obj([first, ...names.map((name) => PDFName.of(name))]);
  const dictionary = context.obj({
    Type: 'Encoding',
    BaseEncoding: 'WinAnsiEncoding',
    Differences: encoding === 'indirect differences' ? context.register(differences) : differences,
  });
  const drawn = context.stream('500 0 0 0 500 500 d1 0 0 400 400 re f');
  const outlines = {
    FontBBox: [0, 0, 500, 500],
    FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
    CharProcs: Object.fromEntries(names.map((name) => [name, context.register(drawn)])),
  };
  return context.obj({
    Type: 'Font',
    Subtype: subtype,
    ...(subtype === 'Type3' ? outlines : { BaseFont: 'Times-Roman' }),
    FirstChar: 0,
    LastChar: 255,
    Widths: Array.from({ length: 256 }, () => 500),
    Encoding: encoding === 'direct' ? dictionary : context.register(dictionary),
    ...more,
  });
}

const octal = (code: number): string => `\\${code.toString(8).padStart(3, '0')}`;

/** A page that shows the operators in F1, which is given, and in F2, Helvetica. */
function addPage(document: PDFDocument, font: PDFObject, { operators, plain }: { operators: string; plain: PDFFont }) {
  const page = document.addPage([600, 200]);
  page.node.set(PDFName.of('Resources'), document.context.obj({ Font: { F1: font, F2: plain.ref } }));
  page.node.set(
    PDFName.of('Contents'),
    document.context.register(document.context.stream(`BT /F1 10 Tf 20 100 Td ${operators} ET`)),
  );
}

async function pdfOf(names: readonly string[], options: FontOptions = {}, operators?: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const { first = 1 } = options;
  // Each glyph between characters that are known, on a line of its own.
  const shown = names.map((_, at) => `0 -14 Td (<) Tj (${octal(first + at)}) Tj (>) Tj`).join(' ');
  addPage(document, glyphFont(document, names, options), { operators: operators ?? `0 90 Td ${shown}`, plain });
  return document.save();
}

async function textOf(bytes: Uint8Array, password?: string): Promise<string> {
  const parsed = await parseFile({
    name: 'a.pdf',
    bytes,
    recognition: { off: true },
    ...(password !== undefined && { password }),
  });
  expectWellFormed(parsed);
  return parsed.text;
}

const glyphsOf = async (names: readonly string[], options: FontOptions = {}): Promise<string[]> =>
  [...(await textOf(await pdfOf(names, options))).matchAll(/<([^>]*)>/gu)].map(([, glyph = '']) => glyph);

const letters: Readonly<Record<string, string>> = {
  f_i: 'fi',
  f_f_i: 'ffi',
  fi: 'fi',
  uniFB01: 'fi',
  u1F600: '😀',
  'g_g.alt': 'gg',
  'a.sc': 'a',
  'one.oldstyle': '1',
  uni00660069: 'fi',
  T_h: 'Th',
  'c_t.liga.alt': 'ct',
};
const others: Readonly<Record<string, string>> = {
  longs_t: 'ſt',
  uni0066_u0069: 'fi',
  u1F600_Aring: '😀Å',
  afii10017_afii10018: 'АБ',
  'one_slash_two.frac': '1/2',
  'uni0043007A.case': 'Cz',
  germandbls_s: 'ßs',
};

describe('letters told by names of glyphs alone', () => {
  it.each(['Type1', 'MMType1', 'TrueType', 'Type3'])('are those of the parts of the names, in %s', async (subtype) => {
    for (const [names, expected] of [letters, others].map((map) => [Object.keys(map), Object.values(map)] as const)) {
      expect(await glyphsOf(names, { subtype })).toEqual(expected);
      // Where other letters have their places, which must not be read in their stead.
      expect(await glyphsOf(names, { subtype, first: 0x61 })).toEqual(expected);
    }
    expect(await glyphsOf(['f_i', 'f_l'], { subtype, first: 0 })).toEqual(['fi', 'fl']);
  });

  it.each(['direct', 'indirect', 'indirect differences'] as const)(
    'are found in an encoding that is %s',
    async (encoding) => {
      expect(await glyphsOf(['f_i', 'g_g.alt'], { encoding })).toEqual(['fi', 'gg']);
    },
  );

  it('are found in words, in files with and without compressed objects, for fonts that a tree of pages hands down', async () => {
    for (const useObjectStreams of [true, false]) {
      const document = await PDFDocument.create();
      const plain = await document.embedFont(StandardFonts.Helvetica);
      const font = document.context.register(glyphFont(document, ['f_i', 'f_f_i']));
      addPage(document, font, { operators: '(No ligature.) Tj', plain });
      addPage(document, font, { operators: '(The con\\001dential o\\002ce.) Tj', plain });
      const [first, last] = document.getPages();
      first?.node.Parent()?.set(PDFName.of('Resources'), document.context.obj({ Font: { F1: font } }));
      last?.node.delete(PDFName.of('Resources'));
      expect(await textOf(await document.save({ useObjectStreams }))).toBe('No ligature.\n\nThe confidential office.');
    }
  });

  it('are found in a form that has a font of its own, told in place', async () => {
    const document = await PDFDocument.create();
    const { context } = document;
    const form = context.stream('BT /F1 10 Tf 20 100 Td (pro\\001le) Tj ET', {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 600, 200],
      Resources: { Font: { F1: glyphFont(document, ['f_i'], { encoding: 'direct' }) } },
    });
    const page = document.addPage([600, 200]);
    page.node.set(PDFName.of('Resources'), context.obj({ XObject: { X1: context.register(form) } }));
    page.node.set(PDFName.of('Contents'), context.register(context.stream('/X1 Do')));
    expect(await textOf(await document.save())).toBe('profile');
  });

  it('are told apart by font, though two fonts have the same name', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([600, 200]);
    const { context } = document;
    const [one, two] = [['f_i'], ['T_h']].map((names) => glyphFont(document, names));
    page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: one as PDFObject, F2: two as PDFObject } }));
    const operators = 'BT /F1 10 Tf 20 100 Td (\\001nd) Tj ET BT /F2 10 Tf 20 60 Td (\\001e) Tj ET';
    page.node.set(PDFName.of('Contents'), context.register(context.stream(operators)));
    expect((await textOf(await document.save())).split(/\n+/u)).toEqual(['find', 'The']);
  });

  it('stay where they stand', async () => {
    const bytes = await pdfOf(['f_i'], {}, '(a con\\001dential file) Tj');
    const [page] = (await readPdf(bytes, 'a.pdf')).pages;
    // Every glyph is half of 10 points wide, the ligature as well.
    expect(page?.words.map(({ text, x, width }) => [text, Math.round(x), Math.round(width)])).toEqual([
      ['a', 20, 5],
      ['confidential', 30, 55],
      ['file', 90, 20],
    ]);
  });

  it('yield to the character map of the font', async () => {
    const map =
      'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <01> <0058> endbfchar endcmap';
    const document = await PDFDocument.create();
    const plain = await document.embedFont(StandardFonts.Helvetica);
    const ToUnicode = document.context.register(document.context.stream(map));
    // A second font shares the encoding, and has no map.
    const mapped = glyphFont(document, ['f_i', 'f_l'], { more: { ToUnicode } });
    addPage(document, mapped, { operators: '(a\\001b\\002) Tj', plain });
    const text = await textOf(await document.save());
    expect(text.startsWith('aXb')).toBe(true);
    expect(text).not.toContain('fl');
  });

  it('are shown as unknown where the names say nothing', async () => {
    const names = ['foo', 'f_foo', 'cid_12', '_', 'f_', 'uniD83D_f', 'u110000_f', '.alt', 'uni006', 'a1_a2'];
    for (const subtype of ['Type1', 'Type3'])
      expect(await glyphsOf(names, { subtype, first: 0x10 })).toEqual(names.map(() => '\ufffd'));
    // Numbers of glyphs, which in the font of the dingbats would be signs.
    expect(await glyphsOf(['a11', 'a12'], { subtype: 'Type3', first: 0x41 })).toEqual(['A', 'B']);
  });

  it('stay as they were where the page leads to too much to be copied, which is told', async () => {
    const document = await PDFDocument.create();
    const plain = await document.embedFont(StandardFonts.Helvetica);
    addPage(document, glyphFont(document, ['f_i']), { operators: '(a\\001b) Tj', plain });
    let chain = document.context.register(document.context.obj({}));
    for (let link = 0; link < 100_000; link++) chain = document.context.register(document.context.obj({ Next: chain }));
    document.getPage(0).node.set(PDFName.of('PieceInfo'), chain);
    const { pages, warnings } = await readPdf(await document.save(), 'a.pdf');
    expect(pages[0]?.words.map(({ text }) => text)).toEqual(['a\ufffdb']);
    expect(warnings).toEqual(['Letters that fonts tell only by names of glyphs could not be looked up: page 1.']);
    expect(await textOf(await pdfOf(['f_i']))).toBe('<fi>');
  });

  it('are read in an encrypted file', async () => {
    const pdfium = await loadPdfium();
    const memory = createPdfMemory(pdfium);
    const bytes = await pdfOf(['f_i', 'f_f_l']);
    const data = memory.allocate(bytes.length);
    memory.write(bytes, data);
    const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, '');
    expect(pdfium.EPDF_SetEncryption(document, 'sesame', 'owner', 0)).toBe(true);
    const writer = pdfium.PDFiumExt_OpenFileWriter();
    pdfium.PDFiumExt_SaveAsCopy(document, writer);
    const length = pdfium.PDFiumExt_GetFileWriterSize(writer);
    const saved = memory.allocate(length);
    pdfium.PDFiumExt_GetFileWriterData(writer, saved, length);
    const locked = memory.read(saved, length);
    pdfium.PDFiumExt_CloseFileWriter(writer);
    pdfium.FPDF_CloseDocument(document);
    memory.freeAll();
    await expect(textOf(locked)).rejects.toMatchObject({ details: { reason: 'password-needed' } });
    expect(await textOf(locked, 'sesame')).toBe('<fi>\n<ffl>');
  });

  it('are read beside the values of a form', async () => {
    const document = await PDFDocument.create();
    const plain = await document.embedFont(StandardFonts.Helvetica);
    addPage(document, glyphFont(document, ['f_i']), { operators: '(con\\001dential) Tj', plain });
    const field = document.getForm().createTextField('name');
    field.setText('Ada Brook');
    field.addToPage(document.getPage(0), { x: 20, y: 40, width: 200, height: 20, font: plain });
    expect((await textOf(await document.save())).split(/\n+/u)).toEqual(
      expect.arrayContaining(['confidential', 'Ada Brook']),
    );
  });

  it('end in text or in a reason of ours, however a file is spoiled', { timeout: 60_000 }, async () => {
    const document = await PDFDocument.create();
    const plain = await document.embedFont(StandardFonts.Helvetica);
    for (const subtype of ['Type1', 'Type3'])
      addPage(document, glyphFont(document, ['f_i', 'T_h.x'], { subtype }), { operators: '(a\\001b\\002) Tj', plain });
    const bytes = await document.save({ useObjectStreams: false });
    let read = 0;
    for (let seed = 0; seed < 300; seed++) {
      const outcome = await readPdf(spoiled(bytes, seed), 'a.pdf').catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ReadError);
      else if (JSON.stringify(outcome).includes('afib')) read++;
    }
    expect(read).toBeGreaterThan(100);
  });

  it('cost little, however many fonts and pages have such names', { timeout: 60_000 }, async () => {
    const document = await PDFDocument.create();
    const plain = await document.embedFont(StandardFonts.Helvetica);
    const names = Array.from({ length: 250 }, (_, at) => `f_${'i_'.repeat(at)}i`);
    for (let index = 0; index < 100; index++)
      addPage(document, glyphFont(document, names), { operators: '(a\\001b) Tj', plain });
    const bytes = await document.save();
    const before = process.cpuUsage();
    const { pages } = await readPdf(bytes, 'a.pdf');
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
    expect(new Set(pages.map(({ words }) => words.map(({ text }) => text).join(' ')))).toEqual(new Set(['afib']));
  });
});
