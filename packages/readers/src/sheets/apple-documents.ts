// Documents of Apple's Pages, Keynote and Numbers (a ZIP of packed objects): tables by SheetJS, texts and slides by the PDF that some of them hold for
// looking at. Others are refused with what to do: the objects themselves are not documented.
import { read } from '@e965/xlsx';
import { openZip } from '../containers/zip.ts';
import { pdf } from '../pages/pdf.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { bookDocument } from './spreadsheet-xls.ts';

const pages = 'application/vnd.apple.pages';
const keynote = 'application/vnd.apple.keynote';
const numbers = 'application/vnd.apple.numbers';

/** Where a document holds itself as PDF, if its author asked for a preview. */
const previews = ['QuickLook/Preview.pdf', 'preview.pdf'];

export const appleDocument: Parser = {
  name: 'apple-document',
  mimes: [pages, keynote],
  parse: async (input: ParseInput) => {
    const zip = openZip(input.bytes, input.name);
    const path = previews.find((one) => zip.has(one));
    const bytes = path === undefined ? undefined : zip.bytes(path);
    const program = input.mime === keynote ? 'Keynote' : 'Pages';
    if (bytes === undefined)
      throw new ReadError(
        'unsupported-media',
        `${input.name} is a document of ${program} that holds nothing others could read. Export it as PDF (File > Export To).`,
      );
    const document = await pdf.parse({ ...input, bytes, mime: 'application/pdf' });
    return {
      ...document,
      mime: input.mime ?? pages,
      warnings: [...document.warnings, `Read from the preview (PDF) that ${program} put into the file.`],
    };
  },
};

export const appleNumbers: Parser = {
  name: 'apple-numbers',
  mimes: [numbers],
  parse: async (input: ParseInput) => {
    // Judges its directory before anything is unpacked.
    openZip(input.bytes, input.name);
    let book: ReturnType<typeof read>;
    try {
      book = read(input.bytes, { type: 'array', dense: true, cellNF: true, cellFormula: false, cellHTML: false });
    } catch (error) {
      throw new ReadError(
        'invalid-media',
        `${input.name} cannot be read as a document of Numbers. Export it as XLSX or CSV (File > Export To).`,
        { cause: error },
      );
    }
    return bookDocument(book, input, { mime: numbers });
  },
};
