// Walks a folder and names every file that should be read, in a fixed order: .gitignore files are obeyed as git obeys
// them, links never lead out of the folder or around in a circle, and a folder that cannot be read is reported, not skipped.

import type { Dirent, Stats } from 'node:fs';
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SkipReason } from '../../core/documents/preview.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type GitIgnore, parseGitIgnore } from './gitignore.ts';
import { ledAway, listAt } from './open-at.ts';
import { alternativesOf, matchesPath, namesOf, parsePathPattern } from './path-patterns.ts';

/** Never read, whatever the globs say: version control, installed packages, our own data, what systems and office programs leave behind, secrets. */
export const defaultExcludes: readonly string[] = [
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '__pycache__',
  '.venv',
  '.footnote',
  '.DS_Store',
  '.gitignore',
  'Thumbs.db',
  'desktop.ini',
  // Who has a document open (Microsoft Office; LibreOffice).
  '~$*',
  '.~lock.*#',
  '.env',
  '.env.*',
  '*.env',
  '.ssh',
  '.gnupg',
  '.aws',
  '.netrc',
  '.pgpass',
  '.git-credentials',
  '.htpasswd',
  '.npmrc',
  '.pypirc',
];

export interface WalkOptions {
  /** Globs over the path relative to the root; one without a slash matches the name at any depth. Default: every file. */
  readonly include?: readonly string[];
  /** Files and folders left out, in the same form. */
  readonly exclude?: readonly string[];
  /** Absolute paths of folders never entered, such as the data folder, and of files never read. */
  readonly skip?: readonly string[];
  /** Told of what is left out, a folder for all that lies in it; what systems leave behind (`.DS_Store` and the like) goes without saying. */
  readonly onSkipped?: (relativePath: string, reason: SkipReason) => void;
}

export interface WalkedFile {
  readonly kind: 'file';
  readonly path: string;
  /** Relative to the root, with forward slashes. */
  readonly relativePath: string;
  readonly facts: Stats;
}

/** Something below the root that could not be looked at. What lies under it is unknown, so nothing there counts as gone. */
export interface WalkProblem {
  readonly kind: 'problem';
  readonly relativePath: string;
  readonly error: FootnoteError;
}

interface IgnoreRules {
  readonly folder: string;
  readonly rules: GitIgnore;
}

/** Folders in folders: nobody has more, and each costs all that lie in it. */
const deepest = 200;

type Matcher = (relativePath: string) => boolean;

const longestGlob = 500;
/** Of all globs of a list together. */
const mostPatterns = 1000;
/** What may be looked at in one turn of the event loop. */
const turnMs = 4;

/**
 * Whether one of the globs matches a path with forward slashes; a glob without a slash matches the name at any depth. Throws
 * `invalid-request` for globs that nobody needs: each file is compared with all of them.
 */
export function globMatcher(globs: readonly string[]): Matcher {
  const long = globs.find((glob) => glob.length > longestGlob);
  if (long !== undefined)
    throw new FootnoteError(
      'invalid-request',
      `The glob "${long.slice(0, 40).toWellFormed()}…" is longer than ${longestGlob} characters. Use a shorter one.`,
    );
  const patterns = globs.flatMap((glob) =>
    alternativesOf(glob.replace(/^\.?\/+/, '').replace(/(?<!\/)\/+$/, '')).map(parsePathPattern),
  );
  if (patterns.length > mostPatterns)
    throw new FootnoteError(
      'invalid-request',
      `The globs stand for more than ${mostPatterns} patterns. Use fewer, or fewer braces.`,
    );
  return (relativePath) => {
    const names = namesOf(relativePath);
    return patterns.some((pattern) => matchesPath(pattern, names));
  };
}

const matchesExcluded = globMatcher(defaultExcludes);
const goesWithoutSaying = globMatcher(['.git', '.gitignore', '.footnote', '.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Whether a name of a file or folder is one that is never read, wherever it lies. */
export const neverRead = (name: string): boolean => matchesExcluded(name);

async function readRules(folder: string): Promise<IgnoreRules | undefined> {
  try {
    return { folder, rules: parseGitIgnore(await readFile(join(folder, '.gitignore'), 'utf8')) };
  } catch {
    return undefined;
  }
}

const toPosix = (path: string): string => (sep === '/' ? path : path.split(sep).join('/'));

/** Whether the nearest .gitignore that says anything about the path says that it is ignored. */
function isIgnored(chain: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of chain.toReversed()) {
    const inside = toPosix(relative(folder, path));
    if (inside === '' || inside.startsWith('..')) continue;
    const verdict = rules.test(inside, isFolder);
    if (verdict !== undefined) return verdict === 'ignored';
  }
  return false;
}

/** The .gitignore files above the root, up to the top of its git checkout; none if they would ignore the root itself. */
async function rulesAbove(root: string): Promise<IgnoreRules[]> {
  const chain: IgnoreRules[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) {
      const rules = await readRules(folder);
      if (rules) chain.unshift(rules);
    }
    const isTop = await lstat(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (isTop) break;
    if (dirname(folder) === folder) return [];
  }
  // Whoever ignores a folder around the root ignores the root.
  for (let folder = root; dirname(folder) !== folder; folder = dirname(folder))
    if (isIgnored(chain, folder, true)) return [];
  return chain;
}

/** What a path leads to by the system's account, however it is spelt; undefined where nothing is there. */
export const identityOf = (path: string): Promise<string | undefined> =>
  stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );

/** Whether a path is a folder or lies in it; both absolute and without links. */
export function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || !(inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside));
}

