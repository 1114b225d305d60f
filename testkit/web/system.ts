// A whole program with a provider of web search and a site beside it, all on 127.0.0.1 and ports of their own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { AddDocument, Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, type OpenOptions, openFootnote } from '../open-footnote.ts';
import { openWebSite, page, type SiteAnswer, type WebSite } from '../web-site.ts';
import { openWebProvider, type ProviderName, type WebProvider } from './provider.ts';

export interface WebSystemOptions {
  /** Default: searxng. */
  readonly provider?: ProviderName;
  /** By path: paragraphs, or whatever the site answers with. */
  readonly pages?: Readonly<Record<string, string | SiteAnswer>>;
  /** Words by which a page is found, by path. Default: those of its paragraph. */
  readonly words?: Readonly<Record<string, string>>;
  readonly documents?: readonly AddDocument[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly options?: OpenOptions;
}

export interface WebSystem {
  readonly footnote: Footnote;
  readonly opened: OpenedFootnote;
  readonly site: WebSite;
  readonly provider: WebProvider;
  readonly folder: string;
  close(): Promise<void>;
}

export const valve: AddDocument = {
  text: 'The valve of basin four closes at 6 bar.',
  title: 'Valve',
  uri: 'valve.txt',
};

export async function openWebSystem({
  provider: name = 'searxng',
  pages = {},
  words = {},
  documents = [valve],
  environment = {},
  options = {},
}: WebSystemOptions = {}): Promise<WebSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-web-'));
  const site = await openWebSite();
  for (const [path, answer] of Object.entries(pages))
    site.answers.set(path, typeof answer === 'string' ? page(path.slice(1), `<p>${answer}</p>`) : answer);
  const provider = await openWebProvider(
    name,
    Object.entries(pages).flatMap(([path, answer]) => {
      const found = words[path] ?? (typeof answer === 'string' ? answer : undefined);
      return found === undefined ? [] : [{ url: `${site.origin}${path}`, title: path.slice(1), words: found }];
    }),
  );
  const settings = {
    FOOTNOTE_DATA: join(folder, 'data'),
    WEB_ALLOW_HOSTS: site.host,
    WEB_HOST_GAP_MS: '0',
    DEFAULT_MODE: 'embedded',
    // A machine that many share starts readers slowly.
    WEB_SEARCH_TIMEOUT_MS: '60000',
    REQUEST_TIMEOUT_MS: '600000',
    WEB_SEARCH_TTL_SECONDS: '0',
    ...provider.environment,
    ...environment,
  };
  const opened = await openFootnote(loadConfig({ folder, environment: settings }), options);
  const footnote = opened.forScope(localScope());
  for (const document of documents) await footnote.documents.add(document);
  return {
    footnote,
    opened,
    site,
    provider,
    folder,
    async close() {
      await opened.close();
      await provider.close();
      await site.close();
      await rm(folder, { recursive: true });
    },
  };
}
