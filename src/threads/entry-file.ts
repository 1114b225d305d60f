// Where a thread or a child process starts. A checkout runs TypeScript, the bundled program JavaScript: the file stands beside its owner's and ends as that does.

/** `path`: of the file from its owner's, without its ending. `owner`: `import.meta.url`. */
export const entryFile = (path: string, owner: string): URL =>
  new URL(`${path}${owner.endsWith('.ts') ? '.ts' : '.js'}`, owner);
