// What a file of the web leads to: the links of a page, the addresses of a sitemap or of an index of sitemaps (sitemaps.org), the entries of
// a feed. Nothing is fetched; every address is whole, without its fragment, and http or https.
import { gunzipSync } from 'node:zlib';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { publishedDate } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { declaredXmlEncoding, localName, readXmlEvents } from '../containers/xml-events.ts';
import { ReadError } from '../read-error.ts';
import { readRobotsDirectives } from './robots-directives.ts';

export interface LinksInput {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** Where it was found: what relative links are resolved against. */
  readonly url: string;
  readonly mime?: string;
  /** The address that was asked for, where redirects led elsewhere. */
  readonly asked?: string;
}

export interface WebLink {
  readonly url: string;
  readonly title?: string;
  /** As the sitemap or the feed says. */
  readonly publishedAt?: string;
}

export interface WebLinks {
  readonly kind: 'page' | 'sitemap' | 'sitemap-index' | 'feed';
  readonly links: readonly WebLink[];
  /** Of a page: the address that it wants to be known by. */
  readonly canonical?: string;
  /** Of a sitemap or a feed: it ends before it is over, so that it may name more. */
  readonly isCut?: true;
  /** Of a page: it asks not to be kept (robots meta `noindex`). */
  readonly isPrivate?: true;
  /** Of a page: what gates in front of pages show, and pages of their own rarely do. */
  readonly signs?: readonly GateSign[];
}

/** A field for a password, a refresh that leads on, a redirect to a gate or one that takes the asked address along to come back to it. */
export type GateSign = 'password' | 'refresh' | 'led-away';

/** Parts of paths under which sites ask who comes. */
const gates: ReadonlySet<string> = new Set([
  'login',
  'log-in',
  'signin',
  'sign-in',
  'sso',
  'auth',
  'oauth2',
  'captcha',
]);

function isLedAway(asked: URL, found: URL): boolean {
  if (asked.href === found.href) return false;
  return (
    (asked.pathname.length > 1 && found.searchParams.values().some((value) => value.includes(asked.pathname))) ||
    found.pathname.split('/').some((part) => gates.has(part.toLowerCase()) && !asked.pathname.includes(part))
  );
}

/** What is unpacked at most: ten times what a sitemap may have. */
const mostBytes = 50 << 20;
const mostLinks = 50_000;

/** Throws `invalid-media` for what is neither HTML nor a sitemap nor a feed, `too-large`. */
export function readWebLinks({ bytes: given, name, url, mime = '', asked }: LinksInput): WebLinks {
  const bytes = unpacked(given, name);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048)).replace(/^(?:\uFEFF|ï»¿)?\s*/u, '');
  const isXml =
    /^<\?xml|^<(?:urlset|sitemapindex|rss|feed|rdf:RDF)\b/iu.test(head) && !/<html\b/iu.test(head.slice(0, 500));
  if (isXml) return readXml(bytes, name, url);
  if (/html/iu.test(mime) || /<(?:!doctype html|html|head|body|a)\b/iu.test(head))
    return readPage(bytes, name, { url, asked });
  // A sitemap may be a plain list of addresses.
  const lines = decodeText(bytes, name)
    .text.split(/\r?\n/u)
    .filter((line) => line.trim() !== '');
  const links = lines.flatMap((line) => linkTo(line.trim(), url));
  if (links.length === 0 || links.length < lines.length)
    throw new ReadError('invalid-media', `${name} is neither a page nor a sitemap nor a feed. Check the address.`);
  return { kind: 'sitemap', links: links.slice(0, mostLinks) };
}

function unpacked(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes });
  } catch (thrown) {
    const isLarge = (thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isLarge
      ? new ReadError('too-large', `${name} is larger than ${mostBytes} bytes when it is unpacked: refused.`)
      : new ReadError('invalid-media', `${name} is packed with gzip and damaged.`);
  }
}

