// What "footnote sources add" is asked to declare: where the documents of a source come from, by the options that a person gives.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import type { Connector, ConnectorKind, GitConnector } from '../../core/connector.ts';
import type { Source, SourceType } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { isAddress } from './ingest-inputs.ts';
import { repeatable, toWholeNumber, typeOption } from './options.ts';

export interface SourceOptions {
  readonly type?: SourceType;
  readonly folder?: string;
  readonly url?: readonly string[];
  readonly sitemap?: string;
  readonly feed?: string;
  readonly git?: string;
  readonly ref?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxPages?: number;
  readonly maxDepth?: number;
  readonly authority?: number;
  readonly ttl?: number;
  readonly every?: number;
  readonly watch?: boolean;
  /** False: it is declared and not read. */
  readonly sync?: boolean;
}

export const addSourceOptions = (command: Command): Command =>
  command
    .addOption(typeOption())
    .option('--folder <path>', 'read a folder of this machine')
    .addOption(repeatable('--url <address>', 'read the page or file at an address (repeatable)'))
    .option('--sitemap <address>', 'read a site: the pages of its sitemap, or those that its pages lead to')
    .option('--feed <address>', 'read what the entries of a feed (RSS, Atom) lead to')
    .option('--git <repository>', 'read the files of a commit: path of a checkout or bare repository, or its address')
    .option('--ref <name>', 'branch, tag or commit of the repository (default: HEAD)')
    .addOption(repeatable('--include <glob>', 'only files or paths that match (repeatable)'))
    .addOption(repeatable('--exclude <glob>', 'leave out files or paths that match (repeatable)'))
    .addOption(new Option('--max-pages <number>', 'pages of a site or feed at most').argParser(toWholeNumber))
    .addOption(new Option('--max-depth <number>', 'how many links deep a site is followed').argParser(toWholeNumber))
    .addOption(new Option('--authority <number>', 'weight of what it says, 0 to 10').argParser(Number))
    .addOption(new Option('--ttl <seconds>', 'how long its results may be kept').argParser(toWholeNumber))
    .addOption(new Option('--every <minutes>', 'read it again so often, while a server runs').argParser(toWholeNumber))
    .option('--watch', 'read it again when something in its folder changed, while a server runs')
    .option('--no-sync', 'declare it and read it later');

const kinds = ['folder', 'url', 'sitemap', 'feed', 'git'] as const;

function toConnector(options: SourceOptions): Connector {
  const given = kinds.filter((kind) => options[kind] !== undefined);
  if (given.length !== 1)
    throw new FootnoteError(
      'invalid-request',
      `Say where the documents come from with exactly one of ${kinds.map((kind) => `--${kind}`).join(', ')}.`,
    );
  const globs = {
    ...(options.include && { include: [...options.include] }),
    ...(options.exclude && { exclude: [...options.exclude] }),
  };
  const pages = options.maxPages !== undefined && { maxPages: options.maxPages };
  if (options.url) return { kind: 'url', urls: [...options.url] };
  if (options.sitemap !== undefined)
    return {
      kind: 'sitemap',
      url: options.sitemap,
      ...globs,
      ...pages,
      ...(options.maxDepth !== undefined && { maxDepth: options.maxDepth }),
    };
  if (options.feed !== undefined) return { kind: 'feed', url: options.feed, ...pages };
  if (options.git !== undefined)
    return toRepository(options.git, { ...globs, ...(options.ref && { ref: options.ref }) });
  const path = resolve(options.folder as string);
  if (!existsSync(path)) throw new FootnoteError('not-found', `There is no file or folder ${path}. Check the path.`);
  return { kind: 'folder', path, ...globs };
}

function toRepository(named: string, more: Omit<GitConnector, 'kind' | 'path' | 'url'>): GitConnector {
  if (isAddress(named)) return { kind: 'git', url: named, ...more };
  const path = named.startsWith('file:') ? fileURLToPath(named) : resolve(named);
  if (!existsSync(path)) throw new FootnoteError('not-found', `There is no repository ${path}. Check the path.`);
  return { kind: 'git', path, ...more };
}

/** Throws `invalid-request` where the options do not fit together. */
export function toDeclared(name: string, options: SourceOptions): Source {
  const connector = toConnector(options);
  const usual: Readonly<Record<ConnectorKind, SourceType>> = {
    folder: 'docs',
    git: 'code',
    url: 'web',
    sitemap: 'web',
    feed: 'web',
  };
  return {
    name,
    type: options.type ?? usual[connector.kind],
    ...(options.authority !== undefined && { authority: options.authority }),
    ...(options.ttl !== undefined && { ttlSeconds: options.ttl }),
    connector,
    ...(options.every !== undefined && { schedule: { everyMinutes: Math.max(1, options.every) } }),
    ...(options.watch && { watch: true }),
  };
}
