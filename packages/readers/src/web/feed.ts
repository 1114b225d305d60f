// Feeds (RSS 0.9 to 2.0, RSS 1.0 in RDF, Atom RFC 4287) to canonical text: what the feed is, then its items in order, each with title, date, author,
// link and its content rendered, a place `item 3`. Links are kept as text and never followed.

import {
  canonicalText,
  paragraphBlocks,
  parsedDocument,
  publishedDate,
  requireText,
} from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { type JoinedText, joinText, type TextPiece } from '../canonical/joined-text.ts';
import { languageCode } from '../canonical/language-code.ts';
import { declaredXmlEncoding, localName, readXmlEvents } from '../containers/xml-events.ts';
import type { Metadata } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { htmlPiece, looksLikeHtml } from './html-piece.ts';

export const feed: Parser = {
  name: 'feed',
  mimes: ['application/rss+xml', 'application/atom+xml'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name, declaredXmlEncoding(input.bytes));
    const joined = joinText();
    const items: Entry[] = [];
    const reading = readEntries((entry) => items.push(entry));
    const notes = readXmlEvents(source, input.name, reading.events);
    const channel = reading.channel;
    const title = plain(channel, 'title');
    const about = plain(channel, 'description') || plain(channel, 'subtitle');
    if (title !== '') joined.put('heading', title, 1);
    joined.put('paragraph', about);
    for (const [index, item] of items.entries()) {
      joined.at(`item ${index + 1}`);
      addItem(joined, item);
    }
    const document = joined.finish();
    requireText(document.text, input.name);
    const language = languageCode(plain(channel, 'language'));
    return parsedDocument({
      ...document,
      mime: input.mime ?? 'application/rss+xml',
      title,
      language,
      publishedAt: firstDate(channel, ['lastBuildDate', 'pubDate', 'updated', 'date']),
      metadata: facts(channel, items.length),
      warnings: [...warnings, ...notes],
    });
  },
};

/** The fields of the feed or of an item, by local name; a field may come more than once. */
type Entry = Map<string, string[]>;

const itemNames = new Set(['item', 'entry']);
/** Fields of other vocabularies that say the same; others (of podcasts, of media) repeat or describe pictures. */
const foreignFields = new Set(['encoded', 'creator', 'date']);
/** What podcasts and films say of themselves in those (`itunes:summary`, `media:description`, the latter in a group): read where there is nothing else. */
const spareFields = new Set(['itunes:summary', 'media:description']);
const spare = 'spare';

function readEntries(finished: (entry: Entry) => void) {
  const channel: Entry = new Map();
  const path: string[] = [];
  let rootPrefix = '';
  let item: Entry | undefined;
  let itemDepth = 0;
  /** The field being read: its depth, its text, and whether elements inside it are markup to keep. */
  let field: { name: string; depth: number; parts: string[]; markup: boolean } | undefined;
  const into = (name: string, value: string): void => {
    const entry = item ?? channel;
    const values = entry.get(name);
    if (values === undefined) entry.set(name, [value]);
    else if (values.length < 100) values.push(value);
  };
  const events = {
    // oxlint-disable-next-line complexity -- Each form that the format knows is a case.
    open(name: string, attributes: Readonly<Record<string, string>>): void {
      path.push(name);
      const local = localName(name);
      const prefix = name.slice(0, -local.length);
      if (path.length === 1) rootPrefix = local === 'RDF' ? '' : prefix;
      if (field !== undefined) {
        if (field.markup) field.parts.push(`<${local}>`);
        return;
      }
      if (item === undefined && itemNames.has(local) && path.length > 1) {
        item = new Map();
        itemDepth = path.length;
        return;
      }
      // Fields are children of an item, of the channel or of the Atom feed, and the name of an author a level deeper.
      const depth = path.length - (item === undefined ? (path.includes('channel') ? 2 : 1) : itemDepth);
      const isName = depth === 2 && local === 'name' && localName(path.at(-2) ?? '') === 'author';
      const isOwn = prefix === rootPrefix || prefix === '' || foreignFields.has(local);
      if (spareFields.has(name) && item !== undefined && depth <= 2) {
        field = { name: spare, depth: path.length, parts: [], markup: false };
        return;
      }
      if (!isOwn || (depth !== 1 && !isName)) return;
      if (local === 'author' || local === 'channel') {
        // Holds a name in Atom, and is text in RSS: text() takes the latter.
        return;
      }
      const { href, rel, term } = attributes;
      if (local === 'link' && href !== undefined) {
        if (rel === undefined || rel === 'alternate') into('link', href);
        return;
      }
      if (local === 'category' && term !== undefined) {
        into('category', attributes['label'] ?? term);
        return;
      }
      field = {
        name: isName ? 'author' : local,
        depth: path.length,
        parts: [],
        markup: attributes['type'] === 'xhtml',
      };
    },
    text(text: string): void {
      if (field === undefined) {
        if (localName(path.at(-1) ?? '') === 'author' && text.trim() !== '') into('author', text);
      } else field.parts.push(field.markup ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text);
    },
    close(): void {
      if (field !== undefined && path.length === field.depth) {
        into(field.name, field.parts.join(''));
        field = undefined;
      } else if (field?.markup) field.parts.push(`</${localName(path.at(-1) ?? '')}>`);
      else if (item !== undefined && path.length === itemDepth) {
        finished(item);
        item = undefined;
      }
      path.pop();
    },
  };
  return { events, channel };
}

