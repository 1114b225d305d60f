// The ports that ARCHITECTURE.md names in its table of what goes where: the files that something new is written against.
// Invariant: the list is the page's own; a file of rules or of a state, which nobody implements, is none.

/** Longest that a port may be: what does not fit on a screen or two is several ports, or holds what is not port. */
export const mostPortLines = 60;

const notPorts: ReadonlySet<string> = new Set(['src/agent/turn/turn-state.ts', 'src/answer/support.ts']);

/** Paths of the second column, in its order, each once. */
export function portsOf(architecture: string): readonly string[] {
  const rows = [...architecture.matchAll(/^\| an?(?:other)? [^|]*\|([^|]*)\|/gmu)];
  const paths = rows.flatMap(([, port = '']) => [...port.matchAll(/`((?:src|packages)\/[\w/-]+\.ts)`/gu)]);
  return [...new Set(paths.map(([, path = '']) => path))].filter((path) => !notPorts.has(path));
}