function linkTo(written: string, base: string): WebLink[] {
  const url = written.length > 4096 ? null : URL.parse(written, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return [];
  url.hash = '';
  return [{ url: url.href }];
}

interface Entry {
  location?: string;
  title?: string;
  date?: string;
}

const entryNames: ReadonlySet<string> = new Set(['url', 'sitemap', 'item', 'entry']);
const dates: ReadonlySet<string> = new Set(['lastmod', 'pubDate', 'published', 'updated', 'date']);

function readXml(bytes: Uint8Array, name: string, base: string): WebLinks {
  const { text } = decodeText(bytes, name, declaredXmlEncoding(bytes));
  const path: string[] = [];
  const links: WebLink[] = [];
  let [root, entry, entryDepth, value]: [string, Entry | undefined, number, string] = ['', undefined, 0, ''];
  readXmlEvents(text, name, {
    open(tag, attributes) {
      const local = localName(tag);
      path.push(tag);
      if (path.length === 1) root = local.toLowerCase();
      value = '';
      if (entry === undefined && entryNames.has(local) && path.length > 1) {
        entry = {};
        entryDepth = path.length;
      }
      const { href, rel } = attributes;
      if (entry && local === 'link' && href !== undefined && (rel === undefined || rel === 'alternate'))
        entry.location ??= href;
    },
    text(part) {
      if (value.length < 5000) value += part;
    },
    close() {
      const tag = path.pop() ?? '';
      const local = localName(tag);
      const depth = path.length + 1;
      if (entry && depth === entryDepth) {
        if (entry.location !== undefined && links.length < mostLinks)
          links.push(
            ...linkTo(entry.location.trim(), base).map((link) => ({
              ...link,
              ...(entry?.title && { title: entry.title.replace(/\s+/gu, ' ').trim() }),
              ...(publishedDate(entry?.date) !== undefined && { publishedAt: publishedDate(entry?.date) as string }),
            })),
          );
        entry = undefined;
      } else if (entry && depth === entryDepth + 1 && value.trim() !== '') {
        // Pictures and films of other vocabularies have locations, too (`image:loc`).
        const isOwn = !tag.includes(':') || tag.split(':')[0] === path.at(-1)?.split(':')[0];
        if (isOwn && (local === 'loc' || local === 'link')) entry.location ??= value;
        else if (isOwn && local === 'title') entry.title ??= value;
        else if (dates.has(local)) entry.date ??= value.trim();
      }
      value = '';
    },
  });
  const cut = !endsWhole(text, root) && { isCut: true as const };
  if (root === 'urlset') return { kind: 'sitemap', links, ...cut };
  if (root === 'sitemapindex') return { kind: 'sitemap-index', links, ...cut };
  if (root === 'rss' || root === 'feed' || root === 'rdf') return { kind: 'feed', links, ...cut };
  throw new ReadError('invalid-media', `${name} is XML, but neither a sitemap nor a feed. Check the address.`);
}

/** The outermost element is closed: readers of XML close by themselves what a file that was cut off leaves open. */
function endsWhole(text: string, root: string): boolean {
  const end = text.slice(-2000).toLowerCase().replace(/\s+/gu, '');
  return end.includes(`${root}>`, Math.max(0, end.lastIndexOf('</'))) || end.endsWith('/>');
}

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function readPage(
  bytes: Uint8Array,
  name: string,
  { url, asked }: { readonly url: string; readonly asked: string | undefined },
): WebLinks {
  const tree = parse(decodeText(bytes, name).text, { scriptingEnabled: false });
  const pending: DefaultTreeAdapterTypes.ChildNode[] = [...tree.childNodes].reverse();
  const links = new Map<string, WebLink>();
  let base = url;
  let canonical: string | undefined;
  let [isPrivate, isClosed] = [false, false];
  const signs = new Set<GateSign>(asked !== undefined && isLedAway(new URL(asked), new URL(url)) ? ['led-away'] : []);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!('tagName' in node)) continue;
    const { attrs, childNodes, tagName } = node;
    const attribute = (wanted: string): string | undefined => attrs.find(({ name: own }) => own === wanted)?.value;
    const href = attribute('href');
    const relations = (attribute('rel') ?? '').toLowerCase().split(/\s+/u);
    if (tagName === 'base' && href !== undefined) base = URL.parse(href, url)?.href ?? url;
    else if (tagName === 'meta' && /^(?:robots|footnote)$/iu.test(attribute('name') ?? '')) {
      const robots = readRobotsDirectives(attribute('content') ?? '', 'footnote');
      isPrivate ||= robots.isPrivate;
      isClosed ||= robots.isClosed;
    } else if (tagName === 'meta' && attribute('http-equiv')?.toLowerCase() === 'refresh') signs.add('refresh');
    else if (tagName === 'input' && attribute('type')?.toLowerCase() === 'password') signs.add('password');
    else if (tagName === 'link' && href !== undefined && relations.includes('canonical'))
      canonical ??= linkTo(href, base)[0]?.url;
    else if (tagName === 'a' && href !== undefined && !relations.includes('nofollow') && links.size < mostLinks)
      for (const link of linkTo(href.trim(), base)) if (!links.has(link.url)) links.set(link.url, link);
    for (let at = childNodes.length - 1; at >= 0; at -= 1) pending.push(childNodes[at] as (typeof childNodes)[number]);
  }
  return {
    kind: 'page',
    links: isClosed ? [] : [...links.values()],
    ...(canonical !== undefined && { canonical }),
    ...(isPrivate && { isPrivate }),
    ...(signs.size > 0 && { signs: [...signs] }),
  };
}
