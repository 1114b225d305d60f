// How well the content of web pages is told from their frame: words of what is not boilerplate against what Readability's own tests
// expect, with what it takes, and how long pages that are made to hurt it take.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from '@footnote/readers/web/html';
import { htmlPiece } from '@footnote/readers/web/html-piece';
import type { ParsedDocument } from '../../src/core/document.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';

const folder = sharedData('documents', 'html');
if (folder === undefined) throw new Error('This bench needs the shared evaluation data: set FOOTNOTE_SHARED_DATA.');

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function score(
  found: readonly string[],
  expected: readonly string[],
): { precision: number; recall: number; f1: number } {
  const left = new Map<string, number>();
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(word, count - 1);
  }
  return {
    precision: shared / Math.max(1, found.length),
    recall: shared / Math.max(1, expected.length),
    f1: (2 * shared) / Math.max(1, found.length + expected.length),
  };
}

async function measured(bytes: Uint8Array, name: string): Promise<{ page: ParsedDocument; cpuMs: number }> {
  const before = process.cpuUsage();
  const page = await html.parse({ bytes, name });
  const { user, system } = process.cpuUsage(before);
  return { page, cpuMs: (user + system) / 1000 };
}

const contentOf = ({ text, blocks }: ParsedDocument): string =>
  blocks
    .filter(({ kind }) => kind !== 'boilerplate')
    .map(({ start, end }) => text.slice(start, end))
    .join('\n');

const rows: (string | number)[][] = [];
let sum = 0;
let before = 0;
let bytesRead = 0;
let cpuMsOfAll = 0;
const names = readdirSync(folder).filter((name) => !name.includes('.expected'));
for (const name of names) {
  const bytes = readFileSync(join(folder, name));
  // Once to load what it takes.
  await measured(bytes, name);
  const { page, cpuMs } = await measured(bytes, name);
  const expected = wordsOf(htmlPiece(readFileSync(join(folder, name.replace('.html', '.expected.html')), 'utf8')).text);
  const { precision, recall, f1 } = score(wordsOf(contentOf(page)), expected);
  sum += f1;
  before += score(wordsOf(page.text), expected).f1;
  bytesRead += bytes.byteLength;
  cpuMsOfAll += cpuMs;
  rows.push([name, f1, precision, recall, expected.length, bytes.byteLength, Math.round(cpuMs)]);
}

const prose = 'The pump of the northern basin was replaced in spring, and two smaller ones share the load as planned. ';
const hurtful: Readonly<Record<string, string>> = {
  '18,000 paragraphs in 15 parts': `<div>${`<p>${prose}`.repeat(1200)}</div>`.repeat(15),
  '19,000 spans in ten paragraphs': `<p>${`<span>${prose}</span>`.repeat(1900)}</p>`.repeat(10),
  '100 towers of 180 elements': `${'<div>'.repeat(180)}<p>${prose}</p>${'</div>'.repeat(180)}`.repeat(100),
  '190 tables of 90 cells': `<table><tr>${'<td>x, y'.repeat(90)}</table>`.repeat(190),
  '17,000 links': `<div>${'<a href=x>text here</a> '.repeat(1900)}</div>`.repeat(9),
  '50,000 elements deep': '<div>'.repeat(50_000) + prose,
  '8 MB in one paragraph': `<p>${prose.repeat(80_000)}`,
};
const slowest: (string | number)[][] = [];
for (const [name, body] of Object.entries(hurtful)) {
  const { cpuMs } = await measured(Buffer.from(body), 'hurtful.html');
  slowest.push([name, body.length, Math.round(cpuMs)]);
}
const worst = Math.max(...slowest.map((row) => Number(row[2])));
const mean = sum / names.length;

await writeResult('html-main', {
  title: 'Web pages: content and frame',
  command: 'npm run bench html-main',
  data: [folder],
  metrics: {
    pages: names.length,
    'word F1, mean': mean,
    'word F1 of the whole text, mean': before / names.length,
    'MB of HTML a CPU minute': (bytesRead / 1e6 / cpuMsOfAll) * 60_000,
    'CPU ms of the most hurtful page': worst,
  },
  goals: [
    { what: 'Word F1 against Readability, mean of the pages', wanted: '>= 0.95', got: mean, met: mean >= 0.95 },
    { what: 'CPU ms of the most hurtful page', wanted: '<= 10000', got: worst, met: worst <= 10_000 },
  ],
  tables: [
    { title: 'Pages', columns: ['page', 'F1', 'precision', 'recall', 'words expected', 'bytes', 'CPU ms'], rows },
    { title: 'Pages made to hurt', columns: ['page', 'characters', 'CPU ms'], rows: slowest },
  ],
  notes: [
    'Readability is the judge and most of the answer: what it shows is content, and of the rest only what is named as frame, short or mostly links is boilerplate, so that recall comes before precision.',
    'Boilerplate stays in the text and in the view; no chunk holds it.',
  ],
});
