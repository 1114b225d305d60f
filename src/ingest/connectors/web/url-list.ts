// The connector of addresses: each is a document. They were named by a person, so robots.txt is not asked, as a browser does not ask it.
import type { UrlConnector } from '../../../core/connector.ts';
import type { SourceReader } from '../connector.ts';
import { canonicalAddress } from './address.ts';
import { createPages } from './pages.ts';
import type { Visitor } from './visit.ts';

export function openUrlList({ urls }: UrlConnector, visitor: Visitor): SourceReader {
  return {
    async *items(request = {}) {
      const named = new Set(urls.map(canonicalAddress));
      const pages = createPages({ visitor, request, isNamed: (address) => named.has(address) });
      for (const address of named) yield pages.toItem(address);
    },
  };
}
