// How well pictures of text are read: pages with a known text layer drawn at several resolutions, noisy, askew and turned, and real scans
// against what was read by eye; and what a page costs in processor time. Needs the shared evaluation data.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '@footnote/readers/engines/ocr-engine';
import { recognisePicture } from '@footnote/readers/pages/ocr-page';
import { readPdf } from '@footnote/readers/pages/pdf-reader';
import { parseFile } from '@footnote/readers/registry/registry';
import { wordsFound } from '../../packages/readers/testkit/words-found.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';
import { drawSample, treated, treatments } from './ocr-samples.ts';

/** English pages of text: one column, and two. */
const pages = [
  ['attention-is-all-you-need.1706.03762v7.pdf', 2],
  ['tracemonkey.pdf', 3],
  ['multicolumn.pdf', 1],
] as const;
const scans = ['markitdown-MEDRPT_scan.pdf'];
const goalWords = 0.95;

const folder = sharedData('documents', 'pdf');
if (folder === undefined) throw new Error('This bench needs the shared evaluation data: set FOOTNOTE_SHARED_DATA.');

const cpuSeconds = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};
const round = (value: number, digits = 4): number => Number(value.toFixed(digits));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const expected = new Map<string, string>();
for (const [file, page] of pages) {
  const content = await readPdf(readFileSync(join(folder, file)), file);
  const words = content.pages[page - 1]?.words ?? [];
  expected.set(file, words.map((word) => (word.spaceBefore ? ' ' : '') + word.text).join(''));
}

const engine = openEngine();
const drawn = [];
for (const treatment of treatments) {
  const found: number[] = [];
  const seconds: number[] = [];
  const confidences: number[] = [];
  for (const [file, page] of pages) {
    const raster = treated(await drawSample(join(folder, file), page, treatment.dpi), treatment);
    const before = process.cpuUsage();
    const read = await recognisePicture(raster, { engine, dpi: treatment.dpi });
    seconds.push(cpuSeconds(before));
    confidences.push(read.confidence);
    found.push(wordsFound(read.words.map(({ text }) => text).join(' '), expected.get(file) ?? ''));
  }
  const row = {
    treatment: treatment.name,
    words: round(mean(found)),
    worstPage: round(Math.min(...found)),
    confidence: round(mean(confidences), 2),
    cpuSecondsPerPage: round(mean(seconds), 2),
  };
  console.log(row);
  drawn.push(row);
}

const byEye = readFileSync(join(import.meta.dirname, '../data/ocr-expected.md'), 'utf8');
const scanned = [];
for (const file of scans) {
  const before = process.cpuUsage();
  const document = await parseFile({ bytes: readFileSync(join(folder, file)), name: file });
  const seconds = cpuSeconds(before);
  for (const { number, start, end } of document.pages) {
    const wanted = byEye.split(`## ${file}, page ${number}\n`)[1]?.split('\n## ')[0];
    if (wanted === undefined) continue;
    const row = {
      file,
      page: number,
      words: round(wordsFound(document.text.slice(start, end), wanted)),
      cpuSecondsPerPage: round(seconds / document.pages.length, 2),
    };
    console.log(row);
    scanned.push(row);
  }
}

const drawnWords = mean(drawn.map(({ words }) => words));
const scannedWords = mean(scanned.map(({ words }) => words));
await writeResult('ocr', {
  title: 'OCR: pictures of text, read back',
  command: 'npm run bench ocr',
  seed: 7,
  data: [folder, join(import.meta.dirname, '../data/ocr-expected.md')],
  metrics: {
    'words found, drawn pages': round(drawnWords),
    'words found, worst treatment': round(Math.min(...drawn.map(({ words }) => words))),
    'words found, real scans': round(scannedWords),
    'CPU seconds a page at 300 dpi': drawn[0]?.cpuSecondsPerPage ?? null,
    'CPU seconds a page at 200 dpi': drawn[1]?.cpuSecondsPerPage ?? null,
  },
  goals: [
    { what: 'words of drawn pages, mean', wanted: '>= 0.95', got: round(drawnWords), met: drawnWords >= goalWords },
    {
      what: 'words of real scans, read by eye, mean',
      wanted: '>= 0.95',
      got: round(scannedWords),
      met: scannedWords >= goalWords,
    },
  ],
  tables: [
    {
      title: `Words found on ${pages.map(([file, page]) => `${file}, page ${page}`).join(' and ')}, drawn as scans`,
      columns: ['treatment', 'words', 'worst page', 'confidence', 'CPU seconds a page'],
      rows: drawn.map((row) => [row.treatment, row.words, row.worstPage, row.confidence, row.cpuSecondsPerPage]),
    },
    {
      title: 'Words found in real scans, of those read by eye',
      columns: ['file', 'page', 'words', 'CPU seconds a page'],
      rows: scanned.map((row) => [row.file, row.page, row.words, row.cpuSecondsPerPage]),
    },
  ],
});
process.exit(0);
