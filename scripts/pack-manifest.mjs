// The manifest that is packed: in a checkout the readers are a workspace with a manifest of their own, in the package they are part of dist/, so
// that one file installs alone. `prepare` puts their dependencies in the place of the workspace, `restore` takes package.json back. Invariant:
// a pack that was interrupted is made good by the next run, since the original is kept until it stands again.
//
// node scripts/pack-manifest.mjs prepare|restore
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const manifestPath = join(root, 'package.json');
const keptPath = join(root, 'node_modules/.footnote-manifest.json');

const [task] = process.argv.slice(2);
if (existsSync(keptPath)) renameSync(keptPath, manifestPath);
if (task === 'prepare') prepare();
else if (task !== 'restore') {
  console.error(`pack-manifest: unknown task ${task}; choose prepare or restore`);
  process.exit(2);
}

function prepare() {
  const text = readFileSync(manifestPath, 'utf8');
  const { workspaces: _, ...manifest } = JSON.parse(text);
  const readers = JSON.parse(readFileSync(join(root, 'packages/readers/package.json'), 'utf8'));
  const { [readers.name]: own, ...dependencies } = manifest.dependencies;
  if (own !== readers.version) {
    console.error(`pack-manifest: ${readers.name} is ${readers.version}, and package.json asks for ${own}`);
    process.exit(1);
  }
  const joined = Object.entries({ ...readers.dependencies, ...dependencies }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(keptPath, text);
  writeFileSync(
    manifestPath,
    `${JSON.stringify({ ...manifest, dependencies: Object.fromEntries(joined) }, undefined, 2)}\n`,
  );
}
