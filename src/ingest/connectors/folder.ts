// The folder connector: a folder (or one file) of this machine as a source. Read-only.
import { lstat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Connector } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { ConnectorFile, ConnectorReader } from './connector.ts';
import { readInside } from './read-inside.ts';
import { type RootRules, resolveRoot } from './roots.ts';
import { type WalkOptions, walkFolder } from './walk.ts';

/** Opens the folder or file that a connector names, where the rules let it be read; `onSkipped`: told of what is left out. */
export function openFolder(
  connector: Connector,
  rules: RootRules = { closed: [] },
  onSkipped?: WalkOptions['onSkipped'],
): ConnectorReader {
  const shown = resolve(connector.path);
  return {
    async *files(signal) {
      const root = await resolveRoot(connector, rules);
      const toFile = (path: string, uri: string, sizeBytes: number): ConnectorFile => ({
        kind: 'file',
        uri,
        name: basename(path),
        sizeBytes,
        read: (reading) => readInside(path, root, reading),
      });
      const facts = await lstat(root.path).catch((error: unknown) => {
        const cause = toFootnoteError(error);
        throw cause.code === 'not-found'
          ? new FootnoteError('not-found', `${shown}: there is no such folder or file. Check the path.`, {
              cause: error,
            })
          : cause;
      });
      if (facts.isFile()) {
        yield toFile(root.path, basename(shown), facts.size);
        return;
      }
      if (!facts.isDirectory())
        throw new FootnoteError('unsupported', `${shown} is neither a folder nor a file. Name one of the two.`);
      const options = {
        ...(connector.include && { include: connector.include }),
        ...(connector.exclude && { exclude: connector.exclude }),
        // What opens files is none of them.
        skip: connector.passwordFile === undefined ? root.skip : [...root.skip, resolve(connector.passwordFile)],
        ...(onSkipped && { onSkipped }),
      };
      for await (const entry of walkFolder(root.path, options, signal))
        yield entry.kind === 'file'
          ? toFile(entry.path, entry.relativePath, entry.sizeBytes)
          : { kind: 'problem', uri: entry.relativePath, error: entry.error };
    },
  };
}
