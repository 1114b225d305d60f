// Small office files of every kind, made by hand: each holds what its format is read for.
import { relationships, zipOf } from './zip-fixture.ts';

const core = `<?xml version="1.0"?><cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Figures &amp; facts</dc:title>
<dc:creator>Ada</dc:creator><dc:language>en-GB</dc:language><dcterms:created>2024-03-05T10:00:00Z</dcterms:created></cp:coreProperties>`;

/** Rows of `<c>` elements: a number, or a text, or the attributes and content as written. */
export const cells = (row: number, values: readonly (number | string | undefined)[]): string =>
  `<row r="${row}">${values
    .map((value, column) => {
      const at = `${String.fromCharCode(65 + column)}${row}`;
      if (value === undefined) return '';
      if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
      return value.startsWith('<')
        ? value.replace('<c', `<c r="${at}"`)
        : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    })
    .join('')}</row>`;

export interface SheetFixture {
  readonly name: string;
  readonly data: string;
  readonly state?: string;
  /** Behind the data: merges and the like. */
  readonly after?: string;
  readonly dimension?: string;
}

/** Style 1 is a date (d-mmm-yy), 2 the reader's short date, 3 a percentage, 4 bold. */
const styles = `<styleSheet xmlns="m"><numFmts><numFmt numFmtId="164" formatCode="d\\-mmm\\-yy"/></numFmts>
<fonts><font/><font><b/></font></fonts>
<cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="164" fontId="0"/><xf numFmtId="14" fontId="0"/><xf numFmtId="10" fontId="0"/><xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>`;

export function xlsxOf(
  sheets: readonly SheetFixture[],
  extra: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array {
  const sheetEntries = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"${state === undefined ? '' : ` state="${state}"`}/>`,
  );
  return zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'docProps/core.xml': core,
    'xl/workbook.xml': `<workbook xmlns="m" xmlns:r="r"><sheets>${sheetEntries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      ...Object.fromEntries(
        sheets.map((_, index) => [`rId${index + 1}`, ['worksheet', `worksheets/sheet${index + 1}.xml`] as const]),
      ),
      rIdS: ['styles', 'styles.xml'],
      rIdT: ['sharedStrings', 'sharedStrings.xml'],
    }),
    'xl/styles.xml': styles,
    'xl/sharedStrings.xml':
      '<sst xmlns="m"><si><t>shared</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>reading</t></rPh></si></sst>',
    ...Object.fromEntries(
      sheets.map(({ data, after = '', dimension = 'A1' }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="m"><dimension ref="${dimension}"/><sheetData>${data}</sheetData>${after}</worksheet>`,
      ]),
    ),
    ...extra,
  });
}

/** A shape of a slide: its text at a position, in a placeholder of a type where one is given. */
export const shape = (text: string, [x, y]: readonly [number, number], type?: string): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="s"/><p:nvPr>${type === undefined ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr>
<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="1000" cy="200"/></a:xfrm></p:spPr>
<p:txBody>${text
    .split('\n')
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;

export interface SlideFixture {
  readonly shapes: string;
  readonly notes?: string;
  readonly isHidden?: boolean;
  readonly relations?: Readonly<Record<string, readonly [string, string]>>;
}

const drawn = 'xmlns:p="p" xmlns:a="a" xmlns:r="r" xmlns:c="c" xmlns:mc="mc"';

/** The slides are stored in the opposite order, so that only the presentation says which comes first. */
export function pptxOf(
  slides: readonly SlideFixture[],
  extra: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array {
  const parts: Record<string, string> = {};
  [...slides.entries()].reverse().forEach(([index, { shapes, notes, isHidden, relations }]) => {
    const number = slides.length - index;
    parts[`ppt/slides/slide${number}.xml`] =
      `<p:sld ${drawn}${isHidden ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relationships({
      ...relations,
      ...(notes === undefined ? {} : { rIdN: ['notesSlide', `../notesSlides/notes${number}.xml`] }),
    });
    if (notes !== undefined)
      parts[`ppt/notesSlides/notes${number}.xml`] =
        `<p:notes ${drawn}><p:cSld><p:spTree>${shape(notes, [0, 0], 'body')}${shape('7', [0, 0], 'sldNum')}</p:spTree></p:cSld></p:notes>`;
  });
  return zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'docProps/core.xml': core,
    'ppt/presentation.xml': `<p:presentation ${drawn}><p:sldIdLst>${slides
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      Object.fromEntries(
        slides.map((_, index) => [`rId${index + 1}`, ['slide', `slides/slide${slides.length - index}.xml`] as const]),
      ),
    ),
    ...parts,
    ...extra,
  });
}

export const openDocumentNames = [
  'office',
  'text',
  'table',
  'draw',
  'style',
  'svg',
  'presentation',
  'xlink',
  'dc',
  'meta',
  'math',
]
  .map((prefix) => `xmlns:${prefix}="urn:${prefix}"`)
  .join(' ');

/** An OpenDocument file of a kind (`text`, `spreadsheet`, `presentation`) with this body. */
export function openDocumentOf(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  {
    styles: automatic = '',
    extra = {},
  }: { readonly styles?: string; readonly extra?: Readonly<Record<string, string | Uint8Array>> } = {},
): Uint8Array {
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<?xml version="1.0"?><office:document-content ${openDocumentNames}><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'meta.xml': `<office:document-meta ${openDocumentNames}><office:meta><dc:title>Figures</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Bob</dc:creator><meta:creation-date>2024-03-05T10:00:00</meta:creation-date><dc:language>de-DE</dc:language></office:meta></office:document-meta>`,
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="m"/>',
    ...extra,
  });
}

/** A book whose spine has these XHTML bodies, with this navigation document and these further files. */
export function epubOf(
  chapters: Readonly<Record<string, string>>,
  {
    navigation = '',
    extra = {},
  }: { readonly navigation?: string; readonly extra?: Readonly<Record<string, string | Uint8Array>> } = {},
): Uint8Array {
  const names = Object.keys(chapters);
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="c"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns="o"><metadata xmlns:dc="d"><dc:title>The Book</dc:title><dc:creator>Ada</dc:creator><dc:creator>Bob</dc:creator><dc:language>en</dc:language><dc:date>2008-01-15</dc:date></metadata>
<manifest>${Object.keys(extra)
      .filter((name) => name.endsWith('.png'))
      .map(
        (name, index) =>
          `<item id="p${index}" href="${encodeURI(name.replace('OEBPS/', ''))}" media-type="image/png"/>`,
      )
      .join('')}<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>${names
      .map(
        (name, index) => `<item id="c${index}" href="${encodeURIComponent(name)}" media-type="application/xhtml+xml"/>`,
      )
      .join(
        '',
      )}</manifest><spine>${names.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    'OEBPS/nav.xhtml': `<html xmlns="h" xmlns:epub="e"><body><nav epub:type="toc"><ol>${navigation}</ol></nav></body></html>`,
    ...Object.fromEntries(
      Object.entries(chapters).map(([name, body]) => [
        `OEBPS/${name}`,
        `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
      ]),
    ),
    ...extra,
  });
}
