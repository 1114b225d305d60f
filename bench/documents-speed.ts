// How fast a folder goes in and how much memory that takes: pages of born-digital PDF a second through the parsers, and Markdown, HTML
// and CSV made durable and searchable by the whole pipeline, in a folder as large as is asked for.
//
//   npm run bench:documents-speed [-- gigabytes] (--dry --pages, --dry --folder: one of the two, nothing is written down)
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { localScope } from '../src/core/scope.ts';
import { openFootnote } from '../src/footnote/compose.ts';
import { createParserPool } from '../src/ingest/parser-pool.ts';
import { usageOf } from '../src/ingest/process-usage.ts';
import { sharedData } from '../test/shared-data.ts';
import { parserChildren, residentMiB } from './parser-children.ts';
import { writeResult } from './report.ts';
import { startServerProcess } from './server-process.ts';

const wantedPages = 60;
const wantedMegabytesPerMinute = 20;
/** Memory at the end over memory at a tenth of the way, beyond which it is not bounded but grows with the folder. */
const allowedGrowth = 1.5;
/** Memory in the last tenth over that of a server started anew on the same data: what is more than the index, which both hold, is the run's own. */
const allowedBeyondIndex = 1.5;
const filesPerFolder = 200;
const lookEveryMs = 100;

const gigabytes = Number(process.argv.slice(2).find((argument) => /^[\d.]+$/.test(argument)) ?? 0.1);
const isDry = process.argv.includes('--dry');
const documents = sharedData('documents');
if (documents === undefined) throw new Error('This bench needs the shared evaluation data: set FOOTNOTE_SHARED_DATA.');

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
const growth = folder.endMiB / folder.earlyMiB;
const beyondIndex = folder.endMiB / folder.anewMiB;

