// Takes the place of `src/threads/entry-file.ts` in tests: threads and children are those of the bundled program. Sources take three times as long to load, and a
// process with few rights cannot keep what it compiled.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [sources = '', bundled = ''] = ['src/', 'dist/'].map(
  (folder) => pathToFileURL(join(import.meta.dirname, '..', folder)).href,
);

export const entryFile = (path: string, owner: string): URL => new URL(`${path}.js`, owner.replace(sources, bundled));
