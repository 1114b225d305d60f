// Pointers of Git LFS: what a checkout or a commit holds in place of a large file that was not fetched. They look like a small text and are no
// document of anybody.
import { ReadError } from './read-error.ts';

/** A pointer is smaller by its own specification. */
const mostBytes = 1024;
const versions = ['version https://git-lfs.github.com/spec/', 'version https://hawser.github.com/spec/'];

export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length >= mostBytes) return false;
  const [first = '', ...lines] = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/u, '')
    .trimEnd()
    .split(/\r?\n/u);
  const says = (key: string): boolean => lines.some((line) => line.startsWith(`${key} `));
  return (
    versions.some((version) => first.startsWith(version)) &&
    says('oid') &&
    says('size') &&
    lines.every((line) => /^[a-z0-9.-]+ \S+$/u.test(line))
  );
}

export const lfsPointerError = (name: string): ReadError =>
  new ReadError(
    'invalid-media',
    `${name} is a pointer of Git LFS: the file itself was not fetched. Run "git lfs pull" in a checkout and read that as a folder, or give the file itself.`,
    { details: { reason: 'lfs-pointer' } },
  );