const round = (value: number): number => Math.round(value * 10) / 10;
await writeResult('documents-speed', {
  title: 'Documents: pages a second, megabytes a minute, and memory',
  command: `npm run bench:documents-speed -- ${gigabytes}`,
  seed: null,
  data: [join(documents, 'pdf'), join(documents, 'html'), sharedData('markdown')],
  metrics: {
    'PDF pages': pdf.pages,
    'PDF pages a second': pdf.pages / pdf.seconds,
    'PDF pages a second of processor time': pdf.pages / pdf.cpuSeconds,
    'folder, megabytes': folder.megabytes,
    'folder, files': folder.files,
    'folder, chunks': folder.chunks,
    'folder, megabytes a minute': (folder.megabytes / folder.seconds) * 60,
    'folder, chunks a second': folder.chunks / folder.seconds,
    'memory of the process at a tenth of the way, MiB': folder.earlyMiB,
    'memory of the process at most in the last tenth, MiB': folder.endMiB,
    'memory of the process at most, MiB': folder.mostMiB,
    'memory of a server started anew on the same data, MiB': folder.anewMiB,
    'memory of a parser child at most, MiB': folder.childMiB,
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
    {
      what: 'Memory in the last tenth over memory at a tenth of the way',
      wanted: `<= ${allowedGrowth}`,
      got: growth,
      met: growth <= allowedGrowth,
    },
    {
      what: 'Memory in the last tenth over that of a server started anew on the same data',
      wanted: `<= ${allowedBeyondIndex}`,
      got: beyondIndex,
      met: beyondIndex <= allowedBeyondIndex,
    },
  ],
  tables: [
    {
      title: 'Memory while the folder is read, MiB',
      columns: ['files read', 'process', 'parser child at most'],
      rows: folder.samples.map(({ files, processMiB, childMiB }) => [files, round(processMiB), round(childMiB)]),
    },
  ],
  notes: [
    'Pages: from the first file handed to the pool to the last one cut into chunks, two children, their start included. Processor time is that of the children, so that a busy machine shows.',
    'The folder: pages of the shared Markdown and HTML files and rows of CSV, each file with a first line of its own; durable (synchronous=FULL) and searchable by words at the end, vectors not counted.',
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

async function measureFolder(bytes: number) {
  const place = mkdtempSync(join(tmpdir(), 'footnote-bench-folder-'));
  try {
    const made = makeFolder(join(place, 'docs'), bytes);
    const config = loadConfig({ flags: { FOOTNOTE_DATA: { value: join(place, 'data'), place: 'bench' } } });
    const opened = await openFootnote({ ...config, models: { ...config.models, embed: 'none' } });
    const footnote = opened.forScope(localScope());
    await footnote.sources.put({
      name: 'docs',
      type: 'docs',
      connector: { kind: 'folder', path: join(place, 'docs') },
    });
    const samples: { files: number; processMiB: number; childMiB: number }[] = [];
    let files = 0;
    const looking = setInterval(() => {
      const childMiB = Math.max(0, ...parserChildren(process.pid).map(({ peakMiB }) => peakMiB));
      samples.push({ files, processMiB: residentMiB(process.pid), childMiB });
    }, lookEveryMs);
    const startedMs = performance.now();
    const run = await footnote.sources.sync('docs', {
      onProgress: ({ counts }) => {
        files = counts.done;
      },
    });
    const seconds = (performance.now() - startedMs) / 1000;
    clearInterval(looking);
    await opened.close();
    if (run.state !== 'done' || run.counts.failed > 0)
      throw new Error(`The run ended ${run.state} with ${run.counts.failed} of ${run.counts.found} files not read.`);
    const part = (from: number, to: number) =>
      samples.filter((one) => one.files >= from * made.files && one.files <= to * made.files);
    const most = (some: readonly { processMiB: number }[]) => Math.max(0, ...some.map(({ processMiB }) => processMiB));
    const every = Math.max(1, Math.floor(samples.length / 20));
    const anewMiB = await memoryAnew(join(place, 'data'));
    return {
      ...made,
      seconds,
      anewMiB,
      chunks: run.counts.chunks,
      earlyMiB: most(part(0, 0.1)),
      endMiB: most(part(0.9, 1)),
      mostMiB: most(samples),
      childMiB: Math.max(0, ...samples.map(({ childMiB }) => childMiB)),
      samples: samples.filter((_, at) => at % every === 0),
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Of a server that holds this data and has answered searches, in MiB. */
async function memoryAnew(data: string): Promise<number> {
  const server = await startServerProcess(data, { environment: { MODEL_EMBED: 'none' } });
  try {
    for (const query of ['station 12 degrees', 'installation of the server', 'copy 7'])
      await (
        await fetch(`${server.url}/v1/search`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, mode: 'embedded' }),
        })
      ).arrayBuffer();
    return residentMiB(server.pid);
  } finally {
    await server.stop();
  }
}

/** Copies of real pages and rows of figures until there are so many bytes; every file differs from every other one. */
function makeFolder(root: string, bytes: number): { files: number; megabytes: number } {
  const pages = [join(documents ?? '', 'html'), sharedData('markdown')]
    .filter((folderOf) => folderOf !== undefined)
    .flatMap((path) => filesIn(path))
    .filter((path) => /\.(md|html)$/u.test(path) && !path.includes('.expected.'));
  let [files, written] = [0, 0];
  while (written < bytes) {
    const inFolder = join(root, String(Math.floor(files / filesPerFolder)));
    if (files % filesPerFolder === 0) mkdirSync(inFolder, { recursive: true });
    const page = pages[files % (pages.length + 1)];
    const text = page === undefined ? rowsOf(files) : pageOf(page, files);
    const name = page === undefined ? `${files}.csv` : `${files}-${basename(page)}`;
    writeFileSync(join(inFolder, name), text);
    written += Buffer.byteLength(text);
    files += 1;
  }
  return { files, megabytes: written / 1e6 };
}

function pageOf(path: string, number: number): string {
  const text = readFileSync(path, 'utf8');
  return path.endsWith('.md')
    ? `Copy ${number}.\n\n${text}`
    : text.replace(/<body[^>]*>/iu, `$&<p>Copy ${number}.</p>`);
}

function rowsOf(number: number): string {
  const rows = Array.from(
    { length: 500 },
    (_, row) =>
      `${number * 500 + row},station ${(number * 7 + row) % 97},${((row * 37 + number) % 1000) / 10},${2000 + (row % 27)}`,
  );
  return `id,station,degrees,year\n${rows.join('\n')}\n`;
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}
