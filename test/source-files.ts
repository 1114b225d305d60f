// Reads the repository's own files for the tests that check its shape. Invariant: what git ignores is never listed.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const root = join(import.meta.dirname, '..');
const ignored = new Set(['node_modules', 'dist', '.git', '.footnote', 'coverage', 'fixtures', 'corpus']);

/** Paths relative to the repository, `/`-separated and sorted, of files below `folder` whose name matches. */
export function listFiles(folder: string, name: RegExp): string[] {
  const found: string[] = [];
  const visit = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (!ignored.has(entry.name)) visit(path);
      } else if (name.test(entry.name)) {
        found.push(relative(root, path).replaceAll('\\', '/'));
      }
    }
  };
  visit(join(root, folder));
  return found.sort();
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** TypeScript without comments and without the insides of plain strings, so that a word in prose is not mistaken for code. */
export function codeOnly(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, (piece) =>
    piece.startsWith('/') ? ' ' : "''",
  );
}
