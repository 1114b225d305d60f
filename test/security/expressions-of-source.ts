// Every regular expression literal of the product's source, read from its syntax tree, each once. Built ones (`new RegExp`) are counted by file.
import { parseSync } from '@swc/core';
import { listFiles, readText } from '../source-files.ts';

export interface Expression {
  readonly pattern: string;
  readonly flags: string;
  /** Files that hold it, relative to the repository. */
  readonly files: readonly string[];
}

export function expressionsOfSource(): {
  readonly literals: readonly Expression[];
  readonly built: ReadonlyMap<string, number>;
} {
  const literals = new Map<string, { pattern: string; flags: string; files: string[] }>();
  const built = new Map<string, number>();
  for (const file of listFiles('src', /\.ts$/u))
    visit(parseSync(readText(file), { syntax: 'typescript', target: 'es2024' }), (node) => {
      if (node['type'] === 'RegExpLiteral') {
        const [pattern, flags] = [String(node['pattern']), String(node['flags'])];
        const known = literals.get(`${pattern}/${flags}`) ?? { pattern, flags, files: [] };
        if (!known.files.includes(file)) known.files.push(file);
        literals.set(`${pattern}/${flags}`, known);
      }
      const callee = node['callee'] as { value?: unknown } | undefined;
      if (callee?.value === 'RegExp') built.set(file, (built.get(file) ?? 0) + 1);
    });
  return { literals: [...literals.values()], built };
}

function visit(start: unknown, seen: (node: Readonly<Record<string, unknown>>) => void): void {
  const waiting: unknown[] = [start];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (Array.isArray(node)) waiting.push(...node);
    else if (node !== null && typeof node === 'object') {
      seen(node as Readonly<Record<string, unknown>>);
      waiting.push(...Object.values(node));
    }
  }
}
