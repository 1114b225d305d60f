// Every regular expression literal of the product's source, read from its syntax tree, each once, and those that it builds (`new RegExp`)
// when its modules are loaded or its functions are called. Invariant: no place that builds one is left out.
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
  /** How many places of a file build expressions, by file. */
  readonly building: ReadonlyMap<string, number>;
} {
  const literals = new Map<string, { pattern: string; flags: string; files: string[] }>();
  const building = new Map<string, number>();
  for (const file of ['src', 'packages/readers/src'].flatMap((folder) => listFiles(folder, /\.ts$/u)))
    visit(parseSync(readText(file), { syntax: 'typescript', target: 'es2024' }), (node) => {
      if (node['type'] === 'RegExpLiteral') {
        const [pattern, flags] = [String(node['pattern']), String(node['flags'])];
        const known = literals.get(`${pattern}/${flags}`) ?? { pattern, flags, files: [] };
        if (!known.files.includes(file)) known.files.push(file);
        literals.set(`${pattern}/${flags}`, known);
      }
      const callee = node['callee'] as { value?: unknown } | undefined;
      if (callee?.value === 'RegExp') building.set(file, (building.get(file) ?? 0) + 1);
    });
  return { literals: [...literals.values()], building };
}

export interface BuiltExpressions {
  readonly expressions: readonly Expression[];
  /** How many places of a file built some. */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * What these files and the modules of ours that they load build meanwhile, and then `calls` of their functions. They must not have been loaded
 * before.
 */
export async function builtExpressions(files: Iterable<string>, calls: () => Promise<void>): Promise<BuiltExpressions> {
  const built = new Map<string, Expression>();
  const places = new Map<string, Set<string>>();
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, given, asked) {
      const made = Reflect.construct(target, given, asked) as RegExp;
      // The first line names the error, the second this place.
      const [place, file] =
        /((?:packages\/readers\/)?src\/[\w/-]+\.ts)[^:]*:\d+:\d+/u.exec(
          new Error('From where?').stack?.split('\n')[2] ?? '',
        ) ?? [];
      if (place !== undefined && file !== undefined) {
        places.set(file, (places.get(file) ?? new Set()).add(place));
        built.set(`${made.source}/${made.flags}`, { pattern: made.source, flags: made.flags, files: [file] });
      }
      return made;
    },
  });
  try {
    for (const file of files) await import(pathToFileURL(join(root, file)).href);
    await calls();
  } finally {
    globalThis.RegExp = Native;
  }
  const counts = [...places].map(([file, some]) => [file, some.size] as const);
  return { expressions: [...built.values()], places: new Map(counts) };
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
