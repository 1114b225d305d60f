// Every regular expression literal of the product's source, read from its syntax tree, each once, and those that its modules build when they
// are loaded (`new RegExp`). What a function builds when it is called is not seen.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from '@swc/core';
import { listFiles, readText, root } from '../source-files.ts';

export interface Expression {
  readonly pattern: string;
  readonly flags: string;
  /** Files that hold it, relative to the repository. */
  readonly files: readonly string[];
}

export function expressionsOfSource(): {
  readonly literals: readonly Expression[];
  /** Files that build expressions. */
  readonly building: ReadonlySet<string>;
} {
  const literals = new Map<string, { pattern: string; flags: string; files: string[] }>();
  const building = new Set<string>();
  for (const file of listFiles('src', /\.ts$/u))
    visit(parseSync(readText(file), { syntax: 'typescript', target: 'es2024' }), (node) => {
      if (node['type'] === 'RegExpLiteral') {
        const [pattern, flags] = [String(node['pattern']), String(node['flags'])];
        const known = literals.get(`${pattern}/${flags}`) ?? { pattern, flags, files: [] };
        if (!known.files.includes(file)) known.files.push(file);
        literals.set(`${pattern}/${flags}`, known);
      }
      const callee = node['callee'] as { value?: unknown } | undefined;
      if (callee?.value === 'RegExp') building.add(file);
    });
  return { literals: [...literals.values()], building };
}

/** What these files and the modules of ours that they load build meanwhile. They must not have been loaded before. */
export async function builtExpressions(files: Iterable<string>): Promise<readonly Expression[]> {
  const built = new Map<string, Expression>();
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, given, asked) {
      const made = Reflect.construct(target, given, asked) as RegExp;
      // The first line names the error, the second this place.
      const [file] = /src\/[\w/-]+\.ts/u.exec(new Error('From where?').stack?.split('\n')[2] ?? '') ?? [];
      if (file !== undefined)
        built.set(`${made.source}/${made.flags}`, { pattern: made.source, flags: made.flags, files: [file] });
      return made;
    },
  });
  try {
    for (const file of files) await import(pathToFileURL(join(root, file)).href);
  } finally {
    globalThis.RegExp = Native;
  }
  return [...built.values()];
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
