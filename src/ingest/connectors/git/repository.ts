// The connector of git: the files of one commit, of a checkout or a bare repository on this machine, or of one that is fetched. The version of
// an item is its blob, so that of a new commit only changed files are read; each document says of which commit it is.
import type { GitConnector } from '../../../core/connector.ts';
import { FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import type { SourceReader } from '../connector.ts';
import { pathFilter } from '../path-filter.ts';
import type { SourceItem, SourceProblem } from '../source-item.ts';
import { neverRead } from '../walk.ts';
import { type BlobReader, openBlobs, runGit } from './git.ts';
import type { Mirror } from './mirror.ts';

export interface Repository extends Mirror {
  /** How it is called in messages and in what documents say of it. */
  readonly shown: string;
  /** What the source asks for by default. */
  readonly ref: string;
}

export type FindRepository = (connector: GitConnector, signal?: AbortSignal) => Promise<Repository>;

interface Entry {
  readonly mode: string;
  readonly id: string;
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
    const [mode = '', , id = ''] = listing.subarray(at, tab).toString('latin1').split(' ');
    const name = listing.subarray(tab + 1, end);
    let path: string | undefined;
    try {
      path = strict.decode(name);
    } catch {
      path = undefined;
    }
    entries.push({ mode, id, path, shownPath: path ?? name.toString('latin1') });
    at = end + 1;
  }
  return entries;
}

export function openRepository(connector: GitConnector, find: FindRepository): SourceReader {
  let blobs: BlobReader | undefined;
  let repository: Repository | undefined;
  const isWanted = pathFilter(connector);
  return {
    async *items({ signal, before } = {}) {
      repository = await find(connector, signal);
      const { gitDir, shown, ref } = repository;
      const ask = (words: readonly string[], input = ''): Promise<Buffer> =>
        runGit(['--git-dir', gitDir, ...words], { shown, signal, input, timeoutMs: 300_000 });
      const commit = await ask(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`]).catch(
        (thrown: unknown) => {
          const error = toFootnoteError(thrown);
          if (error.code !== 'invalid-media') throw error;
          throw new FootnoteError('not-found', `${shown} has no commit "${ref}". Name a branch, a tag or a commit.`);
        },
      );
      const id = commit.toString().trim();
      const entries = parseTree(await ask(['ls-tree', '-r', '-z', '--full-tree', id])).filter(
        ({ mode, path }) =>
          fileModes.has(mode) && (path === undefined || (!path.split('/').some(neverRead) && isWanted(path))),
      );
      const { bring } = repository;
      // What was read before is not read again, and a look has not brought it.
      const sized = bring ? entries.filter((entry) => before?.(entry.path ?? '') !== entry.id) : entries;
      const ids = [...new Set(sized.map((entry) => entry.id))];
      await bring?.(ids);
      const told = await ask(['cat-file', '--batch-check=%(objectname) %(objectsize)'], ids.join('\n'));
      const sizes = new Map(
        told
          .toString()
          .split('\n')
          .map((line) => line.split(' ') as [string, string]),
      );
      const opened = openBlobs(gitDir, shown);
      blobs = opened;
      for (const { id: blob, path, shownPath } of entries) {
        if (path === undefined) {
          const error = new FootnoteError('invalid-media', `The name ${shownPath} is not in UTF-8. Rename the file.`);
          yield { kind: 'problem', uri: shownPath, error } satisfies SourceProblem;
          continue;
        }
        const sizeBytes = Number(sizes.get(blob)) || 0;
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
    async close() {
      blobs?.close();
      await repository?.close?.();
    },
  };
}
