// Addresses as items of a source: each is visited when it is read, with what was kept of it. Invariant: of addresses that turn out to be one
// page, by redirects or by what the page says of itself, one stands for all.
import type { GateSign, WebLinks } from '@footnote/readers/web/links';
import type { LinkReader } from '../../read/parse.ts';
import type { ItemsRequest } from '../connector.ts';
import type { ItemFacts, ItemReading, SourceItem } from '../source-item.ts';
import { asCanonical, nameAt } from './address.ts';
import { fromVersion, toVersion, type Visit, type VisitedPage, type Visitor } from './visit.ts';

export interface PageOptions {
  readonly visitor: Visitor;
  readonly parsers: LinkReader;
  readonly request: ItemsRequest;
  /** Whether the source names this address, too. */
  readonly isNamed: (address: string) => boolean;
  /** A person named each address: they are read as a browser would. */
  readonly isByHand?: boolean;
}

/** What the source that named an address says of it. */
export type PageFacts = Pick<ItemFacts, 'title' | 'publishedAt'>;

/** Whether a page still stands at its address, and not elsewhere. */
export const standsAt =
  (visitor: Visitor) =>
  async (address: string): Promise<boolean> => {
    const visit = await visitor.visit(address);
    return visit.kind === 'unchanged' || (visit.kind === 'page' && asCanonical(visit.url) === address);
  };

const isHtml = ({ mime }: Pick<VisitedPage, 'mime'>): boolean => /html/u.test(mime ?? 'html');

export function createPages({ visitor, parsers, request, isNamed, isByHand = false }: PageOptions) {
  /** Which address stands for a page that was found elsewhere. */
  const standing = new Map<string, string>();

  /** The address that stands for a page in place of its own, if another does. */
  function otherThan(address: string, page: Pick<VisitedPage, 'url'>, canonical?: string): string | undefined {
    const own = new URL(address).origin;
    for (const one of [canonical, page.url]) {
      const found = one === undefined ? undefined : asCanonical(one);
      // Another site may copy a page and say that it is the original: that is its business.
      if (found === undefined || found === address || new URL(found).origin !== own) continue;
      if (isNamed(found)) return found;
      const first = standing.get(found) ?? address;
      standing.set(found, first);
      if (first !== address) return first;
    }
    return undefined;
  }

  const linksOf = (asked: string, { bytes, name, url }: VisitedPage): Promise<WebLinks | undefined> =>
    parsers.readLinks({ bytes, name, url, mime: 'text/html', asked }, request.signal).catch(() => undefined);

  /** What the page shows of gates, and the one that is kept did not. */
  async function signsOf(address: string, page: VisitedPage): Promise<readonly GateSign[]> {
    const shown = isHtml(page) ? ((await linksOf(address, page))?.signs ?? []) : [];
    const kept = shown.length > 0 ? await request.kept?.(address) : undefined;
    const before = kept && (await linksOf(address, { ...page, bytes: kept, url: address }))?.signs;
    return shown.filter((sign) => !before?.includes(sign));
  }

  async function isPrivate(page: VisitedPage, links?: WebLinks): Promise<boolean> {
    if (isByHand) return false;
    if (page.robots.isPrivate || links) return page.robots.isPrivate || links?.isPrivate === true;
    // Few pages say anything: the others are not read for it.
    const mayAsk = isHtml(page) && /robots|footnote/iu.test(Buffer.from(page.bytes).toString('latin1'));
    return mayAsk && (await linksOf(page.url, page))?.isPrivate === true;
  }

  async function toReading(
    address: string,
    visit: Visit,
    { facts, links }: { readonly facts?: PageFacts | undefined; readonly links?: WebLinks | undefined },
  ): Promise<ItemReading> {
    if (visit.kind === 'unchanged') {
      const bytes = visit.robots.isPrivate && !isByHand ? await request.kept?.(address) : undefined;
      return bytes ? { kind: 'withdrawn', bytes, name: nameAt(address), signs: async () => [] } : asBefore(address);
    }
    if (visit.kind === 'gone') return visit;
    const { bytes, name, mime, url, version, retrievedAt } = visit;
    const signs = (): Promise<readonly GateSign[]> => signsOf(address, visit);
    if (await isPrivate(visit, links))
      return { kind: 'withdrawn', bytes, name, ...(mime !== undefined && { mime }), signs };
    const sameAs = otherThan(address, visit, links?.canonical);
    if (sameAs !== undefined) {
      const kept = toVersion({ ...version, sameAs });
      return { kind: 'same', ...(kept !== undefined && { version: kept }) };
    }
    const kept = toVersion(version);
    return {
      kind: 'content',
      bytes,
      name,
      ...(kept !== undefined && { version: kept }),
      facts: {
        ...facts,
        ...(mime !== undefined && { mime }),
        metadata: { retrievedAt, ...(url !== address && { foundAt: url }) },
      },
      signs,
    };
  }

  const beforeOf = (address: string) => {
    const before = fromVersion(request.before?.(address));
    // What stood for it is no longer named: it has to be looked at anew.
    return before?.sameAs !== undefined && !isNamed(before.sameAs) ? undefined : before;
  };

  /** What a visit that found nothing new says of an address that another stood for. */
  const asBefore = (address: string): ItemReading => {
    const kept = request.before?.(address);
    return fromVersion(kept)?.sameAs !== undefined && kept !== undefined
      ? { kind: 'same', version: kept }
      : { kind: 'unchanged' };
  };

  return {
    visit: (address: string, signal?: AbortSignal): Promise<Visit> =>
      visitor.visit(address, { before: beforeOf(address), signal: signal ?? request.signal }),

    /** An address that is visited when it is read. */
    toItem(address: string, facts?: PageFacts): SourceItem {
      return {
        kind: 'item',
        uri: address,
        name: nameAt(address),
        read: async (signal) => toReading(address, await this.visit(address, signal), { facts }),
      };
    },

    /** An address that was visited. */
    toVisitedItem(address: string, visit: Visit, links?: WebLinks): SourceItem {
      return { kind: 'item', uri: address, name: nameAt(address), read: () => toReading(address, visit, { links }) };
    },
  };
}
