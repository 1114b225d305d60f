// What a request may say of where a source reads from, by kind. What was saved before is read as it is (core/connector.ts).

import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  type Connector,
  feedConnectorSchema,
  folderConnectorSchema,
  type GitConnector,
  gitConnectorSchema,
  sitemapConnectorSchema,
} from '../../core/connector.ts';
import { FootnoteError } from '../../core/errors.ts';

const unreadable = /[\0\ud800-\udfff]/u;
/** A path on the machine: no system has one with a zero or with half a character. */
const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !unreadable.test(path), 'holds a character that no path has');
const globsSchema = z
  .array(
    z
      .string()
      .min(1)
      .max(500)
      .refine((glob) => !unreadable.test(glob), 'holds a character that no path has'),
  )
  .max(100)
  .optional();
const addressSchema = z.url({ protocol: /^https?$/ }).max(4096);

const givenFolderSchema = folderConnectorSchema.extend({
  path: pathSchema,
  include: globsSchema,
  exclude: globsSchema,
  passwordFile: pathSchema.optional(),
});
const givenUrlSchema = z.strictObject({
  kind: z.literal('url'),
  urls: z.array(addressSchema).min(1).max(10_000).optional().describe('Addresses of pages and files'),
  url: addressSchema.optional().describe('In the place of a list of one'),
});
const givenSitemapSchema = sitemapConnectorSchema.extend({
  url: addressSchema.describe('Of the sitemap, or of a page of the site'),
  include: globsSchema,
  exclude: globsSchema,
  maxPages: z.int().min(1).max(50_000).optional(),
  maxDepth: z.int().min(0).max(20).optional(),
});
const givenFeedSchema = feedConnectorSchema.extend({
  url: addressSchema,
  maxPages: z.int().min(1).max(50_000).optional(),
});

const givenGitSchema = gitConnectorSchema.extend({
  path: pathSchema.optional().describe('Of a checkout or a bare repository on the machine of the server'),
  url: z
    .url({ protocol: /^(?:https?|file)$/ })
    .max(4096)
    .optional()
    .describe('Of a repository that is fetched'),
  ref: z.string().min(1).max(500).optional().describe('A branch, a tag or a commit; default: HEAD'),
  include: globsSchema,
  exclude: globsSchema,
});

export const givenConnectorSchema = z.discriminatedUnion('kind', [
  givenFolderSchema,
  givenUrlSchema,
  givenSitemapSchema,
  givenFeedSchema,
  givenGitSchema,
]);

/** Throws `invalid-request` for a connector that names no address. */
export function toConnector(given: z.output<typeof givenConnectorSchema>): Connector {
  if (given.kind === 'git') return toRepository(given);
  if (given.kind !== 'url') return given;
  const urls = [...(given.urls ?? []), ...(given.url === undefined ? [] : [given.url])];
  if (urls.length === 0)
    throw new FootnoteError('invalid-request', 'body.connector.urls: is missing. Name the addresses to be read.');
  return { kind: 'url', urls };
}

/** A repository lies on this machine or is fetched. */
function toRepository({ path, url, ...given }: GitConnector): GitConnector {
  if ((path === undefined) === (url === undefined))
    throw new FootnoteError('invalid-request', 'body.connector: give either a path or a url of the git repository.');
  if (url?.startsWith('file:')) return { ...given, path: fileURLToPath(url) };
  return { ...given, ...(path === undefined ? { url } : { path }) };
}
