// Matches paths against patterns: `*` is any run within a folder, `**` any run across folders, and `**/` also no folder at
// all; everything else stands for itself. Runs in pattern length x path length for every input (no regular expressions, so
// no pattern of a client can make it slow).

type Step = { readonly kind: 'character'; readonly code: number } | { readonly kind: 'within' | 'across' | 'folders' };

function parseGlob(pattern: string): readonly Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; ) {
    if (pattern.startsWith('**', at)) {
      const wholeFolders = pattern[at + 2] === '/' && (at === 0 || pattern[at - 1] === '/');
      steps.push({ kind: wholeFolders ? 'folders' : 'across' });
      at += wholeFolders ? 3 : 2;
    } else if (pattern[at] === '*') {
      steps.push({ kind: 'within' });
      at += 1;
    } else {
      steps.push({ kind: 'character', code: pattern.charCodeAt(at) });
      at += 1;
    }
  }
  return steps;
}

const slash = 47;

/** A matcher of whole paths for `pattern`. */
export function createGlob(pattern: string): (path: string) => boolean {
  const steps = parseGlob(pattern);
  return (path) => {
    // reached[i]: the first i steps match the text read so far. `folders` may only be passed at the start of a folder.
    let reached = new Uint8Array(steps.length + 1);
    reached[0] = 1;
    passEmpty(steps, reached, true);
    for (let at = 0; at < path.length; at += 1) {
      const code = path.charCodeAt(at);
      const next = new Uint8Array(steps.length + 1);
      for (const [index, step] of steps.entries()) {
        if (reached[index] !== 1) continue;
        if (step.kind === 'character' && step.code === code) next[index + 1] = 1;
        else if (step.kind === 'within' && code !== slash) next[index] = 1;
        else if (step.kind === 'across' || step.kind === 'folders') next[index] = 1;
      }
      passEmpty(steps, next, code === slash);
      reached = next;
    }
    return reached[steps.length] === 1;
  };
}

function passEmpty(steps: readonly Step[], reached: Uint8Array, atFolderStart: boolean): void {
  for (const [index, step] of steps.entries()) {
    if (reached[index] !== 1 || step.kind === 'character') continue;
    if (step.kind !== 'folders' || atFolderStart) reached[index + 1] = 1;
  }
}
