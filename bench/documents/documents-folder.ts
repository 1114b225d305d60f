// A folder as large as is asked for, read by the whole pipeline: how long it takes and how much memory. Its files are copies of real pages
// and rows of figures, each different from every other one.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { parserChildren, residentMiB } from '../../testkit/parser-children.ts';
import { startServerProcess } from '../../testkit/server-process.ts';
import { sharedData } from '../../testkit/shared-data.ts';

const filesPerFolder = 200;
const lookEveryMs = 100;

const found = sharedData('documents');
if (found === undefined) throw new Error('This bench needs the shared evaluation data: set FOOTNOTE_SHARED_DATA.');
export const documents: string = found;
/** What the folder is made of. */
export const folderData = [join(documents, 'html'), sharedData('markdown')];

export const folderNote =
  'The folder: pages of the shared Markdown and HTML files and rows of CSV, each file with a first line of its own; durable (synchronous=FULL) and searchable by words at the end, vectors not counted.';

/** Reads a folder of so many bytes into a record of its own, looking at the memory of the process and of its parsers meanwhile. */
export async function measureFolder(bytes: number) {
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
  const pages = folderData
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
