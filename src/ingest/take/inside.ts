// Files in files: what an archive holds and what is attached to a document, each as a file that comes in by itself. Invariant: the
// uri of everything that came out of a file begins with that file's uri and a slash, and its own facts name the outermost file
// (`container`, a column of the record too), so that it can be kept, listed and removed with it.

import { overLimit } from '@footnote/readers/file-size';
import { createPathRules } from '@footnote/readers/inner-paths';
import type { RefusedContent, UnpackedFile } from '@footnote/readers/reader';
import { refusedByName } from '@footnote/readers/registry/sniff';
import type { AttachedFile } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { neverRead } from '../connectors/walk.ts';
import { type FileRoute, unlessRouted } from '../read/file-route.ts';
import type { CuttingPool } from '../read/parse.ts';
import type { Passwords } from '../read/passwords.ts';
import type { IncomingFile, Inside } from './incoming.ts';

/** What may come out of one file, archives in archives included. */
export const insideLimits = {
  files: 10_000,
  bytes: 1024 * 1024 * 1024,
  archivesDeep: 3,
  /** Attachments of attached messages; archives count too. */
  deep: 6,
} as const;

/** A file, or why it is none. */
export type InnerFile =
  | { readonly file: IncomingFile }
  | { readonly refused: RefusedFile; readonly error: FootnoteError };

export interface RefusedFile {
  readonly uri: string;
  readonly name: string;
  /** Those that did not open it: with others it is tried anew. */
  readonly passwords?: Passwords;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function insideOf(file: IncomingFile, isArchive: boolean): Inside {
  const { container = file.uri, deep = 0, archivesDeep = 0, left, origin } = file.inside ?? {};
  return {
    container,
    origin: { ...origin, container, [isArchive ? 'archive' : 'attachedTo']: file.uri },
    deep: deep + 1,
    archivesDeep: archivesDeep + (isArchive ? 1 : 0),
    left: left ?? { files: insideLimits.files, bytes: insideLimits.bytes },
    turn: { last: Promise.resolve() },
  };
}

function innerFile(
  outer: IncomingFile,
  inner: { readonly path: string; readonly content: UnpackedFile['content']; readonly mime?: string },
  inside: Inside,
): InnerFile {
  const { path, content, mime } = inner;
  const uri = `${outer.uri}/${path}`;
  const name = nameOf(path);
  const { passwords } = outer.opening;
  const refuse = ({ code, message, reason }: RefusedContent): InnerFile => ({
    refused: { uri, name, ...(passwords && { passwords }) },
    error: toFootnoteError(
      (code === 'too-large' ? refusedByName(name) : undefined) ??
        new FootnoteError(code, message, reason === undefined ? {} : { details: { reason } }),
    ),
  });
  if (!(content instanceof Uint8Array)) return refuse(content);
  if (content.length === 0)
    return refuse({
      code: 'invalid-media',
      message: `${name} is empty. Give a file with text in it.`,
      reason: 'no-text',
    });
  inside.left.files -= 1;
  inside.left.bytes -= content.length;
  if (inside.left.files < 0 || inside.left.bytes < 0)
    return refuse({
      code: 'too-large',
      message: `${name} is one file too many: at most ${insideLimits.files} files and ${insideLimits.bytes} bytes come out of ${inside.container}. Unpack it, or split it.`,
    });
  const { title: _, mime: __, publishedAt: ___, version: ____, ...shared } = outer.facts;
  return {
    file: {
      source: outer.source,
      uri,
      name,
      bytes: content,
      facts: { ...shared, ...(mime !== undefined && { mime }) },
      opening: outer.opening,
      inside,
    },
  };
}

/** The files of an archive, one after another; none where the route says that it is a document. Throws what taking it apart throws. */
export async function filesOfArchive(
  { parsers, maxFileBytes }: { readonly parsers: CuttingPool; readonly maxFileBytes: number },
  archive: IncomingFile,
  signal?: AbortSignal,
): Promise<{ readonly route: FileRoute; readonly files: AsyncIterable<InnerFile> | Iterable<never> }> {
  const inside = insideOf(archive, true);
  if (inside.archivesDeep > insideLimits.archivesDeep || inside.deep > insideLimits.deep) throw tooDeep(archive);
  const limits = {
    maxFiles: Math.max(0, inside.left.files),
    maxFileBytes,
    maxTotalBytes: Math.max(0, inside.left.bytes),
  };
  const { bytes, name, uri, opening } = archive;
  const passwords = opening.password === undefined ? (opening.passwords?.of(uri) ?? []) : [opening.password];
  const unpacked = parsers.unpack({ bytes, name, passwords }, limits, signal)[Symbol.asyncIterator]();
  // What it is shows with the first files.
  const first = await unlessRouted(unpacked.next(), 'document');
  if (first === 'document') return { route: first, files: [] };
  async function* files(): AsyncGenerator<InnerFile> {
    try {
      for (let next = first as IteratorResult<readonly UnpackedFile[]>; !next.done; next = await unpacked.next())
        for (const file of next.value) yield innerFile(archive, file, inside);
    } finally {
      await unpacked.return?.();
    }
  }
  return { route: 'archive', files: files() };
}

const tooDeep = ({ name }: IncomingFile): FootnoteError =>
  new FootnoteError(
    'too-large',
    `${name} lies too deep: archives in archives are opened ${insideLimits.archivesDeep} deep, files in files ${insideLimits.deep} deep. Unpack the outer ones.`,
  );

/** What is attached to a document. */
export function attachedFiles(
  document: IncomingFile,
  attachments: readonly AttachedFile[],
  maxFileBytes: number,
): readonly InnerFile[] {
  const inside = insideOf(document, false);
  const safe = createPathRules(neverRead);
  return attachments.flatMap((attached): readonly InnerFile[] => {
    const path = safe(`attachments/${nameOf(attached.name.replaceAll('\\', '/')) || 'attachment'}`);
    if (path === undefined) return [];
    const { mime, bytes } = attached;
    const content: UnpackedFile['content'] =
      inside.deep > insideLimits.deep
        ? { code: 'too-large', message: tooDeep({ ...document, name: nameOf(path.path) }).message }
        : bytes.length > maxFileBytes
          ? { code: 'too-large', message: `It has ${overLimit(bytes.length, maxFileBytes)}.` }
          : bytes;
    return [innerFile(document, { path: path.path, content, ...(mime !== undefined && { mime }) }, inside)];
  });
}

/** Whether a uri lies in one of the files, however deep. */
export const isInside = (uri: string, containers: { has(uri: string): boolean }): boolean =>
  containersOf(uri, containers).next().done !== true;

/** Whether something of this uri is a file or folder at one of the paths, or may have come out of it. */
export const isBelowAny = (uri: string, paths: ReadonlySet<string>): boolean =>
  paths.size > 0 &&
  (paths.has('.') || paths.has(uri) || uri.matchAll(/[/#]/gu).some(({ index }) => paths.has(uri.slice(0, index))));

/** Those of the files that a uri lies in, the innermost first. */
export function* containersOf(uri: string, containers: { has(uri: string): boolean }): Generator<string> {
  for (let slash = uri.lastIndexOf('/'); slash > 0; slash = uri.lastIndexOf('/', slash - 1)) {
    const outer = uri.slice(0, slash);
    if (containers.has(outer)) yield outer;
  }
}
