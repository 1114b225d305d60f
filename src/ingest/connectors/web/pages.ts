// Addresses as items of a source: each is visited when it is read, with what was kept of it. Invariant: of addresses that turn out to be one
// page, by redirects or by what the page says of itself, one stands for all.
import type { ItemsRequest } from '../connector.ts';
import type { ItemFacts, ItemReading, SourceItem } from '../source-item.ts';
import { asCanonical, nameAt } from './address.ts';
import { fromVersion, toVersion, type Visit, type VisitedPage, type Visitor } from './visit.ts';

export interface PageOptions {
  readonly visitor: Visitor;
  readonly request: ItemsRequest;
  /** Whether the source names this address, too. */
  readonly isNamed: (address: string) => boolean;
}

/** What the source that named an address says of it. */
export type PageFacts = Pick<ItemFacts, 'title' | 'publishedAt'>;

export function createPages({ visitor, request, isNamed }: PageOptions) {
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

  function toReading(address: string, visit: Visit, told: { facts?: PageFacts; canonical?: string }): ItemReading {
    if (visit.kind !== 'page') return visit;
    const { bytes, name, mime, url, version, retrievedAt } = visit;
    const sameAs = otherThan(address, visit, told.canonical);
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
        ...told.facts,
        ...(mime !== undefined && { mime }),
        metadata: { retrievedAt, ...(url !== address && { foundAt: url }) },
      },
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
        read: async (signal) => {
          const visit = await this.visit(address, signal);
          return visit.kind === 'unchanged'
            ? asBefore(address)
            : toReading(address, visit, { ...(facts && { facts }) });
        },
      };
    },

    /** An address that was visited. */
    toVisitedItem(address: string, visit: Visit, canonical?: string): SourceItem {
      const reading =
        visit.kind === 'unchanged'
          ? asBefore(address)
          : toReading(address, visit, { ...(canonical !== undefined && { canonical }) });
      return { kind: 'item', uri: address, name: nameAt(address), read: async () => reading };
    },
  };
}
