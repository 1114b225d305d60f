// How fast documents go in: pages of born-digital PDF a second through the parsers, and Markdown, HTML and CSV made durable and searchable
// by the whole pipeline.
//
//   npm run bench documents-speed [-- gigabytes] (--dry --pages, --dry --folder: one of the two, nothing is written down)
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createParserPool } from '../../src/ingest/read/parser-pool.ts';
import { usageOf } from '../../src/ingest/read/process-usage.ts';
import { parserChildren } from '../../testkit/parser-children.ts';
import { writeResult } from '../report.ts';
import { documents, folderData, folderNote, measureFolder } from './documents-folder.ts';

const wantedPages = 60;
const wantedMegabytesPerMinute = 20;
const lookEveryMs = 100;

const gigabytes = Number(process.argv.slice(2).find((argument) => /^[\d.]+$/.test(argument)) ?? 0.1);
const isDry = process.argv.includes('--dry');

const bornDigital = [
  'freeculture',
  'GeoTopo-komprimiert',
  'pdkids',
  'tracemonkey',
  'attention-is-all-you-need.1706.03762v7',
].map((name) => join(documents, 'pdf', `${name}.pdf`));
if (isDry) {
  if (!process.argv.includes('--folder')) console.log(await measurePdf(bornDigital));
  if (!process.argv.includes('--pages')) console.log(await measureFolder(gigabytes * 1e9));
  process.exit(0);
}
const pdf = await measurePdf(bornDigital);
const folder = await measureFolder(gigabytes * 1e9);

await writeResult('documents-speed', {
  title: 'Documents: pages a second and megabytes a minute',
  command: `npm run bench documents-speed ${gigabytes}`,
  seed: null,
  data: [join(documents, 'pdf'), ...folderData],
  metrics: {
    'PDF pages': pdf.pages,
    'PDF pages a second': pdf.pages / pdf.seconds,
    'PDF pages a second of processor time': pdf.pages / pdf.cpuSeconds,
    'folder, megabytes': folder.megabytes,
    'folder, files': folder.files,
    'folder, chunks': folder.chunks,
    'folder, megabytes a minute': (folder.megabytes / folder.seconds) * 60,
    'folder, chunks a second': folder.chunks / folder.seconds,
  },
  goals: [
    {
      what: 'Born-digital PDF pages a second, two cores',
      wanted: `>= ${wantedPages}`,
      got: pdf.pages / pdf.seconds,
      met: pdf.pages / pdf.seconds >= wantedPages,
    },
    {
      what: 'Markdown, HTML and CSV, megabytes a minute',
      wanted: `>= ${wantedMegabytesPerMinute}`,
      got: (folder.megabytes / folder.seconds) * 60,
      met: (folder.megabytes / folder.seconds) * 60 >= wantedMegabytesPerMinute,
    },
  ],
  tables: [],
  notes: [
    'Pages: from the first file handed to the pool to the last one cut into chunks, two children, their start included. Processor time is that of the children, so that a busy machine shows.',
    folderNote,
  ],
});

async function measurePdf(paths: readonly string[]) {
  const pool = createParserPool({ size: 2, timeoutMs: 300_000 });
  const cpu = new Map<number, number>();
  const looking = setInterval(() => {
    for (const { pid } of parserChildren(process.pid)) {
      const usage = usageOf(pid);
      if (usage) cpu.set(pid, usage.cpuMs);
    }
  }, lookEveryMs);
  const startedMs = performance.now();
  const cuts = await Promise.all(
    paths.map((path) =>
      pool.cut(
        { bytes: new Uint8Array(readFileSync(path)), name: basename(path) },
        {
          documentId: basename(path),
          name: basename(path),
          chunking: { maxTokens: 1000, overlapTokens: 100, minTokens: 100 },
        },
      ),
    ),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(looking);
  for (const { pid } of parserChildren(process.pid)) cpu.set(pid, usageOf(pid)?.cpuMs ?? cpu.get(pid) ?? 0);
  await pool.close();
  const cpuSeconds = [...cpu.values()].reduce((sum, ms) => sum + ms, 0) / 1000;
  return { pages: cuts.reduce((sum, { pages }) => sum + pages.length, 0), seconds, cpuSeconds };
}
