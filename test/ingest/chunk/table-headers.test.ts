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
import { isHeaderOfWords } from '../../../src/ingest/chunk/header-of-words.ts';
import { createRandom } from '../../../testkit/duplicates-mutations.ts';
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

  it('of words alone has names where its first row is unlike the others, whatever its columns are called', async () => {
    const people = Array.from({ length: 200 }, (_, row) => [
      `Person ${'abcdefgh'[row % 8]}. ${['Berg', 'Ito', 'Okafor'][row % 3]}-${String.fromCharCode(97 + (row % 26))}`,
      ['Engineer', 'Sales lead', 'Head of design', 'Nurse'][(row * 7) % 4] ?? '',
      ['Berlin', 'New York', 'Oslo', 'São Paulo', 'Kyoto'][(row * 3) % 5] ?? '',
    ]);
    const cells = (texts: readonly string[]): string => `<tr>${texts.map((text) => `<td>${text}</td>`).join('')}</tr>`;
    const pathsOf = async (first: readonly string[] | undefined): Promise<ReadonlySet<string>> => {
      const body = [...(first ? [first] : []), ...people].map(cells).join('');
      const { text, chunks } = await chunksOf('a.html', `<table>${body}</table>`);
      for (const chunk of chunks) expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
      return new Set(chunks.slice(1).flatMap(({ headingPath }) => headingPath));
    };
    expect(await pathsOf(['Name', 'Role', 'City'])).toEqual(new Set(['Name | Role | City']));
    // No word that columns are named by: no value of a column is said once, and that of the first row nowhere else.
    expect(await pathsOf(['Insured', 'Works as', 'Lives in'])).toEqual(new Set(['Insured | Works as | Lives in']));
    expect(await pathsOf(undefined)).toEqual(new Set());
    // A row like the others, though it stands first; and one that says a value of its column.
    expect(await pathsOf(['Ana Castillo-z', 'Nurse', 'Oslo'])).toEqual(new Set());
    expect(await pathsOf(['Person i. Berg-a', 'Accountant, part of the day and of the night', 'Oslo'])).toEqual(
      new Set(),
    );
  });

  it('of words has no names where a row of the body could be meant', () => {
    const isHeader = (...rows: readonly string[]): boolean => isHeaderOfWords(rows.map((row) => row.split(' | ')));
    expect(isHeader('field | meaning', 'id | of the first sheet', 'uri | the place of it', 'text | all of it')).toBe(
      true,
    );
    expect(isHeader('Option | Needed', '--silent | ✓', '--watch | ✗', '--json | ✓', '--all | ✗', '--dry | ✓')).toBe(
      true,
    );
    // A key and its value are no names of columns, nor is a row of values.
    expect(isHeader('Name: | Ana Berg', 'City: | Oslo', 'Role: | Nurse', 'Phone: | none')).toBe(false);
    expect(isHeader('entities | 195 MB/s', 'he 2.0 | 9.4 MB/s', 'ent 2.2 | 14 MB/s', 'html 3 | 2 MB/s')).toBe(false);
    expect(isHeader('Type | what it is', 'Name | what it is called', 'Role | what it does', 'City | where')).toBe(
      false,
    );
    expect(isHeader('Name | Name', 'Ana | Berg', 'Ben | Ito', 'Zoe | Xu')).toBe(false);
    expect(isHeader('Name | City', 'Ana | Oslo')).toBe(false);
    // What is typed, a place in a folder, and the same word twice are no names either.
    const typed = ['ls -a | all of them', 'cd | to the first folder', 'pwd | where one is', ':q | out of it'];
    expect(isHeader(':help package | explanation', ...typed)).toBe(false);
    expect(isHeader('files/ | directory', 'base | what all need', 'contrib | what others made', 'x | the rest')).toBe(
      false,
    );
    expect(isHeader('TEXT | "TEXT"', 'NUM | a', 'INT | b', 'REAL | c')).toBe(false);
    const languages = ['Classes | no | yes | yes', 'Templates | no | yes | generics', 'Collector | no | no | yes'];
    expect(isHeader('Feature | C | C++ | C#', ...languages)).toBe(true);
  });

  it('of words has names where one column is explained, or each is unlike what is below it', () => {
    const isHeader = (...rows: readonly string[]): boolean => isHeaderOfWords(rows.map((row) => row.split(' | ')));
    const buttons = ['Salva | Modifica la transazione', 'Chiudi tutto | Fine', 'Nuovo | Crea una nuova voce'];
    expect(isHeader('Pulsante | Descrizione', ...buttons)).toBe(true);
    expect(isHeader('Pulsante | Finestra', ...buttons)).toBe(false);
    // The first line of facts about one thing.
    const facts = ['Main features | It counts fast', 'Known limits | None so far', 'Data source | The field'];
    expect(isHeader('Purpose | Counting sheep', ...facts)).toBe(false);
    const modules = ['AJP server | mod_ajp', 'HTTP proxy | mod_http', 'Fast CGI | mod_fcgi', 'Web sockets | mod_ws'];
    expect(isHeader('Wire | Piece', ...modules, 'Plain sockets | mod_tcp')).toBe(true);
    expect(isHeader('Wire | Piece', ...modules)).toBe(false);
    expect(isHeader('Gopher proxy | mod_gopher', ...modules, 'Plain sockets | mod_tcp')).toBe(false);
  });

  it('of words is told for nine in ten of drawn tables, and wrongly for fewer than one in a hundred without', () => {
    const random = createRandom(4);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const words = (text: string) => text.split(', ');
    const [given, family] = [
      'Ana, Ben, Elif, Hiro, Jamal, Mona, Zoe',
      'Berg, Dubois, Gupta, Ito, Novak, Xu, Weber',
    ].map(words) as [string[], string[]];
    const things = words(
      'the pump, two leaks, a spare ring, the northern basin, weekly checks, staff, a dry floor, spring',
    );
    // What a column may be called, and what stands in it.
    const columns: readonly (readonly [string, () => string])[] = [
      ['Name, Employee, Contact person, Speaker', () => `${pick(given)} ${pick(family)}`],
      ['Role, Position, Works as, Function', () => pick(words('Engineer, Sales lead, Nurse, Head of design, Editor'))],
      ['City, Location, Based in, Venue', () => pick(words('Berlin, New York, Oslo, São Paulo, Kyoto, Lima'))],
      ['Department, Team, Business unit', () => pick(words('Finance, Research, Legal, Support'))],
      ['Status, Progress, Decision', () => pick(words('open, closed, in progress, approved'))],
      ['Species, Bird, Sighting', () => pick(words('heron, barn owl, white stork, wren, ibis, mute swan'))],
      ['Material, Made of, Finish', () => pick(words('oak, steel, linen, brass, cork'))],
      ['Remarks, Findings, Observation', () => Array.from({ length: 3 }, () => pick(things)).join(' and ')],
      ['Due, Last visit, Hired on', () => `${1 + Math.floor(random() * 28)} March 20${10 + Math.floor(random() * 15)}`],
      ['Code, Asset tag', () => `QX-${100 + Math.floor(random() * 900)}`],
      ['Insured, On call', () => pick(['yes', 'no'])],
    ];
    const drawn = (): typeof columns =>
      columns
        .map((column) => ({ column, rank: random() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ column }) => column);
    let [told, wrong] = [0, 0];
    for (let table = 0; table < 500; table++) {
      const chosen = drawn().slice(0, 2 + Math.floor(random() * 4));
      const count = 6 + Math.floor(random() * 60);
      const body = Array.from({ length: count }, () => chosen.map(([, value]) => (random() < 0.03 ? '' : value())));
      if (isHeaderOfWords([chosen.map(([names]) => pick(words(names))), ...body])) told += 1;
      if (isHeaderOfWords(body)) wrong += 1;
    }
    expect(told).toBeGreaterThanOrEqual(450);
    expect(wrong).toBeLessThanOrEqual(5);
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
