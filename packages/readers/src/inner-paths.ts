// What files of an archive may be called: a path that stays inside, written the same way always, once. Sources of the rules: Snyk's
// "Zip Slip" (2018), and Unicode Standard Annex 15 for NFC.

const maxLength = 1000;
/** What packers add for themselves. */
const ofPackers = /^(__MACOSX|\._.*|desktop\.ini)$/iu;

export type SafePath =
  | { readonly path: string }
  /** `path` is how to name it all the same. */
  | { readonly path: string; readonly refused: string }
  /** A folder, or a file that is never read wherever it lies. */
  | undefined;

/** Whether a file or folder of this name is left out, wherever in an archive it lies: the caller decides. */
export type IsLeftOut = (name: string) => boolean;

/** Makes paths of one archive safe and tells the same ones apart. */
export function createPathRules(isLeftOut: IsLeftOut): (raw: string) => SafePath {
  const taken = new Set<string>();
  /** How often a path came: counting on from there keeps thousands of equal names linear. */
  const counts = new Map<string, number>();

  const unique = (path: string): string => {
    let candidate = path;
    for (let number = counts.get(path) ?? 1; taken.has(candidate); ) {
      number += 1;
      counts.set(path, number);
      candidate = path.replace(/(\.[^./]{1,10})?$/u, ` (${number})$1`);
    }
    taken.add(candidate);
    return candidate;
  };

  return (raw) => {
    const written = raw.replaceAll('\\', '/').toWellFormed().normalize('NFC');
    const parts = written.split('/').filter((part) => part !== '' && part !== '.');
    if (parts.length === 0 || written.endsWith('/')) return undefined;
    if (parts.some((part) => ofPackers.test(part) || isLeftOut(part))) return undefined;
    const shown = unique(
      parts
        .map((part) => (part === '..' ? '__' : part))
        .join('/')
        .replaceAll(/\p{Cc}/gu, '_')
        .slice(-maxLength),
    );
    const refused = (why: string) => ({ path: shown, refused: `Its path in the archive ${why}. Pack it anew.` });
    if (written.startsWith('/') || /^[a-z]:/iu.test(written)) return refused('is absolute');
    if (parts.includes('..')) return refused('leads out of the archive');
    if (/\p{Cc}/u.test(written)) return refused('holds control characters');
    if (written.length > maxLength) return refused(`is longer than ${maxLength} characters`);
    return { path: shown };
  };
}
