// Where the repository of a folder lies, found without running git in it. Invariant: every folder and file that git would be led to, by a link,
// a `.git` file, `commondir`, alternates or an included configuration, was looked at before git runs, and lies where the caller may read.
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import { runGit } from './git.ts';

export interface PlaceRules {
  /** How the repository is called in messages. */
  readonly shown: string;
  /** Whether what lies at a path without links may be read. */
  readonly isOpen: (path: string) => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

/** What no command that is run here reads. */
const unread: ReadonlySet<string> = new Set(['hooks', 'modules', 'lfs', 'rr-cache', 'annex']);
/** Files that lead elsewhere hold a few paths. */
const mostBytes = 1 << 20;
const nowhere: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** What stands there without links; undefined where nothing does. */
async function realOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (nowhere.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path)).isDirectory();

/** As the system follows it: a name behind a link counts from where the link leads. */
const from = (folder: string, path: string): string => (isAbsolute(path) ? path : `${folder}/${path}`);

/** What git takes of a file that names a place: up to a zero, without the end of its line. */
async function pathIn(file: string, shown: string): Promise<string> {
  // A pipe in the place of the file keeps nobody waiting.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
    if (bytesRead === mostBytes)
      throw new FootnoteError('invalid-media', `${shown} is no sound repository: ${file} is too long to name a place.`);
    const [text = ''] = buffer.toString('utf8', 0, bytesRead).split('\0', 1);
    let end = text.length;
    while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
    return text.slice(0, end);
  } finally {
    await handle.close();
  }
}

/** Follows what is found until everything was looked at. */
function createSurvey({ shown, isOpen, signal }: PlaceRules) {
  const seen = new Set<string>();

  /** Where a path really leads; undefined where it leads nowhere. Throws `forbidden`. */
  async function enter(path: string, how: string): Promise<string | undefined> {
    const real = await realOf(path);
    if (real !== undefined && !(await isOpen(real)))
      throw new FootnoteError(
        'forbidden',
        `${shown} ${how}, which may not be read as a part of it. Name the repository itself, or a whole copy of it ("git clone --no-local").`,
      );
    return real;
  }

  async function visitAlternates(file: string): Promise<void> {
    // git takes a relative path by its letters, from the folder of the objects without links.
    const objects = (await realOf(dirname(dirname(file)))) ?? '/';
    for (const line of (await pathIn(file, shown)).split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      // Git alone writes paths between quotes, and it may name any place so.
      const path = line.startsWith('"') ? '/' : resolve(objects, line);
      await visitLead(path, 'borrows objects from a repository elsewhere');
    }
  }

  /** A link or a name of another place. */
  async function visitLead(path: string, how: string): Promise<void> {
    const real = await enter(path, how);
    if (real === undefined) return;
    if (await isFolder(real)) await visitFolder(path);
    else if (path.endsWith('/info/alternates')) await visitAlternates(path);
  }

  async function visitFolder(folder: string): Promise<void> {
    signal?.throwIfAborted();
    const [real, around] = await Promise.all([realOf(folder), realOf(dirname(folder))]);
    // What alternates lead to depends on the folder around theirs.
    const key = folder.endsWith('/info') ? `${real}\n${around}` : String(real);
    if (real === undefined || seen.has(key)) return;
    seen.add(key);
    for (const entry of await readdir(real, { withFileTypes: true })) {
      if (unread.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) await visitLead(path, 'holds a link that leads elsewhere');
      else if (entry.isDirectory()) await visitFolder(path);
      else if (path.endsWith('/info/alternates')) await visitAlternates(path);
    }
  }

  /** Looks at the files that a configuration includes, on whatever condition. */
  async function visitConfig(file: string): Promise<void> {
    const real = await enter(file, 'includes a configuration from elsewhere');
    const key = `config ${real}\n${await realOf(dirname(file))}`;
    if (real === undefined || seen.has(key)) return;
    seen.add(key);
    const listed = await runGit(['config', '--file', real, '--no-includes', '--null', '--list'], { shown, signal });
    for (const entry of listed.toString().split('\0')) {
      const [name = '', ...lines] = entry.split('\n');
      if (!name.startsWith('include.') && !name.startsWith('includeif.')) continue;
      const path = lines.join('\n');
      // A person's home, and where git is installed, may be anywhere.
      if (path.startsWith('~') || path.startsWith('%(')) await enter('/', 'includes a configuration from elsewhere');
      else await visitConfig(from(dirname(file), path));
    }
  }

  return {
    enter,
    /** A folder of git with the one that it shares. */
    async visitRepository(folder: string): Promise<void> {
      const shared = join(folder, 'commondir');
      const isShared = (await enter(shared, 'holds a link that leads elsewhere')) !== undefined;
      const led = isShared ? from(folder, await pathIn(shared, shown)) : folder;
      const common = await enter(led, 'keeps its repository elsewhere');
      for (const place of new Set([folder, common ?? folder])) {
        await visitFolder(place);
        for (const name of ['config', 'config.worktree']) await visitConfig(join(place, name));
      }
    },
  };
}

/** The repository of a folder: its `.git`, or the folder itself. Throws `not-found` for what is none, `forbidden` for what leads elsewhere. */
export async function repositoryAt(folder: string, rules: PlaceRules): Promise<string> {
  const { shown } = rules;
  const { enter, visitRepository } = createSurvey(rules);
  const elsewhere = 'keeps its repository elsewhere';
  const find = async (): Promise<string | undefined> => {
    const own = await enter(join(folder, '.git'), elsewhere);
    if (own === undefined) return folder;
    if (await isFolder(own)) return own;
    const said = await pathIn(own, shown);
    return said.startsWith('gitdir: ') ? enter(from(folder, said.slice('gitdir: '.length)), elsewhere) : undefined;
  };
  try {
    const gitDir = await find();
    if (gitDir !== undefined && (await enter(join(gitDir, 'HEAD'), 'holds a link that leads elsewhere'))) {
      await visitRepository(gitDir);
      return gitDir;
    }
  } catch (thrown) {
    throw toFootnoteError(thrown);
  }
  throw new FootnoteError('not-found', `${shown} is no git repository. Name a checkout or a bare repository.`);
}
