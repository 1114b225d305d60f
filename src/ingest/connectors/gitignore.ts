// What a .gitignore file says of a path below its folder, as git reads it (git-scm.com/docs/gitignore); letters of both cases are the same.
// Invariant: a file made to hurt costs no more than its length, which is bounded, times the paths that it is asked about.
import { matchesPath, namesOf, type PathPattern, parsePathPattern } from './path-patterns.ts';

export interface GitIgnore {
  /** What the last rule that fits says; undefined where none does. Of the folders that the path lies in nothing is asked. */
  test(path: string, isFolder: boolean): 'ignored' | 'kept' | undefined;
}

interface Rule {
  readonly pattern: PathPattern;
  readonly keeps: boolean;
  readonly isForFolders: boolean;
}

/** What people write is shorter by far; what is longer says nothing. */
const longestPattern = 500;
const mostCharacters = 128 * 1024;

export function parseGitIgnore(text: string): GitIgnore {
  const rules = text.slice(0, mostCharacters).split(/\r?\n/u).flatMap(toRule).reverse();
  return {
    test(path, isFolder) {
      const names = namesOf(path.toLowerCase());
      const rule = rules.find(
        ({ pattern, isForFolders }) => (isFolder || !isForFolders) && matchesPath(pattern, names),
      );
      return rule && (rule.keeps ? 'kept' : 'ignored');
    },
  };
}

function toRule(line: string): Rule[] {
  const keeps = line.startsWith('!');
  let written = keeps ? line.slice(1) : line;
  // Spaces at the end count where a backslash says so.
  while (written.endsWith(' ') && !written.endsWith('\\ ')) written = written.slice(0, -1);
  if (written === '' || line.startsWith('#') || written.length > longestPattern) return [];
  const isForFolders = written.endsWith('/');
  if (isForFolders) written = written.slice(0, -1);
  // All that is inside, and not the folder itself.
  if (written.endsWith('/**')) written = `${written}/*`;
  return written === '' ? [] : [{ pattern: parsePathPattern(written.toLowerCase()), keeps, isForFolders }];
}
