// Which folders import each other in a circle, by the imports of their files.
import { dirname, join } from 'node:path';

/** Files by path, each with its text. Circles as sorted lists of folders; a folder and one inside it may be a circle, too. */
export function folderCircles(files: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  // A file beside the rooms (the settings, the door for applications) is a room of its own, as the fence has it.
  const folderOf = (path: string): string => (dirname(path) === 'src' ? path : dirname(path));
  const edges = new Map<string, Set<string>>();
  for (const [path, text] of files)
    for (const [, target = ''] of text.matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)) {
      const to = join(dirname(path), target);
      if (!files.has(to) || folderOf(to) === folderOf(path)) continue;
      edges.set(folderOf(path), (edges.get(folderOf(path)) ?? new Set()).add(folderOf(to)));
    }
  const reached = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const waiting = [...(edges.get(from) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(...(edges.get(next) ?? []));
    }
    return seen;
  };
  const reach = new Map([...edges.keys()].map((folder) => [folder, reached(folder)]));
  const circles = new Set<string>();
  for (const [folder, there] of reach) {
    if (!there.has(folder)) continue;
    circles.add(
      [...there]
        .filter((other) => reach.get(other)?.has(folder))
        .sort()
        .join('\n'),
    );
  }
  return [...circles].sort().map((circle) => circle.split('\n'));
}
