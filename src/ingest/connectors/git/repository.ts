// The connector of git: the files of one commit, of a checkout or a bare repository on this machine, or of one that is fetched. The version of
// an item is its blob, so that of a new commit only changed files are read; each document says of which commit it is.
import { join } from 'node:path';
import type { GitConnector } from '../../../core/connector.ts';
import { FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import type { SourceReader } from '../connector.ts';
import { pathFilter } from '../path-filter.ts';
import type { SourceItem, SourceProblem } from '../source-item.ts';
import { neverRead } from '../walk.ts';
import { type BlobReader, openBlobs, runGit } from './git.ts';

export interface Repository {
  readonly gitDir: string;
  /** How it is called in messages and in what documents say of it. */
  readonly shown: string;
  /** What the source asks for by default. */
  readonly ref: string;
}

export type FindRepository = (connector: GitConnector, signal?: AbortSignal) => Promise<Repository>;

interface Entry {
  readonly mode: string;
  readonly id: string;
  readonly sizeBytes: number;
  /** Undefined: its name is in no encoding that is known. */
  readonly path: string | undefined;
  readonly shownPath: string;
}

/** Links and other repositories are not read. */
const fileModes: ReadonlySet<string> = new Set(['100644', '100755', '100664']);

function parseTree(listing: Buffer): Entry[] {
  const entries: Entry[] = [];
  const strict = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < listing.length; ) {
    const end = listing.indexOf(0, at);
    const tab = listing.indexOf(0x09, at);
    const [mode = '', , id = '', size = '0'] = listing.subarray(at, tab).toString('latin1').split(/ +/u);
    const name = listing.subarray(tab + 1, end);
    let path: string | undefined;
    try {
      path = strict.decode(name);
    } catch {
      path = undefined;
    }
    entries.push({ mode, id, sizeBytes: Number(size) || 0, path, shownPath: path ?? name.toString('latin1') });
    at = end + 1;
  }
  return entries;
}

/** The repository at a path of this machine. Throws `not-found` for what is none. */
export async function repositoryAt(path: string, signal?: AbortSignal): Promise<string> {
  const told = await runGit(['rev-parse', '--absolute-git-dir'], { folder: path, shown: path, signal });
  return join(told.toString().trim());
}

export function openRepository(connector: GitConnector, find: FindRepository): SourceReader {
  let blobs: BlobReader | undefined;
  const isWanted = pathFilter(connector);
  return {
    async *items({ signal } = {}) {
      const { gitDir, shown, ref } = await find(connector, signal);
      const ask = (...words: string[]): Promise<Buffer> =>
        runGit(['--git-dir', gitDir, ...words], { shown, signal, timeoutMs: 300_000 });
      const commit = await ask('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`).catch(
        (thrown: unknown) => {
          const error = toFootnoteError(thrown);
          if (error.code !== 'invalid-media') throw error;
          throw new FootnoteError('not-found', `${shown} has no commit "${ref}". Name a branch, a tag or a commit.`);
        },
      );
      const id = commit.toString().trim();
      const entries = parseTree(await ask('ls-tree', '-r', '-z', '-l', '--full-tree', id));
      const opened = openBlobs(gitDir, shown);
      blobs = opened;
      for (const { mode, id: blob, sizeBytes, path, shownPath } of entries) {
        if (!fileModes.has(mode)) continue;
        if (path === undefined) {
          const error = new FootnoteError('invalid-media', `The name ${shownPath} is not in UTF-8. Rename the file.`);
          yield { kind: 'problem', uri: shownPath, error } satisfies SourceProblem;
          continue;
        }
        if (path.split('/').some(neverRead) || !isWanted(path)) continue;
        yield {
          kind: 'item',
          uri: path,
          name: path.slice(path.lastIndexOf('/') + 1),
          version: blob,
          sizeBytes,
          read: async (reading) => {
            reading?.throwIfAborted();
            const bytes = await opened.read(blob);
            return {
              kind: 'content',
              bytes,
              version: blob,
              facts: { version: id, metadata: { commit: id, repository: shown } },
            };
          },
        } satisfies SourceItem;
      }
    },
    close: async () => blobs?.close(),
  };
}
