import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFile } from '@footnote/readers/registry/registry';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import type { Chunk } from '../../../src/core/document.ts';
import { sha256 } from '../../../src/core/ids.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { Footnote } from '../../../src/footnote/facade.ts';
import { chunkDocument } from '../../../src/ingest/chunk/chunk.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';

const header = ['Site', 'Turbidity', 'Salinity', 'Conductivity'];
const names = header.join(' | ');
const figure = (row: number, column: number): string => (((row * 7919 + column * 104_729) % 997) / 10).toFixed(1);
const rows: readonly (readonly string[])[] = Array.from({ length: 500 }, (_, row) => [
  `Station ${String.fromCharCode(65 + (row % 26))}${100 + row}`,
  ...[1, 2, 3].map((column) => figure(row, column)),
]);

const markdownTable = (body = rows): string =>
  `| ${names} |\n|---|---|---|---|\n${body.map((row) => `| ${row.join(' | ')} |`).join('\n')}`;
const htmlTable = (tag: 'th' | 'td', body = rows): string => {
  const line = (cells: readonly string[], cell: string): string =>
    `<tr>${cells.map((text) => `<${cell}>${text}</${cell}>`).join('')}</tr>`;
  return `<table>${line(header, tag)}${body.map((row) => line(row, 'td')).join('')}</table>`;
};

async function pdfTable(body = rows): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const lines = [header, ...body];
  for (let first = 0; first < lines.length; first += 50) {
    const page = document.addPage([500, 700]);
    for (const [index, cells] of lines.slice(first, first + 50).entries())
      for (const [column, text] of cells.entries())
        page.drawText(text, { x: 40 + column * 110, y: 660 - index * 12, size: 9, font });
  }
  return document.save();
}

async function chunksOf(name: string, content: string | Uint8Array): Promise<{ text: string; chunks: Chunk[] }> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const parsed = await parseFile({ name, bytes, recognition: { off: true } });
  const chunks = chunkDocument(parsed, { documentId: 'doc_1', textHash: sha256(parsed.text), maxTokens: 400 });
  return { text: parsed.text, chunks };
}

