// Which paths of a source are wanted, as its globs say: those of a folder are asked while it is walked (walk.ts), others by this.
import { globMatcher } from './walk.ts';

export interface PathGlobs {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** A glob that leaves out a folder leaves out all that lies in it. Throws `invalid-request` for globs that nobody needs. */
export function pathFilter({ include = [], exclude = [] }: PathGlobs): (path: string) => boolean {
  const [isIncluded, isExcluded] = [globMatcher(include), globMatcher(exclude)];
  return (path) => {
    if (include.length > 0 && !isIncluded(path)) return false;
    if (exclude.length === 0) return true;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
      if (slash > 0 && isExcluded(path.slice(0, slash))) return false;
    return !isExcluded(path);
  };
}
