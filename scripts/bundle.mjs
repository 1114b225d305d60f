// Bundles the program into dist/, so that a process loads some forty files instead of nine hundred. Each entry (the command line, the library, threads and
// children) stands at the place of its source, and only names the file that holds its code; the other files of src/ lie beside at the same places. Invariants: code finds
// files by `import.meta.url` as if it stood where its source stands; a program that runs goes on finding its parts, which are kept for a week after a
// newer bundle was made.
//
// node scripts/bundle.mjs             bundles
// node scripts/bundle.mjs --if-stale  bundles where dist/ is missing or was made from other sources
// node scripts/bundle.mjs --alone     bundles, and drops what earlier bundles left: for packing
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const stampPath = join(dist, 'bundled.json');
/** Folders of sources, and where the code of each stands in dist/. */
const places = [
  [join(root, 'src'), ''],
  [join(root, 'packages/readers/src'), 'readers/'],
];
const keptMs = 7 * 24 * 60 * 60 * 1000;

const files = places.flatMap(([folder]) => filesUnder(folder));
const sources = sourceHash();
const isAlone = process.argv.includes('--alone');
if (!process.argv.includes('--if-stale') || readJson(stampPath)?.sources !== sources) await bundle();

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Contents, not times: a clone has no times of its own. */
function sourceHash() {
  const hash = createHash('sha256');
  for (const path of [fileURLToPath(import.meta.url), join(root, 'package-lock.json'), ...files])
    hash.update(`${relative(root, path)}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

async function bundle() {
  const startedAt = performance.now();
  const { rolldown } = await import('rolldown');
  const entries = files
    .map((path) => relative(join(root, 'src'), path).replaceAll(sep, '/'))
    .filter((name) => /^(?:cli\/main|cli\/program|index|testing\/index|[^.].*-(?:worker|child))\.ts$/.test(name))
    .map((name) => name.replace(/\.ts$/, ''));
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((name) => [name, join(root, 'src', `${name}.ts`)])),
    platform: 'node',
    // Packages are installed; the readers are a part of the program.
    external: (id) => !/^(?:\.|\/|[A-Z]:|@footnote\/)/i.test(id),
    plugins: [{ name: 'places', transform: markPlaces, renderChunk: namePlaces }],
    logLevel: 'warn',
    // How long it takes on a busy machine is nobody's fault.
    checks: { bundlerTimings: false },
  });
  keepReplaced();
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: ({ name }) => `parts/${name.replaceAll('/', '-')}-[hash].js`,
    chunkFileNames: 'parts/[name]-[hash].js',
  });
  for (const [folder, place] of places) {
    const others = files.filter((path) => path.startsWith(join(folder, '/')) && !path.endsWith('.ts'));
    for (const path of others) put(place + relative(folder, path), readFileSync(path));
  }
  for (const { fileName, code } of output) put(fileName, code);
  for (const { isEntry, name, fileName } of output)
    if (isEntry) put(`${name}.js`, `export * from '${'../'.repeat(name.split('/').length - 1) || './'}${fileName}';\n`);
  dropOld(new Set(output.map(({ fileName }) => join(dist, fileName))));
  put('bundled.json', `${JSON.stringify({ sources, parts: output.map(({ fileName }) => fileName) })}\n`);
  console.error(
    `footnote: bundled the program (${output.length} files, ${((performance.now() - startedAt) / 1000).toFixed(1)} s)`,
  );
}

/** A file appears whole: another process may be starting from it. */
function put(name, content) {
  const path = join(dist, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, content);
  renameSync(`${path}.${process.pid}`, path);
}

/** The parts of the bundle that is replaced are kept from now on: whoever runs them may have more of them to load. */
function keepReplaced() {
  const now = new Date();
  for (const name of readJson(stampPath)?.parts ?? [])
    try {
      utimesSync(join(dist, name), now, now);
    } catch {
      // It is gone already.
    }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function dropOld(current) {
  for (const path of filesUnder(join(dist, 'parts')))
    if (!current.has(path) && (isAlone || Date.now() - statSync(path).mtimeMs > keptMs)) rmSync(path, { force: true });
}

/** `import.meta.url` of a source becomes its place in dist/, marked until it is known where the code will stand. */
function markPlaces(code, id) {
  const [folder, place] = places.find(([one]) => id.startsWith(join(one, '/'))) ?? [];
  if (folder === undefined || !code.includes('import.meta.url')) return null;
  const own = place + relative(folder, id).replaceAll(sep, '/').replace(/\.ts$/, '.js');
  return code.replace(/import\.meta\.url\b/g, `__placeOf__(${JSON.stringify(own)})`);
}

/** `import.meta.resolve` stays: it finds packages, from wherever in dist/. */
function namePlaces(code) {
  return code.replace(/__placeOf__\("([^"]+)"\)/g, (_, place) => `new URL('../${place}', import.meta.url).href`);
}
