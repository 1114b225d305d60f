// The connector of addresses: each is a document. They were named by a person, so robots.txt is not asked, as a browser does not ask it.
import type { UrlConnector } from '../../../core/connector.ts';
import type { LinkReader } from '../../read/parse.ts';
import type { SourceReader } from '../connector.ts';
import { canonicalAddress } from './address.ts';
import { createPages, standsAt } from './pages.ts';
import type { Visitor } from './visit.ts';

export function openUrlList(
  { urls }: UrlConnector,
  { visitor, parsers }: { readonly visitor: Visitor; readonly parsers: LinkReader },
): SourceReader {
  return {
    stillHas: standsAt(visitor),
    async *items(request = {}) {
      const named = new Set(urls.map(canonicalAddress));
      const pages = createPages({
        visitor,
        parsers,
        request,
        isNamed: (address) => named.has(address),
        isByHand: true,
      });
      for (const address of named) yield pages.toItem(address);
    },
  };
}
