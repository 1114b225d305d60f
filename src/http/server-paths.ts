// Takes paths of this machine out of what a caller is told: where data lies is for its owner alone.
import { readdirSync } from 'node:fs';

const shown = '(a path on the server)';
/** Something that may be an absolute path, or the address of a file. */
const pathLike = /file:\/\/[^\s"'`<>]*|(?<![\w.~:/-])(?:\/|[A-Za-z]:[\\/])[^\s"'`<>,;:()]+/gu;

let names: ReadonlySet<string> | undefined;
/** What lies at the top of this machine's file system: routes of ours begin otherwise. */
function topNames(): ReadonlySet<string> {
  try {
    names ??= new Set(readdirSync('/'));
  } catch {
    names = new Set();
  }
  return names;
}

/** `known`: absolute paths that may hold anything, such as the data folder's. */
export function withoutServerPaths(text: string, known: readonly string[] = []): string {
  const longestFirst = [...known].filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
  const told = longestFirst.reduce((rest, path) => rest.replaceAll(path, shown), text);
  return told
    .replace(pathLike, (path) => {
      if (!path.startsWith('/')) return shown;
      return topNames().has((path.split('/')[1] ?? '').replace(/[.!?]$/u, '')) ? shown : path;
    })
    .replace(/\(a path on the server\)[\\/][^\s"'`<>,;:()]*/gu, shown);
}
