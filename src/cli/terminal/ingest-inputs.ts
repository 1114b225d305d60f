// What "footnote ingest" is asked to read: folders with the sources that read them, files, and a document from stdin.

import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { type FolderConnector, folderOf, shownPlace } from '../../core/connector.ts';
import type { Source, SourceType } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { defined } from '../../core/values/defined.ts';
import type { AddDocument, Footnote } from '../../footnote/facade.ts';

export interface IngestOptions {
  readonly source?: string;
  readonly type?: SourceType;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly title?: string;
  readonly uri?: string;
  readonly mime?: string;
  readonly password?: string;
  readonly passwordFile?: string;
  readonly wait?: boolean;
  readonly retry?: boolean;
  readonly reread?: boolean;
  readonly dryRun?: boolean;
  readonly report?: string;
  /** Folders are read again when something in them changed. */
  readonly watch?: boolean;
}

/** A file, or what came through stdin. */
export interface NamedFile {
  /** As people are told of it. */
  readonly path: string;
  readonly name: string;
  readonly uri: string;
  /** Of a page of the web, which is visited where the documents are. */
  readonly url?: string;
  bytes(): Promise<Uint8Array>;
}

/** Looks at every path before anything is read, so that a mistyped one costs nothing. The password file itself is left out. */
export async function sortPaths(
  paths: readonly string[],
  {
    passwordFile,
    mayBeNone = false,
  }: { readonly passwordFile?: string | undefined; readonly mayBeNone?: boolean } = {},
): Promise<{ folders: string[]; files: string[]; stdin: boolean }> {
  const secret = passwordFile === undefined ? undefined : await realpath(passwordFile).catch(() => undefined);
  const folders: string[] = [];
  const files: string[] = [];
  for (const path of paths.filter((one) => one !== '-')) {
    try {
      const facts = await stat(path);
      const real = await realpath(path);
      if (real === secret) continue;
      if (facts.isDirectory()) folders.push(real);
      else if (facts.isFile()) files.push(real);
      else throw new FootnoteError('invalid-request', `${path} is neither a folder nor a file. Name one of the two.`);
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      throw error.code === 'not-found'
        ? new FootnoteError('not-found', `There is no file or folder ${resolve(path)}. Check the path.`, {
            cause: thrown,
          })
        : error;
    }
  }
  const stdin = paths.includes('-');
  if (folders.length === 0 && files.length === 0 && !stdin && !mayBeNone)
    throw new FootnoteError(
      'invalid-request',
      'Only the password file is named: it is not read in. Name what it opens.',
    );
  return { folders, files, stdin };
}

/** Whether a path is a folder or lies in it; both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || !(inside.startsWith('..') || isAbsolute(inside));
}

/** A file of passwords that is none any more would be read in where it lies in the folder. */
export function assertStaysSecret(before: FolderConnector, now: FolderConnector): void {
  const { passwordFile } = before;
  if (passwordFile === undefined || now.passwordFile === passwordFile) return;
  if (!isWithin(passwordFile, now.path) || !existsSync(passwordFile)) return;
  throw new FootnoteError(
    'invalid-request',
    `The password file of before, ${passwordFile}, lies in the folder and would be read in as a document. Move it away first.`,
  );
}

const toName = (path: string): string =>
  basename(path)
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')
    .slice(0, 80) || 'folder';

/** Where single files go: from the command line, and over HTTP where no source is named. */
export const sourceOfFiles = 'files';
const reservedSources = [sourceOfFiles, 'uploads'];

/** The source that reads this folder, as it is or shall be declared; a name that another folder or single files have gets a number. */
// oxlint-disable-next-line complexity -- Each kind of source takes its own options and refuses the others.
export async function sourceFor(footnote: Footnote, path: string, options: IngestOptions): Promise<Source> {
  const sources = await footnote.sources.list();
  const same = sources.find(
    (source) => folderOf(source.connector) === path && (options.source === undefined || source.name === options.source),
  );
  const named = sources.find((source) => source.name === options.source);
  if (!same && named)
    throw new FootnoteError(
      'conflict',
      named.connector
        ? `Source "${named.name}" reads ${shownPlace(named.connector)} already. Choose another name with --source.`
        : `Source "${named.name}" holds documents that were added one by one. Choose another name with --source.`,
    );
  const taken = new Set([...sources.map((source) => source.name), ...reservedSources]);
  let name = same?.name ?? options.source ?? toName(path);
  // A name that was asked for is meant.
  for (let number = 2; !same && options.source === undefined && taken.has(name); number += 1)
    name = `${toName(path)}-${number}`;
  const before = same?.connector?.kind === 'folder' ? same.connector : undefined;
  const passwordFile = options.passwordFile === undefined ? before?.passwordFile : resolve(options.passwordFile);
  const globs = {
    ...((options.include ?? before?.include) && {
      include: [...(options.include ?? before?.include ?? [])],
    }),
    ...(passwordFile !== undefined && { passwordFile }),
    ...((options.exclude ?? before?.exclude) && {
      exclude: [...(options.exclude ?? before?.exclude ?? [])],
    }),
  };
  const connector: FolderConnector = { kind: 'folder', path, ...globs };
  if (before) assertStaysSecret(before, connector);
  return {
    name,
    type: options.type ?? same?.type ?? 'docs',
    ...(same?.authority !== undefined && { authority: same.authority }),
    ...(same?.ttlSeconds !== undefined && { ttlSeconds: same.ttlSeconds }),
    connector,
    ...(same?.schedule && { schedule: same.schedule }),
    ...((options.watch || same?.watch) && { watch: true }),
  };
}

/** Whether what was named is an address of the web, and no path. */
export const isAddress = (named: string): boolean => /^https?:\/\//iu.test(named);

export const pageAt = (url: string, { uri }: IngestOptions): NamedFile => ({
  path: url,
  name: url,
  uri: uri ?? url,
  url,
  bytes: async () => new Uint8Array(),
});

const noExtension = (name: string): string => (/\.[A-Za-z0-9]+$/.test(name) ? name : `${name}.txt`);

export const fileAt = (path: string, { uri }: IngestOptions): NamedFile => ({
  path,
  name: basename(path),
  uri: uri ?? path.replaceAll('\\', '/'),
  bytes: () => readFile(path),
});

export const pipedFile = (bytes: Uint8Array, { title, uri, mime }: IngestOptions): NamedFile => ({
  path: 'stdin',
  name: mime === undefined ? noExtension(title ?? uri ?? 'stdin') : (title ?? 'stdin'),
  // As for a text that comes over HTTP without a uri: another text is another document.
  uri: uri ?? `text:${sha256(bytes).slice(0, 24)}`,
  bytes: async () => bytes,
});

/** A file as it is added, with what the options say of it. */
export async function toDocument(
  file: NamedFile,
  options: IngestOptions,
  passwords: readonly string[],
): Promise<AddDocument> {
  const content =
    file.url === undefined
      ? { bytes: await file.bytes(), name: file.name, source: options.source ?? sourceOfFiles, uri: file.uri }
      : defined({ url: file.url, source: options.source, uri: options.uri });
  return {
    ...content,
    ...(options.type && { sourceType: options.type }),
    ...(options.title !== undefined && { title: options.title }),
    ...(options.mime !== undefined && { mime: options.mime }),
    ...(passwords.length > 0 && { passwords }),
    ...(options.retry && { retry: true }),
    ...(options.reread !== undefined && { reread: options.reread }),
  };
}
