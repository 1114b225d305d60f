// The folder connector: a folder (or one file) of this machine as a source. Read-only.
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { FolderConnector } from '../../core/connector.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type Clock, systemClock } from '../../core/ids.ts';
import type { SourceReader } from './connector.ts';
import type { OpenOptions } from './connectors.ts';
import { readInside } from './read-inside.ts';
import { type RootRules, resolveRoot } from './roots.ts';
import type { SourceItem } from './source-item.ts';
import { walkFolder } from './walk.ts';

export interface FolderOptions extends OpenOptions {
  /** Where it may be read. Default: everywhere. */
  readonly rules?: RootRules;
  readonly clock?: Pick<Clock, 'now'>;
}

/** A file that was changed later than so long ago may change again and keep its times: those of some file systems count by two seconds. */
const settledMs = 2000;

/**
 * The times at which its bytes and its entry changed last, its length and its number in the file system; undefined where they do not tell. The
 * second time is the system's own: a program that sets the first one back changes it.
 */
function versionOf({ mtimeMs, ctimeMs, size, ino }: Stats, nowMs: number): string | undefined {
  const isSettled = Math.max(mtimeMs, ctimeMs) < nowMs - settledMs;
  return isSettled ? [mtimeMs, ctimeMs, size, ino].join(' ') : undefined;
}

/** Opens the folder or file that a connector names, where the rules let it be read. */
export function openFolder(connector: FolderConnector, options: FolderOptions = {}): SourceReader {
  const { rules = { closed: [] }, clock = systemClock, onSkipped } = options;
  const shown = resolve(connector.path);
  return {
    async *items({ signal } = {}) {
      const root = await resolveRoot(connector, rules);
      const toItem = (path: string, uri: string, facts: Stats): SourceItem => {
        const version = versionOf(facts, Date.parse(clock.now()));
        return {
          kind: 'item',
          uri,
          name: basename(path),
          sizeBytes: facts.size,
          ...(version !== undefined && { version }),
          read: (reading) => readInside(path, root, reading),
        };
      };
      const facts = await lstat(root.path).catch((error: unknown) => {
        const cause = toFootnoteError(error);
        throw cause.code === 'not-found'
          ? new FootnoteError('not-found', `${shown}: there is no such folder or file. Check the path.`, {
              cause: error,
            })
          : cause;
      });
      yield { kind: 'look', device: String(facts.dev) };
      if (facts.isFile()) {
        yield toItem(root.path, basename(shown), facts);
        return;
      }
      if (!facts.isDirectory())
        throw new FootnoteError('unsupported', `${shown} is neither a folder nor a file. Name one of the two.`);
      const walked = {
        ...(connector.include && { include: connector.include }),
        ...(connector.exclude && { exclude: connector.exclude }),
        // What opens files is none of them.
        skip: connector.passwordFile === undefined ? root.skip : [...root.skip, resolve(connector.passwordFile)],
        ...(onSkipped && { onSkipped }),
      };
      for await (const entry of walkFolder(root.path, walked, signal))
        yield entry.kind === 'file'
          ? toItem(entry.path, entry.relativePath, entry.facts)
          : { kind: 'problem', uri: entry.relativePath, error: entry.error };
    },
  };
}