/** The first value of a field in one line, free of markup. */
function plain(entry: Entry, name: string): string {
  const value = canonicalText(entry.get(name)?.find((one) => one.trim() !== '') ?? '');
  return (looksLikeHtml(value) ? htmlPiece(value).text : value).replace(/\s+/gu, ' ').trim();
}

function firstDate(entry: Entry, names: readonly string[]): string | undefined {
  return names.map((name) => publishedDate(plain(entry, name))).find((date) => date !== undefined);
}

function addItem(joined: JoinedText, item: Entry): void {
  const title = plain(item, 'title');
  if (title !== '') joined.put('heading', title, 2);
  const published = ['pubDate', 'published', 'updated', 'date']
    .map((name) => plain(item, name))
    .find((date) => date !== '');
  const authors = [...(item.get('author') ?? []), ...(item.get('creator') ?? [])];
  const lines = [
    ['Published', published],
    ['Author', authors.map((name) => name.trim()).join(', ')],
    ['Categories', (item.get('category') ?? []).map((name) => name.trim()).join(', ')],
    ['Link', plain(item, 'link')],
  ];
  joined.put(
    'record',
    lines
      .filter(([, value]) => value)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  );
  const content = pieceOf(item, ['encoded', 'content']);
  const summary =
    pieceOf(item, ['description', 'summary']) ?? (content === undefined ? pieceOf(item, [spare]) : undefined);
  if (summary !== undefined && !(content && repeats(content.text, summary.text))) joined.add(summary, 2);
  if (content !== undefined) joined.add(content, 2);
}

function pieceOf(item: Entry, names: readonly string[]): TextPiece | undefined {
  const source = names.flatMap((name) => item.get(name) ?? []).find((value) => value.trim() !== '');
  if (source === undefined) return undefined;
  if (looksLikeHtml(source)) return htmlPiece(source);
  const text = canonicalText(source).trim();
  return { text, headings: [], blocks: paragraphBlocks(text) };
}

/** A summary that is the beginning of the content, as most are. */
function repeats(content: string, summary: string): boolean {
  const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return bare(content).includes(bare(summary.slice(0, 120)));
}

function facts(channel: Entry, items: number): Metadata {
  const metadata: Metadata = { items };
  for (const [key, names] of Object.entries({
    author: ['author', 'managingEditor', 'creator'],
    link: ['link'],
    generator: ['generator'],
  })) {
    const value = names.map((name) => plain(channel, name)).find((one) => one !== '');
    if (value !== undefined) metadata[key] = value.slice(0, 2000);
  }
  return metadata;
}
