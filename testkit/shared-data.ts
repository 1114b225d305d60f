// Finds evaluation data that lives outside the repository. Tests that need it skip, with a clear line, where it is absent.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = process.env['FOOTNOTE_SHARED_DATA'] ?? resolve(import.meta.dirname, '../../shared/data');

/** The path of a file or folder of the evaluation data, or undefined where it is not there. */
export function sharedData(...parts: string[]): string | undefined {
  const path = join(root, ...parts);
  if (existsSync(path)) return path;
  console.log(`skipped: evaluation data ${join(...parts)} is not beside this checkout`);
  return undefined;
}
