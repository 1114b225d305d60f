// The connectors of this program, one for each kind that a source may declare (core/connector.ts): the only place that opens them.
import { realpath } from 'node:fs/promises';
import type { GitConnector } from '../core/connector.ts';
import { FootnoteError } from '../core/errors.ts';
import type { Connectors } from '../ingest/connectors/connectors.ts';
import { openFolder } from '../ingest/connectors/folder.ts';
import { fetched, type Mirrors } from '../ingest/connectors/git/mirror.ts';
import { openRepository, type Repository, repositoryAt } from '../ingest/connectors/git/repository.ts';
import { type RootRules, resolveRoot } from '../ingest/connectors/roots.ts';
import { isWithin } from '../ingest/connectors/walk.ts';
import { canonicalAddress } from '../ingest/connectors/web/address.ts';
import { openFeed } from '../ingest/connectors/web/feed.ts';
import { openSite } from '../ingest/connectors/web/site.ts';
import { openUrlList } from '../ingest/connectors/web/url-list.ts';
import type { Visitor } from '../ingest/connectors/web/visit.ts';
import type { LinkReader } from '../ingest/read/parse.ts';

export interface ConnectorPorts {
  /** Which folders this caller may read. */
  readonly rules: RootRules;
  /** Visits pages of the web. */
  readonly openVisitor: () => Visitor;
  readonly mirrors: Mirrors;
  readonly parsers: LinkReader;
}

export function createConnectors({ rules, openVisitor, mirrors, parsers }: ConnectorPorts): Connectors {
  async function findRepository(connector: GitConnector, signal?: AbortSignal): Promise<Repository> {
    const { path, url = '', ref = 'HEAD' } = connector;
    if (path === undefined) return { gitDir: await mirrors.open(connector, signal), shown: url, ref: fetched };
    const root = await resolveRoot({ kind: 'folder', path }, rules);
    const gitDir = await repositoryAt(root.path, signal);
    // A file in a checkout may lead to a repository elsewhere.
    if (rules.allowed !== undefined && !isWithin(await realpath(gitDir), root.path))
      throw new FootnoteError(
        'forbidden',
        `${path} keeps its repository elsewhere, which may not be read for this key. Name the repository itself.`,
      );
    return { gitDir, shown: path, ref };
  }

  return {
    open(connector, options) {
      switch (connector.kind) {
        case 'folder':
          return openFolder(connector, { ...options, rules });
        case 'url':
          return openUrlList(connector, openVisitor());
        case 'sitemap':
          return openSite(connector, { visitor: openVisitor(), parsers });
        case 'feed':
          return openFeed(connector, { visitor: openVisitor(), parsers });
        case 'git':
          return openRepository(connector, findRepository);
      }
    },
    async check(connector) {
      switch (connector.kind) {
        case 'folder':
          await resolveRoot(connector, rules);
          return;
        case 'url':
          for (const url of connector.urls) canonicalAddress(url);
          return;
        case 'git':
          if (connector.path === undefined) canonicalAddress(connector.url ?? '');
          else await resolveRoot({ kind: 'folder', path: connector.path }, rules);
          return;
        default:
          canonicalAddress(connector.url);
      }
    },
    async forget(connector) {
      if (connector.kind === 'git' && connector.url !== undefined) await mirrors.forget(connector);
    },
  };
}
