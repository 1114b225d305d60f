// The connector of a feed (RSS, Atom): the pages that its entries lead to. A feed names the newest alone, so what it no longer names is not
// gone: those pages are looked at by their addresses as long as they are there. robots.txt is obeyed.
import type { FeedConnector } from '../../../core/connector.ts';
import { FootnoteError } from '../../../core/errors.ts';
import type { LinkReader } from '../../read/parse.ts';
import type { SourceReader } from '../connector.ts';
import { asCanonical, canonicalAddress } from './address.ts';
import { createPages, type PageFacts, standsAt } from './pages.ts';
import type { Visitor } from './visit.ts';

export interface FeedPorts {
  readonly visitor: Visitor;
  readonly parsers: LinkReader;
}

const mostPages = 1000;

export function openFeed({ url, maxPages = mostPages }: FeedConnector, { visitor, parsers }: FeedPorts): SourceReader {
  const start = canonicalAddress(url);
  return {
    stillHas: standsAt(visitor),
    async *items(request = {}) {
      const { signal } = request;
      const visit = await visitor.visit(start, { signal });
      if (visit.kind === 'gone') throw visit.error;
      if (visit.kind === 'unchanged') throw new FootnoteError('upstream-invalid', `${start} sent no feed.`);
      const { bytes, name, mime } = visit;
      const feed = await parsers.readLinks(
        { bytes, name, url: visit.url, ...(mime !== undefined && { mime }) },
        signal,
      );
      if (feed.kind !== 'feed')
        throw new FootnoteError(
          'invalid-media',
          `${start} is no feed of RSS or Atom. Name the address of the feed itself.`,
        );
      const entries = new Map<string, PageFacts | undefined>();
      for (const { url: link, title, publishedAt } of feed.links) {
        const address = asCanonical(link);
        if (address === undefined || entries.has(address)) continue;
        if (entries.size === maxPages) {
          // Those that were read before are looked at all the same.
          const message = `The feed names more than ${maxPages} pages; the others were left out. Raise maxPages.`;
          yield { kind: 'problem', uri: `${start}#more`, error: new FootnoteError('too-large', message) };
          break;
        }
        entries.set(address, {
          ...(title !== undefined && { title }),
          ...(publishedAt !== undefined && { publishedAt }),
        });
      }
      for (const uri of request.known?.() ?? []) {
        const address = asCanonical(uri);
        if (address !== undefined && !entries.has(address)) entries.set(address, undefined);
      }
      const pages = createPages({ visitor, parsers, request, isNamed: (address) => entries.has(address) });
      for (const [address, facts] of entries) {
        const { pathname, search } = new URL(address);
        // Why it may not be asked is told when it is read.
        const robots = await visitor.robots(address, signal).catch(() => undefined);
        if (robots?.unread) yield { kind: 'problem', uri: address, error: robots.unread };
        else if (!robots || robots.allows(`${pathname}${search}`)) yield pages.toItem(address, facts);
      }
    },
  };
}
