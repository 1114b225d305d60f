// The letters that names of glyphs stand for, by the rules of the Adobe Glyph List (github.com/adobe-type-tools/agl-specification). PDFium has the
// list and knows "uni" and "u" with one code point; it does not know that "_" joins parts and that "uni" may have several code points.
import type { OpenPdf } from '../engines/pdf-module.ts';

/** The parts of a name: what follows the first "." is a variant. */
function partsOf(name: string): string[] {
  const parts = name.slice(0, `${name}.`.indexOf('.')).split('_');
  return parts.flatMap((part) =>
    /^uni(?:[0-9A-F]{4})+$/.test(part) ? (part.slice(3).match(/.{4}/g) ?? []).map((code) => `uni${code}`) : [part],
  );
}

export const isComposed = (name: string): boolean => partsOf(name).length > 1;

/** A file may tell many names and long ones: what is beyond stays unknown. */
const mostNames = 4000;
const mostParts = 16;
/** PDFium also has the dingbats, which are called a1 to a206: in other fonts those are numbers of glyphs. */
const listed = /^(?!a\d+$)[A-Za-z][A-Za-z0-9]{0,39}$/;

/** By name: its letters. A name of which any part says nothing is left out, so that no letter is lost unseen. */
export function lettersOfNames(open: OpenPdf, names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const parted = [...names]
    .map((name) => [name, partsOf(name)] as const)
    .filter(([, parts]) => parts.length <= mostParts);
  const known = lookUp(
    open,
    [...new Set(parted.flatMap(([, parts]) => parts))].filter((part) => listed.test(part)),
  );
  const letters = new Map<string, string>();
  for (const [name, parts] of parted)
    if (parts.every((part) => known.has(part))) letters.set(name, parts.map((part) => known.get(part)).join(''));
  return letters;
}

const namesOfFont = 250;
/** No control character, no half of a pair, nothing beyond Unicode. */
const isLetter = (code: number): boolean => code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);

/** Shows a page of glyphs with these names to PDFium, each on a line of its own, and reads the letters. */
function lookUp({ pdfium, memory }: OpenPdf, wanted: readonly string[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  const names = wanted.slice(0, mostNames);
  const fonts: string[] = [];
  const lines: string[] = [];
  names.forEach((name, at) => {
    const [font, place] = [Math.floor(at / namesOfFont), at % namesOfFont];
    fonts[font] =
      `${fonts[font] ?? `/F${font}<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1`}/${name}`;
    lines.push(`BT /F${font} 1 Tf 0 ${at * 9} Td <${(place + 1).toString(16).padStart(2, '0')}> Tj ET`);
  });
  const content = lines.join('\n');
  const bytes = Buffer.from(`%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<<${fonts.map((font) => `${font}]>>>>`).join('')}>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
trailer<</Root 1 0 R>>
`);
  const data = memory.allocate(bytes.length);
  memory.write(bytes, data);
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, '');
  const page = pdfium.FPDF_LoadPage(document, 0);
  const text = pdfium.FPDFText_LoadPage(page);
  const places = new Map(names.map((name, at) => [pdfium.FPDFPage_GetObject(page, at), name]));
  const count = pdfium.FPDFText_CountChars(text);
  for (let index = 0; index < count; index++) {
    const name = places.get(pdfium.FPDFText_GetTextObject(text, index));
    const code = pdfium.FPDFText_GetUnicode(text, index);
    const isKnown = isLetter(code) && pdfium.FPDFText_HasUnicodeMapError(text, index) === 0;
    if (name !== undefined && isKnown && pdfium.FPDFText_IsGenerated(text, index) === 0)
      known.set(name, (known.get(name) ?? '') + String.fromCodePoint(code));
  }
  pdfium.FPDFText_ClosePage(text);
  pdfium.FPDF_ClosePage(page);
  pdfium.FPDF_CloseDocument(document);
  return known;
}
