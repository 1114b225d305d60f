// Where the documents of a source come from, by kind, and how a source is kept fresh. What was saved before is read as it is; what a request
// may say is bounded at the door. Each kind has its adapter in `src/footnote/connectors.ts`.
import { z } from 'zod';
import { addressWithoutSecrets } from './addresses.ts';
import type { DeepReadonly } from './metadata.ts';

const globs = z.array(z.string()).optional();

/** A folder of the machine that the program runs on. */
export const folderConnectorSchema = z.strictObject({
  kind: z.literal('folder'),
  path: z.string().min(1),
  include: globs,
  exclude: globs,
  /** Path of a file with the passwords of encrypted files; the passwords themselves stand nowhere else. */
  passwordFile: z.string().min(1).optional(),
});
export type FolderConnector = DeepReadonly<z.infer<typeof folderConnectorSchema>>;

/** Pages and files of the web, each by its address. */
export const urlConnectorSchema = z.strictObject({ kind: z.literal('url'), urls: z.array(z.string().min(1)).min(1) });
export type UrlConnector = DeepReadonly<z.infer<typeof urlConnectorSchema>>;

/** A site: what its sitemap names, or what its pages lead to. */
export const sitemapConnectorSchema = z.strictObject({
  kind: z.literal('sitemap'),
  /** Of the sitemap, or of a page of the site. */
  url: z.string().min(1),
  /** Globs of paths of the site: `docs/**`. */
  include: globs,
  exclude: globs,
  maxPages: z.int().min(1).optional(),
  /** How many links deep pages are followed. Absent: none where there is a sitemap, else three. */
  maxDepth: z.int().min(0).optional(),
});
export type SitemapConnector = DeepReadonly<z.infer<typeof sitemapConnectorSchema>>;

/** RSS or Atom: what the entries of a feed lead to. */
export const feedConnectorSchema = z.strictObject({
  kind: z.literal('feed'),
  url: z.string().min(1),
  maxPages: z.int().min(1).optional(),
});
export type FeedConnector = DeepReadonly<z.infer<typeof feedConnectorSchema>>;

/** The files of one commit of a git repository: a checkout or a bare one on this machine (`path`), or one that is fetched (`url`). */
export const gitConnectorSchema = z.strictObject({
  kind: z.literal('git'),
  path: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  /** A branch, a tag or a commit. Default: HEAD. */
  ref: z.string().min(1).optional(),
  include: globs,
  exclude: globs,
});
export type GitConnector = DeepReadonly<z.infer<typeof gitConnectorSchema>>;

export const connectorSchema = z.discriminatedUnion('kind', [
  folderConnectorSchema,
  urlConnectorSchema,
  sitemapConnectorSchema,
  feedConnectorSchema,
  gitConnectorSchema,
]);
export type Connector = DeepReadonly<z.infer<typeof connectorSchema>>;
export type ConnectorKind = Connector['kind'];

/** As readers of the source may see it: earlier versions kept addresses with their secrets. */
export function shownConnector<Given extends Connector>(connector: Given): Given {
  if (connector.kind === 'url') return { ...connector, urls: connector.urls.map(addressWithoutSecrets) };
  return 'url' in connector && connector.url !== undefined
    ? { ...connector, url: addressWithoutSecrets(connector.url) }
    : connector;
}

/** Where a source reads from, for people. */
export function shownPlace(connector: Connector): string {
  switch (connector.kind) {
    case 'folder':
      return connector.path;
    case 'url':
      return connector.urls.length === 1
        ? (connector.urls[0] as string)
        : `${connector.urls[0]} and ${connector.urls.length - 1} more`;
    case 'git':
      return connector.path ?? connector.url ?? '';
    default:
      return connector.url;
  }
}

/** The folder of this machine that a source reads; undefined for what comes from elsewhere. */
export const folderOf = (connector: Connector | undefined): string | undefined =>
  connector?.kind === 'folder' || connector?.kind === 'git' ? connector.path : undefined;

/** Whether the files of this machine are read: only its admins may say so. */
export const readsThisMachine = (connector: Connector): boolean => folderOf(connector) !== undefined;
