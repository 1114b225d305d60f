// Reads the real office files of the evaluation data, and counts how many of the words in their XML the parsers give: an oracle that knows
// nothing of the formats but which parts hold text.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import { openZip } from '../../src/containers/zip.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';
import { wordsFound } from '../../testkit/words-found.ts';

const folder = sharedData('documents', 'office');

/** The text of all elements that hold any, with blanks for tags that part words. */
const strip = (xml: string): string =>
  xml
    .replace(/<head>[\s\S]*?<\/head>|<\?[^>]*>|<(?:m:ctrlPr|w:instrText)\b[\s\S]*?<\/(?:m:ctrlPr|w:instrText)>/gu, ' ')
    .replace(/<\/(?:[\w]+:)?(?:p|si|h\d|li|tr|td|div|c|v|title|text|r|pt)>|<(?:br|w:br|w:tab)[^>]*>/gu, ' ')
    .replace(/<[^>]+>/gu, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/&#(\d+);/gu, (_, code: string) => String.fromCodePoint(Number(code)));

describe.skipIf(folder === undefined)('words of real office files', () => {
  it.each([
    ['markitdown-test.docx', /^word\/document\.xml$/u],
    ['markitdown-equations.docx', /^word\/document\.xml$/u],
    ['markitdown-rlink.docx', /^word\/document\.xml$/u],
    ['markitdown-test.pptx', /^ppt\/(?:slides|notesSlides)\/[^/]+\.xml$/u],
    ['markitdown-test.xlsx', /^xl\/sharedStrings\.xml$/u],
    ['markitdown-test.epub', /\.xhtml$/u],
    ['r2r-epub.epub', /\.(?:html|xhtml|xml)$/u],
    ['r2r-odt.odt', /^content\.xml$/u],
  ])('%s', async (name, parts) => {
    const bytes = new Uint8Array(readFileSync(`${folder}/${name}`));
    const zip = openZip(bytes, name);
    const expected = zip.entries
      .filter((entry) => parts.test(entry.name))
      .map((entry) => strip(zip.text(entry.name) ?? ''))
      .join('\n');
    expect(expected.length).toBeGreaterThan(20);
    const document = await parseFile({ name, bytes });
    expectWellFormed(document);
    expect(wordsFound(document.text, expected)).toBeGreaterThanOrEqual(0.97);
  });
});
