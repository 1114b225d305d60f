// The folder connector: a folder (or one file) of this machine as a source. Read-only.
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Connector } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type WalkOptions, walkFolder } from '../walk.ts';
import type { ConnectorFile, ConnectorReader } from './connector.ts';

async function readSourceFile(path: string, signal?: AbortSignal): Promise<Uint8Array> {
  try {
    return await readFile(path, signal ? { signal } : {});
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (error.code === 'storage-denied')
      throw new FootnoteError(
        'storage-denied',
        'No permission to read this file. Give the user who runs Footnote the right to read it, or leave it out with --exclude.',
        { cause: thrown },
      );
    throw error;
  }
}

const toFile = (path: string, uri: string, sizeBytes: number): ConnectorFile => ({
  kind: 'file',
  uri,
  name: basename(path),
  sizeBytes,
  read: (signal) => readSourceFile(path, signal),
});

/** Opens the folder or file that a connector names. `skip`: absolute paths of folders never entered; `onSkipped`: told of what is left out. */
export function openFolder(
  connector: Connector,
  skip: readonly string[] = [],
  onSkipped?: WalkOptions['onSkipped'],
): ConnectorReader {
  const root = resolve(connector.path);
  return {
    async *files(signal) {
      const facts = await stat(root).catch((error: unknown) => {
        const cause = toFootnoteError(error);
        throw cause.code === 'not-found'
          ? new FootnoteError('not-found', `${root}: there is no such folder or file. Check the path.`, {
              cause: error,
            })
          : cause;
      });
      if (facts.isFile()) {
        yield toFile(root, basename(root), facts.size);
        return;
      }
      if (!facts.isDirectory())
        throw new FootnoteError('unsupported', `${root} is neither a folder nor a file. Name one of the two.`);
      const options = {
        ...(connector.include && { include: connector.include }),
        ...(connector.exclude && { exclude: connector.exclude }),
        // What opens files is none of them.
        skip: connector.passwordFile === undefined ? skip : [...skip, resolve(connector.passwordFile)],
        ...(onSkipped && { onSkipped }),
      };
      for await (const entry of walkFolder(root, options, signal))
        yield entry.kind === 'file'
          ? toFile(entry.path, entry.relativePath, entry.sizeBytes)
          : { kind: 'problem', uri: entry.relativePath, error: entry.error };
    },
  };
}