describe('a long table', () => {
  it.each([
    ['Markdown', 'a.md', () => `# Bay\n\nMeasured:\n\n${markdownTable()}\n\nThe end of the report.\n`],
    ['HTML with marked headers', 'a.html', () => `<h1>Bay</h1><p>Measured:</p>${htmlTable('th')}`],
    ['HTML without', 'a.html', () => `<h1>Bay</h1><p>Measured:</p>${htmlTable('td')}`],
    ['PDF', 'a.pdf', () => pdfTable()],
    ['CSV', 'a.csv', () => `${header.join(',')}\n${rows.map((row) => row.join(',')).join('\n')}\n`],
  ])('names its columns with every chunk, and in no span: %s', async (kind, name, content) => {
    const { text, chunks } = await chunksOf(name, await content());
    const middle = chunks.filter((chunk) => /Station \w\d/.test(chunk.text) && !chunk.text.includes(names));
    expect(middle.length).toBeGreaterThan(8);
    for (const chunk of middle) expect(chunk.headingPath.at(-1)).toBe(names);
    for (const chunk of chunks) expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
    // Where the header itself stands, it is not said twice.
    if (kind !== 'CSV') for (const chunk of chunks.slice(0, 1)) expect(chunk.headingPath).not.toContain(names);
    expect(text.split(names).length).toBe(2);
  });

  it('does not name the columns of another one, nor of text after it', async () => {
    const second = markdownTable(rows.slice(0, 60)).replace(names, 'Ship | Draught | Tonnage | Speed');
    const prose = 'The survey ended in autumn, when the ships had left. '.repeat(80);
    const { chunks } = await chunksOf('a.md', `${markdownTable(rows.slice(0, 60))}\n\n${second}\n\n${prose}`);
    const namesOf = (from: string): (readonly string[])[] =>
      chunks.filter((chunk) => chunk.text.startsWith(from)).map(({ headingPath }) => headingPath);
    const all = chunks.map(({ headingPath }) => headingPath.at(-1));
    expect(all).toContain(names);
    expect(all).toContain('Ship | Draught | Tonnage | Speed');
    expect(all.lastIndexOf(names)).toBeLessThan(all.indexOf('Ship | Draught | Tonnage | Speed'));
    expect(namesOf('The survey').every((path) => path.length === 0)).toBe(true);
  });

  it('without a header has none: words over words, figures from the first row on', async () => {
    const words = Array.from({ length: 200 }, (_, row) => `<tr><td>Person ${row}x</td><td>walks home</td></tr>`);
    const figures = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
    for (const body of [words, figures]) {
      const { chunks } = await chunksOf('a.html', `<table>${body.join('')}</table>`);
      expect(chunks.length).toBeGreaterThan(4);
      expect(chunks.flatMap(({ headingPath }) => headingPath)).toEqual([]);
    }
  });

  it('takes no row of the body for a second header', async () => {
    const cells = (texts: readonly string[]): string => `<tr>${texts.map((text) => `<td>${text}</td>`).join('')}</tr>`;
    const body = rows.map((row) => cells(row)).join('');
    const first = cells(['Spring', 'high', 'low', 'even']) + cells(['Summer', 'low', 'low', 'odd']);
    const { chunks } = await chunksOf('a.html', `<table>${first}${body}</table>`);
    expect(chunks.flatMap(({ headingPath }) => headingPath)).toEqual([]);
    const ports = [['"ftp"', '21'], ...rows.map(([name, value]) => [`"${name}"`, String(value)])];
    const numbered = await chunksOf('a.html', `<table>${ports.map(cells).join('')}</table>`);
    expect(numbered.chunks.flatMap(({ headingPath }) => headingPath)).toEqual([]);
  });

  it('joins two rows of headers, years among them, and cuts what is too long', async () => {
    const cells = (texts: readonly string[]): string => `<tr>${texts.map((text) => `<td>${text}</td>`).join('')}</tr>`;
    const body = rows.map((row) => cells(row)).join('');
    const top = cells(['', 'Year ended', 'June 30', '']) + cells(['Site', '2023', '2022', '2021']);
    const two = await chunksOf('a.html', `<table>${top}${body}</table>`);
    expect(two.chunks.at(-1)?.headingPath).toEqual(['Year ended | June 30 / Site | 2023 | 2022 | 2021']);
    const long = header.map((name) => `${name} ${'very '.repeat(20)}long`);
    const cut = await chunksOf('a.html', `<table>${cells(long)}${body}</table>`);
    expect(cut.chunks.at(-1)?.headingPath[0]).toMatch(/^Site very .*\| …$/u);
    expect(cut.chunks.at(-1)?.headingPath[0]?.length).toBeLessThan(410);
  });
});

describe('a question that names a column', () => {
  let folder: string;
  let opened: OpenedFootnote;
  let footnote: Footnote;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-table-headers-'));
    opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
    footnote = opened.forScope(localScope());
    await footnote.documents.add({
      text: `# Bay\n\n${markdownTable()}\n`,
      mime: 'text/markdown',
      uri: 'bay.md',
      source: 'notes',
    });
    // Says the name of the column as often as the table, and knows nothing of the station.
    await footnote.documents.add({
      text: '# Salinity\n\nSalinity is how much salt is dissolved in water. Salinity varies.\n',
      mime: 'text/markdown',
      uri: 'salt.md',
      source: 'notes',
    });
  });
  afterAll(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  it('finds the row in the middle, under the names of its columns', async () => {
    const [name, , salinity] = rows[250] as readonly string[];
    const { results } = await footnote.search({ query: `salinity of ${name}`, topK: 3 });
    expect(results[0]?.text).toContain(`| ${name} |`);
    expect(results[0]?.headingPath.at(-1)).toBe(names);
    const answer = await footnote.ask({ question: `What is the salinity of ${name}?` });
    const [claim] = answer.claims;
    const citation = answer.citations.find(({ index }) => claim?.citations.includes(index));
    expect(claim?.text.slice(claim.pinpoint?.start, claim.pinpoint?.end)).toBe(`| ${rows[250]?.join(' | ')} |`);
    expect(citation?.quote).toContain(salinity);
    const [first = 0, last = 0] = citation?.lines ?? [];
    expect(first <= 255 && 255 <= last).toBe(true);
    expect((await footnote.answers.verify(answer)).ok).toBe(true);
  });
});
