// Matches paths against patterns: `*` is any run within a folder, `**` any run across folders, and `**/` also no folder at
// all; everything else stands for itself. Invariant: the path is read once, whatever the pattern says, with every place of the pattern that
// it may have reached (K. Thompson, "Regular expression search algorithm", 1968): nothing is tried twice.

/** A pattern that anyone needs has a handful. */
const maximumWildcards = 32;
const maximumLength = 512;

/** Wildcards beside the codes of letters; `inside` follows `folders`, and is within the folders that it takes. */
const [within, across, folders, inside] = [-1, -2, -3, -4];
const slash = 47;

function stepsOf(pattern: string): Int32Array {
  const steps = [...pattern.matchAll(/(?<=^|\/)\*\*\/|\*\*|[\s\S]/g)].flatMap(([written]) => {
    if (written === '**/') return [folders, inside];
    if (written === '**') return [across];
    return [written === '*' ? within : written.charCodeAt(0)];
  });
  return Int32Array.from(steps);
}

/** Why a pattern is refused: what it is, in words that go on after "it"; undefined for one that can be matched. */
export function globFault(pattern: string): string | undefined {
  if (pattern.length > maximumLength) return `has a glob longer than ${maximumLength} characters`;
  return (pattern.match(/\*+/gu)?.length ?? 0) > maximumWildcards
    ? `has a glob with more than ${maximumWildcards} wildcards`
    : undefined;
}

/** A matcher of whole paths for a `pattern` without a fault. */
export function createGlob(pattern: string): (path: string) => boolean {
  const steps = stepsOf(pattern);
  const head = pattern.split('*', 1)[0] as string;
  const tail = pattern.replace(/^[\s\S]*\*(?:(?<=(?:^|\/)\*\*)\/)?/, '');
  /** Up to where of the path each step was reached last, and the steps that are reached now and next. */
  const reached = new Int32Array(steps.length + 1);
  let [now, next] = [new Int32Array(steps.length + 1), new Int32Array(steps.length + 1)];
  let count = 0;
  const reach = (from: number, at: number): void => {
    for (let place = from; reached[place] !== at; ) {
      reached[place] = at;
      next[count] = place;
      count += 1;
      const step = steps[place];
      // A wildcard may take nothing.
      if (step === within || step === across) place += 1;
      else if (step === folders) place += 2;
    }
  };
  return (path) => {
    if (!path.startsWith(head) || !path.endsWith(tail)) return false;
    reached.fill(-1);
    count = 0;
    reach(0, 0);
    const end = path.length;
    for (let at = 0; at < end && count > 0; at += 1) {
      [now, next] = [next, now];
      const many = count;
      count = 0;
      const letter = path.charCodeAt(at);
      for (let one = 0; one < many; one += 1) {
        const place = now[one] as number;
        const step = steps[place];
        if (step === letter) reach(place + 1, at + 1);
        else if (step === across || (step === within && letter !== slash)) reach(place, at + 1);
        else if (step === folders || step === inside) {
          const last = step === folders ? place + 1 : place;
          reach(last, at + 1);
          if (letter === slash) reach(last + 1, at + 1);
        }
      }
    }
    return reached[steps.length] === end && count > 0;
  };
}
