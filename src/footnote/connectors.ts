// The connectors of this program, one for each kind that a source may declare (core/connector.ts): the only place that opens them.
import type { GitConnector } from '../core/connector.ts';
import type { Connectors } from '../ingest/connectors/connectors.ts';
import { openFolder } from '../ingest/connectors/folder.ts';
import { fetched, type MirrorOptions, type Mirrors } from '../ingest/connectors/git/mirror.ts';
import { repositoryAt } from '../ingest/connectors/git/places.ts';
import { openRepository, type Repository } from '../ingest/connectors/git/repository.ts';
import { mayFollow, type RootRules, resolveRoot } from '../ingest/connectors/roots.ts';
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
  async function findRepository(connector: GitConnector, options: MirrorOptions): Promise<Repository> {
    const { path, url = '', ref = 'HEAD' } = connector;
    if (path === undefined) return { ...(await mirrors.open(connector, options)), shown: url, ref: fetched };
    const root = await resolveRoot({ kind: 'folder', path }, rules);
    const isOpen = (place: string): Promise<boolean> => mayFollow(place, root, rules);
    return { gitDir: await repositoryAt(root.path, { shown: path, isOpen, signal: options.signal }), shown: path, ref };
  }

  return {
    open(connector, options) {
      switch (connector.kind) {
        case 'folder':
          return openFolder(connector, { ...options, rules });
        case 'url':
          return openUrlList(connector, { visitor: openVisitor(), parsers });
        case 'sitemap':
          return openSite(connector, { visitor: openVisitor(), parsers });
        case 'feed':
          return openFeed(connector, { visitor: openVisitor(), parsers });
        case 'git':
          return openRepository(connector, (one, signal) => findRepository(one, { isLook: options?.isLook, signal }));
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
    async forget(connector, others) {
      if (connector.kind === 'git' && connector.url !== undefined) await mirrors.forget(connector, others);
    },
  };
}
