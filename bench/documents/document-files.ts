// The files that benches over documents read, and the table that says what to expect of them.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** All files below a folder, sorted; a file itself. */
export function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

/** Rows of a table of tabs, by the names of its first line. */
export function tableOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const columns = head.split('\t');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((cell, index) => [columns[index] ?? '', cell])));
}

/** Characters that can be seen. */
export function visible(text: string): number {
  return text.replace(/\s/gu, '').length;
}
