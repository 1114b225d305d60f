// The connectors of this program, one for each kind that a source may declare (core/connector.ts): the only place that opens them.
import type { Connectors } from '../ingest/connectors/connector.ts';
import { openFolder } from '../ingest/connectors/folder.ts';
import { type RootRules, resolveRoot } from '../ingest/connectors/roots.ts';
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
  readonly parsers: LinkReader;
}

export function createConnectors({ rules, openVisitor, parsers }: ConnectorPorts): Connectors {
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
        default:
          canonicalAddress(connector.url);
      }
    },
  };
}