function toProblem(relativePath: string, thrown: unknown, what: string): WalkProblem {
  const cause = toFootnoteError(thrown);
  if (cause === thrown) return { kind: 'problem', relativePath, error: cause };
  // Bytes that are no UTF-8 come as U+FFFD, and no file has that name.
  if (cause.code === 'not-found' && relativePath.includes('\ufffd'))
    return {
      kind: 'problem',
      relativePath,
      error: new FootnoteError(
        'unsupported',
        `The name of this ${what} is not valid UTF-8, so it cannot be opened. Rename it.`,
        { cause: thrown },
      ),
    };
  const advice =
    cause.code === 'storage-denied'
      ? `No permission to read this ${what}. Give the user who runs Footnote the right to read it, or leave it out with --exclude.`
      : cause.message;
  return { kind: 'problem', relativePath, error: new FootnoteError(cause.code, advice, { cause: thrown }) };
}

/**
 * Yields the files below `root` sorted by name, folder by folder; linked files and folders come last. Throws `not-found`
 * or `storage-denied` if the root itself cannot be read, `cancelled` when the signal aborts.
 */
export async function* walkFolder(
  root: string,
  options: WalkOptions = {},
  signal?: AbortSignal,
): AsyncGenerator<WalkedFile | WalkProblem> {
  const realRoot = await realpath(root);
  const included = options.include?.length ? globMatcher(options.include) : () => true;
  const excluded = globMatcher([...defaultExcludes, ...(options.exclude ?? [])]);
  const { onSkipped = (): void => undefined } = options;
  const skipped = new Set(await Promise.all((options.skip ?? []).map((path) => realpath(path).catch(() => path))));
  /** What they are by the system's account: a mount or another spelling leads to the same. */
  const closed = new Set(await Promise.all([...skipped].map(identityOf)));
  const seen = new Set<string>();
  const links: { readonly path: string; readonly chain: readonly IgnoreRules[] }[] = [];
  const nameOf = (path: string): string => toPosix(relative(realRoot, path));

  const isUnwanted = (path: string, chain: readonly IgnoreRules[], isFolder: boolean): boolean => {
    if (skipped.has(path)) return true;
    const name = nameOf(path);
    const reason = excluded(name) ? 'exclude' : isIgnored(chain, path, isFolder) ? 'gitignore' : undefined;
    if (reason !== undefined && !goesWithoutSaying(name)) onSkipped(name, matchesExcluded(name) ? 'never' : reason);
    return reason !== undefined;
  };

  async function* visitFile(path: string, look: typeof stat = lstat): AsyncGenerator<WalkedFile | WalkProblem> {
    if (!included(nameOf(path))) return onSkipped(nameOf(path), 'include');
    try {
      const facts = await look(path);
      if (facts.isFile()) yield { kind: 'file', path, relativePath: nameOf(path), facts };
    } catch (error) {
      yield toProblem(nameOf(path), error, 'file');
    }
  }

  async function* visitFolder(folder: string, above: readonly IgnoreRules[]): AsyncGenerator<WalkedFile | WalkProblem> {
    signal?.throwIfAborted();
    if (nameOf(folder).split('/').length > deepest) {
      const error = new FootnoteError('too-large', `It lies more than ${deepest} folders deep. Move it further up.`);
      yield { kind: 'problem', relativePath: nameOf(folder), error };
      return;
    }
    let entries: Dirent[];
    try {
      const real = await realInside(folder);
      const isClosed = folder !== realRoot && closed.has((await identityOf(real)) ?? real);
      if (isClosed) return;
      seen.add(real);
      // What was put in its place meanwhile is not looked at.
      entries = await listAt(real);
    } catch (error) {
      if (folder === realRoot) throw toProblem('.', error, 'folder').error;
      yield toProblem(nameOf(folder), error, 'folder');
      return;
    }
    const rules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
      ? await readRules(folder)
      : undefined;
    const chain = rules ? [...above, rules] : above;
    entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    let begun = performance.now();
    for (const entry of entries) {
      if (performance.now() - begun > turnMs) {
        await nextTurn();
        signal?.throwIfAborted();
        begun = performance.now();
      }
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) links.push({ path, chain });
      else if (isUnwanted(path, chain, entry.isDirectory())) continue;
      else if (entry.isDirectory()) yield* visitFolder(path, chain);
      else if (entry.isFile()) {
        seen.add(path);
        yield* visitFile(path);
      } else onSkipped(nameOf(path), 'special');
    }
  }

  /** Throws where a link leads out of the root that was none when its folder was read. */
  async function realInside(folder: string): Promise<string> {
    const real = await realpath(folder);
    if (!isWithin(real, realRoot)) throw ledAway();
    return real;
  }

  /** A link is followed only to something inside the root that no plain path led to, and that would be read there. */
  async function* visitLink(path: string, chain: readonly IgnoreRules[]): AsyncGenerator<WalkedFile | WalkProblem> {
    const target = await realpath(path).catch(() => undefined);
    const isElsewhere = target === undefined || target === realRoot || !isWithin(target, realRoot);
    if (isElsewhere || seen.has(target) || skipped.has(target) || nameOf(target).split('/').some(neverRead))
      return onSkipped(nameOf(path), 'link');
    const facts = await stat(target).catch(() => undefined);
    if (facts === undefined || isUnwanted(path, chain, facts.isDirectory())) return;
    seen.add(target);
    if (facts.isDirectory()) yield* visitFolder(path, chain);
    else if (facts.isFile()) yield* visitFile(path, stat);
  }

  yield* visitFolder(realRoot, await rulesAbove(realRoot));
  for (let link = links.shift(); link !== undefined; link = links.shift()) {
    signal?.throwIfAborted();
    yield* visitLink(link.path, link.chain);
  }
}
