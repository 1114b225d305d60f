// HTML as a browser would parse it (WHATWG, parse5) to canonical text: what a reader sees, in document order, with
// headings, lists, tables and preformatted text kept apart, and the text of pictures that stand in the page itself. Nothing is executed and
// nothing is fetched.
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { parsedDocument, publishedDate, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { languageCode } from '../canonical/language-code.ts';
import type { Metadata, ParsedDocument } from '../document.ts';
import { showPagePictures } from '../pictures/html-pictures.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { renderHtml } from './html-text.ts';

export const html: Parser = {
  name: 'html',
  mimes: ['text/html', 'application/xhtml+xml'],
  parse: async (input: ParseInput) => {
    const { text, warnings } = decodeText(input.bytes, input.name, declaredEncoding(input.bytes));
    const document = await pageDocument(text, input, { mime: 'text/html' });
    return { ...document, warnings: [...warnings, ...document.warnings] };
  },
};

/**
 * A whole web page as a document. `heldBy` has the pictures that the file around the page holds, by their addresses. Throws `invalid-media`
 * where the page says nothing.
 */
export async function pageDocument(
  source: string,
  input: ParseInput,
  {
    mime,
    heldBy,
    hasFrame = true,
  }: {
    readonly mime: string;
    readonly heldBy?: (address: string) => Uint8Array | undefined;
    /** False for books, which have none. */
    readonly hasFrame?: boolean;
  },
): Promise<ParsedDocument> {
  const tree = parse(source, { scriptingEnabled: false });
  const pictures = await showPagePictures(tree, input, heldBy);
  const facts = headFacts(tree);
  // What it takes to tell frame from content is loaded for whole pages only.
  const frame = hasFrame ? (await import('./html-main.ts')).pageFrame(tree) : undefined;
  const { text, headings, blocks } = renderHtml(tree, frame);
  requireText(text, input.name);
  return parsedDocument({
    text,
    mime,
    title: facts.title ?? headings.find((heading) => heading.level === 1)?.title,
    language: facts.language,
    publishedAt: facts.publishedAt,
    headings,
    blocks,
    metadata: { ...facts.metadata, ...pictures.metadata() },
    // Pages have ornaments: pictures without text are nothing to speak of.
    warnings: pictures.warnings(0),
  });
}

interface HeadFacts {
  title?: string;
  language?: string;
  publishedAt?: string;
  metadata: Metadata;
}

const publishedNames = new Set([
  'article:published_time',
  'og:article:published_time',
  'date',
  'dc.date',
  'dc.date.issued',
  'dcterms.created',
  'dcterms.date',
  'dcterms.issued',
  'citation_publication_date',
  'citation_date',
  'datepublished',
  'publish_date',
  'pubdate',
  'parsely-pub-date',
  'sailthru.date',
]);
const keptNames = new Set(['author', 'description', 'keywords', 'generator', 'og:site_name', 'article:author']);

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function headFacts(tree: DefaultTreeAdapterTypes.Document): HeadFacts {
  const facts: HeadFacts = { metadata: {} };
  let openGraphTitle: string | undefined;
  const pending: DefaultTreeAdapterTypes.ChildNode[] = [...tree.childNodes].reverse();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!('tagName' in node)) continue;
    const attribute = (name: string): string | undefined => attributeOf(node, name);
    const inSvg = node.namespaceURI !== 'http://www.w3.org/1999/xhtml';
    if (node.tagName === 'html') {
      const language = languageCode(attribute('lang') ?? attribute('xml:lang'));
      if (language !== undefined) facts.language = language;
    } else if (node.tagName === 'title' && !inSvg && facts.title === undefined) {
      const title = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
      if (title.trim() !== '') facts.title = title.replace(/\s+/g, ' ').trim();
    } else if (node.tagName === 'meta') {
      const name = (attribute('property') ?? attribute('name') ?? attribute('itemprop'))?.toLowerCase();
      const content = attribute('content')?.replace(/\s+/g, ' ').trim();
      if (name === undefined || content === undefined || content === '') continue;
      if (name === 'og:title') openGraphTitle ??= content;
      const published = publishedNames.has(name) ? publishedDate(content) : undefined;
      if (published !== undefined) facts.publishedAt ??= published;
      if (keptNames.has(name)) facts.metadata[name] ??= content.slice(0, 2000);
    } else if (node.tagName === 'time' && attribute('itemprop')?.toLowerCase() === 'datepublished') {
      const published = publishedDate(attribute('datetime'));
      if (published !== undefined) facts.publishedAt ??= published;
    }
    for (let index = node.childNodes.length - 1; index >= 0; index--) {
      const child = node.childNodes[index];
      if (child !== undefined) pending.push(child);
    }
  }
  if (facts.title === undefined && openGraphTitle !== undefined) facts.title = openGraphTitle;
  return facts;
}

function attributeOf(element: DefaultTreeAdapterTypes.Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** The encoding named in the first 1,024 bytes, where the HTML standard wants it. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1024));
  return (
    /<meta[^<>]+charset\s*=\s*(?:["']\s*)?([\w-]+)/i.exec(head)?.[1] ??
    /<\?xml[^<>]+encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1]
  );
}
