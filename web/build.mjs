// Builds the pages into web/dist: hashed files with what is sent compressed beside them, and the folders that pdf.js reads. Invariants: what is first loaded
// stays within its budget, or the build fails; an older build stands until the new one is whole; nothing of a page stands inline.
//
// node web/build.mjs             builds
// node web/build.mjs --if-stale  builds where web/dist is missing or older than its sources
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

/** Kilobytes of what the ask page loads first, compressed by gzip, and of all besides the reader of PDF. */
const budgets = { script: 40, style: 12, all: 140 };

const web = dirname(fileURLToPath(import.meta.url));
const dist = join(web, 'dist');
const stampPath = join(dist, 'built.json');
const sources = sourceHash();
if (!process.argv.includes('--if-stale') || !isFresh()) await build();

/** Contents, not times: a clone has no times of its own. */
function sourceHash() {
  const hash = createHash('sha256');
  const names = ['build.mjs', 'package.json', 'index.html', 'key.html', ...['src', 'public'].flatMap(filesUnder)];
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(web, name)));
  return hash.digest('hex');
}

function filesUnder(folder) {
  return readdirSync(join(web, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll(sep, '/')}`)
    .filter((name) => statSync(join(web, name)).isFile());
}

function isFresh() {
  try {
    return JSON.parse(readFileSync(stampPath, 'utf8')).sources === sources;
  } catch {
    return false;
  }
}

async function build() {
  // Tests build too, with another environment: what they leave is what is served.
  process.env.NODE_ENV = 'production';
  const { build: bundle } = await import('vite');
  const out = join(web, `dist.${process.pid}`);
  rmSync(out, { recursive: true, force: true });
  try {
    const result = await bundle({
      root: web,
      configFile: false,
      logLevel: 'warn',
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      // The server puts its prefix before the files of a page; the files name each other as they lie.
      experimental: { renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `/${name}` : { relative: true }) },
      build: {
        outDir: out,
        emptyOutDir: true,
        target: 'es2023',
        // A small file as `data:` would be refused by the policy.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 2000,
        rolldownOptions: {
          // How long it takes on a busy machine is nobody's fault.
          checks: { bundlerTimings: false },
          input: { ask: join(web, 'index.html'), key: join(web, 'key.html') },
        },
      },
    });
    copyPdfFiles(out);
    compress(out);
    const sizes = sizesOf(result.output);
    console.error(
      `footnote: built the pages (first load ${sizes.script.toFixed(1)} kB of script and ${sizes.style.toFixed(1)} kB of style; ${sizes.all.toFixed(1)} kB besides PDF)`,
    );
    const over = Object.keys(budgets).filter((what) => sizes[what] > budgets[what]);
    if (over.length > 0)
      throw new Error(over.map((what) => `${what} takes ${sizes[what]} kB of ${budgets[what]}`).join('; '));
    writeFileSync(join(out, 'built.json'), `${JSON.stringify({ sources, sizes })}\n`);
    // A server may be reading the older one: it is missing for no longer than two names take to change.
    const older = `${dist}.${process.pid}.old`;
    if (existsSync(dist)) renameSync(dist, older);
    renameSync(out, dist);
    rmSync(older, { recursive: true, force: true });
  } catch (error) {
    rmSync(out, { recursive: true, force: true });
    // Another process may have built the same meanwhile.
    if (isFresh()) return;
    console.error(`footnote: could not build the pages: ${error.message}`);
    process.exit(1);
  }
}

/** Maps of characters, fonts that files do not embed, and decoders in plain script. */
function copyPdfFiles(out) {
  const home = dirname(createRequire(join(web, 'package.json')).resolve('pdfjs-dist/package.json'));
  for (const folder of ['cmaps', 'standard_fonts', 'wasm']) {
    const to = join(out, 'assets/pdf', folder);
    mkdirSync(to, { recursive: true });
    cpSync(join(home, folder), to, { recursive: true, filter: (path) => !path.endsWith('.wasm') });
  }
}

function compress(out) {
  for (const name of readdirSync(join(out, 'assets'), { recursive: true })) {
    if (!/\.(?:m?js|css|svg)$/.test(name)) continue;
    const path = join(out, 'assets', name);
    const bytes = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    const quality = bytes.length > 300_000 ? 9 : 11;
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: quality } }));
  }
}

/** Kilobytes by gzip, as they are sent. */
function sizesOf(output) {
  const size = ({ code, source }) => gzipSync(code ?? source).length / 1000;
  const sum = (files) => files.reduce((total, file) => total + size(file), 0);
  const named = new Map(output.map((file) => [file.fileName, file]));
  const entry = output.find(({ isEntry, name }) => isEntry && name === 'ask');
  const first = new Set();
  const take = (name) => {
    const file = named.get(name);
    if (!file || first.has(file)) return;
    first.add(file);
    for (const imported of file.imports ?? []) take(imported);
  };
  take(entry.fileName);
  const styles = output.filter(({ fileName }) => fileName.endsWith('.css'));
  const isPdf = ({ fileName }) => /pdf/.test(fileName);
  return {
    script: sum([...first]),
    style: sum(styles),
    all: sum(output.filter((file) => /\.(?:m?js|css)$/.test(file.fileName) && !isPdf(file))),
  };
}
