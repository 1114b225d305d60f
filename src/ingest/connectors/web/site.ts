// The connector of a site: the pages that its sitemap names, or those that its pages lead to. Invariants: robots.txt is obeyed, no page
// outside the site is asked for, pages and depth are bounded, and what could not be looked at is told, so that nothing below it is taken for gone.
import type { WebLinks } from '@footnote/readers/web/links';
import type { SitemapConnector } from '../../../core/connector.ts';
import { errorTable, FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import type { LinkReader } from '../../read/parse.ts';
import type { ItemsRequest, SourceReader } from '../connector.ts';
import { pathFilter } from '../path-filter.ts';
import type { SourceItem, SourceLook, SourceProblem } from '../source-item.ts';
import { asCanonical, canonicalAddress } from './address.ts';
import { createPages, standsAt } from './pages.ts';
import type { Visit, VisitedPage, Visitor } from './visit.ts';

export interface SitePorts {
  readonly visitor: Visitor;
  readonly parsers: LinkReader;
}

const mostPages = 5000;
const usualDepth = 3;
/** Sitemaps that an index may name. */
const mostSitemaps = 500;

/** Which addresses of the site are wanted: those below its start that the globs allow. A sitemap speaks for its whole site. */
function scopeOf({ url, ...globs }: SitemapConnector, isSitemap: boolean): (address: string) => boolean {
  const start = new URL(canonicalAddress(url));
  const folder = isSitemap ? '/' : start.pathname.slice(0, start.pathname.lastIndexOf('/') + 1);
  const isWanted = pathFilter(globs);
  return (address) => {
    const { origin, pathname } = new URL(address);
    return origin === start.origin && pathname.startsWith(folder) && isWanted(pathname.slice(1));
  };
}

const lookOf = (sitemap: WebLinks | undefined): SourceLook => ({
  kind: 'look',
  listing: sitemap ? 'sitemap' : 'links',
});

const cutOff = (address: string): FootnoteError =>
  new FootnoteError('upstream-invalid', `The sitemap of ${address} ends before it is over: it may name more pages.`);

export function openSite(connector: SitemapConnector, { visitor, parsers }: SitePorts): SourceReader {
  const start = canonicalAddress(connector.url);
  const maxPages = connector.maxPages ?? mostPages;

  const linksOf = (page: VisitedPage, signal?: AbortSignal): Promise<WebLinks> =>
    parsers.readLinks(
      { bytes: page.bytes, name: page.name, url: page.url, ...(page.mime !== undefined && { mime: page.mime }) },
      signal,
    );

  async function readSitemap(address: string, signal?: AbortSignal): Promise<WebLinks> {
    const visit = await visitor.visit(address, { signal });
    if (visit.kind === 'gone') throw visit.error;
    if (visit.kind === 'unchanged') throw new FootnoteError('upstream-invalid', `${address} sent no sitemap.`);
    return linksOf(visit, signal);
  }

  /** The wanted pages of a sitemap, those of an index one level deep; what could not be read of it, or found no room. */
  async function pagesOf(first: WebLinks, isWanted: (address: string) => boolean, signal?: AbortSignal) {
    const problems: FootnoteError[] = [];
    const named = new Set<string>();
    let isEmpty = true;
    /** False where there is no room for more. */
    const take = (map: WebLinks, uri: string): boolean => {
      isEmpty &&= map.links.length === 0;
      if (map.isCut) problems.push(cutOff(uri));
      for (const { url } of map.links) {
        const address = asCanonical(url);
        if (address === undefined || named.has(address) || !isWanted(address)) continue;
        if (named.size === maxPages) {
          problems.push(tooMany());
          return false;
        }
        named.add(address);
      }
      return true;
    };
    if (first.kind !== 'sitemap-index') {
      take(first, start);
      return { named, isEmpty, problems };
    }
    if (first.isCut) problems.push(cutOff(start));
    if (first.links.length > mostSitemaps)
      problems.push(
        new FootnoteError(
          'too-large',
          `The index of ${start} names more than ${mostSitemaps} sitemaps; the others were not read. Name a part of the site.`,
        ),
      );
    for (const { url } of first.links.slice(0, mostSitemaps)) {
      try {
        if (new URL(url).origin !== new URL(start).origin)
          throw new FootnoteError('forbidden', `The index of sitemaps names ${url}, which belongs to another site.`);
        const inner = await readSitemap(url, signal);
        if (inner.kind !== 'sitemap') throw new FootnoteError('upstream-invalid', `${url} is no sitemap of pages.`);
        if (!take(inner, url)) break;
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        problems.push(toFootnoteError(thrown));
      }
    }
    return { named, isEmpty, problems };
  }

  /** What the site itself names as its sitemap; undefined where there is none, or none that could be read now: `unread` is told why. */
  async function findSitemap(
    page: VisitedPage | undefined,
    unread: FootnoteError[],
    signal?: AbortSignal,
  ): Promise<WebLinks | undefined> {
    if (page) {
      const own = await linksOf(page, signal).catch(() => undefined);
      if (own && own.kind !== 'page') {
        if (own.kind === 'feed')
          throw new FootnoteError(
            'invalid-request',
            `${start} is a feed. Declare it with a connector of the kind "feed".`,
          );
        return own;
      }
    }
    const { sitemaps } = await visitor.robots(start, signal);
    const usual = new URL('/sitemap.xml', start).href;
    for (const address of [...sitemaps.filter((one) => URL.parse(one)?.origin === new URL(start).origin), usual]) {
      const found = await readSitemap(address, signal).catch((thrown: unknown) => {
        if (signal?.aborted) throw thrown;
        const error = toFootnoteError(thrown);
        // One that is there and does not answer is not missing.
        if (errorTable[error.code].retryable) unread.push(error);
        return undefined;
      });
      if (found && found.kind !== 'page' && found.kind !== 'feed') return found;
    }
    return undefined;
  }

  /** Everything of the site may still be there. */
  const unsure = (error: FootnoteError): SourceProblem => ({ kind: 'problem', uri: '.', error });

  /** Whether a redirect led to another site. Throws for the start and what was read before: it is not gone, it may ask for a login there. */
  function isElsewhere(address: string, visit: Visit, recorded: ReadonlySet<string | undefined>): boolean {
    const { origin } = new URL(visit.kind === 'page' ? visit.url : start);
    if (origin === new URL(start).origin) return false;
    if (address !== start && !recorded.has(address)) return true;
    throw new FootnoteError(
      'upstream-invalid',
      `${address} leads to another site, ${origin}, which is no part of the source. If the page moved there, add that site as a source of its own and delete what was read here; if it asks for a login, the next sync tries again.`,
    );
  }

  async function* crawl(
    seeds: readonly string[],
    { isWanted, depth, request }: { isWanted: (url: string) => boolean; depth: number; request: ItemsRequest },
  ): AsyncGenerator<SourceItem | SourceProblem> {
    const { signal } = request;
    const found = new Map<string, number>(seeds.map((address) => [address, 0]));
    const pages = createPages({ visitor, parsers, request, isNamed: (address) => found.has(address) });
    const { allows } = await visitor.robots(start, signal);
    /** What earlier runs read. */
    const recorded = new Set([...(request.known?.() ?? [])].map(asCanonical));
    let leftOut = 0;
    for (const [address, deep] of found) {
      signal?.throwIfAborted();
      const { pathname, search } = new URL(address);
      if (!allows(`${pathname}${search}`)) continue;
      try {
        const visit = await pages.visit(address, signal);
        const bytes = visit.kind === 'page' ? visit.bytes : await request.kept?.(address);
        if (isElsewhere(address, visit, recorded)) continue;
        const links = bytes && (await linksOnPage(address, { visit, bytes }, signal));
        const isClosed = visit.kind === 'page' && visit.robots.isClosed;
        for (const { url } of links?.kind === 'page' && deep < depth && !isClosed ? links.links : []) {
          const next = asCanonical(url);
          if (next === undefined || found.has(next) || !isWanted(next)) continue;
          if (found.size < maxPages) found.set(next, deep + 1);
          else leftOut += 1;
        }
        yield pages.toVisitedItem(address, visit, links);
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        // Only what it leads to is known by it: without it other pages may not be found.
        yield { kind: 'problem', uri: address, error: toFootnoteError(thrown) };
        if (deep < depth) addKnown(request, found);
      }
    }
    if (leftOut > 0) yield unsure(tooMany());
  }

  async function linksOnPage(
    address: string,
    { visit, bytes }: { readonly visit: Visit; readonly bytes: Uint8Array },
    signal: AbortSignal | undefined,
  ) {
    const isPage = visit.kind === 'page' ? /html/u.test(visit.mime ?? 'html') : visit.kind === 'unchanged';
    if (!isPage) return undefined;
    const url = visit.kind === 'page' ? visit.url : address;
    return parsers.readLinks({ bytes, name: address, url, mime: 'text/html' }, signal).catch(() => undefined);
  }

  const tooMany = (): FootnoteError =>
    new FootnoteError(
      'too-large',
      `The site has more than ${maxPages} pages; the others were left out. Raise maxPages, or name a part of the site.`,
    );

  /** Pages that earlier runs found, and this one could not reach, are looked at by their addresses. */
  function addKnown(request: ItemsRequest, found: Map<string, number>): void {
    for (const uri of request.known?.() ?? []) {
      const address = asCanonical(uri);
      if (address !== undefined && !found.has(address)) found.set(address, Number.POSITIVE_INFINITY);
    }
  }

  return {
    readsToName: true,
    stillHas: standsAt(visitor),
    async *items(request = {}) {
      const { signal } = request;
      const robots = await visitor.robots(start, signal);
      const { pathname, search } = new URL(start);
      if (!robots.allows(`${pathname}${search}`))
        throw (
          robots.unread ??
          new FootnoteError(
            'forbidden',
            `${start} may not be read: the robots.txt of the site keeps programs away from it.`,
          )
        );
      const isFile = /\.(?:xml|txt)(?:\.gz)?$/iu.test(pathname);
      const first = isFile ? await visitor.visit(start, { signal }) : undefined;
      if (first?.kind === 'gone') throw first.error;
      const unread: FootnoteError[] = [];
      const sitemap = await findSitemap(first?.kind === 'page' ? first : undefined, unread, signal);
      for (const error of unread) yield unsure(error);
      const isWanted = scopeOf(connector, isFile);
      yield lookOf(sitemap);
      if (!sitemap) {
        if (isFile) throw new FootnoteError('upstream-invalid', `${start} is no sitemap. Check the address.`);
        yield* crawl([start], { isWanted, depth: connector.maxDepth ?? usualDepth, request });
        return;
      }
      const { named, isEmpty, problems } = await pagesOf(sitemap, isWanted, signal);
      // Which pages an unread sitemap names is not known: nothing may be taken for gone.
      for (const error of problems) yield unsure(error);
      // A site that lost all of its pages at once has rather lost its sitemap.
      if (isEmpty && problems.length === 0)
        yield unsure(new FootnoteError('upstream-invalid', `The sitemap of ${start} names no page.`));
      if (connector.maxDepth !== undefined && connector.maxDepth > 0) {
        yield* crawl([...named], { isWanted, depth: connector.maxDepth, request });
        return;
      }
      const pages = createPages({ visitor, parsers, request, isNamed: (address) => named.has(address) });
      for (const address of named) {
        const { pathname: path, search: query } = new URL(address);
        if (robots.allows(`${path}${query}`)) yield pages.toItem(address);
      }
    },
  };
}
