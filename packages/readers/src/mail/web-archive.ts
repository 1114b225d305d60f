// Whole pages in one file: MHTML (RFC 2557), as browsers save it, and `.webarchive` of Safari. The page is read as HTML is, with the pictures that the file
// holds for it; styles and scripts are left out, and nothing that is missing is fetched.

import { publishedDate } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { type PropertyValue, readPropertyList } from '../containers/property-list.ts';
import type { ParsedDocument } from '../document.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { pageDocument } from '../web/html.ts';
import { type MailPart, parseMail } from './mail-charset.ts';

const mhtmlMime = 'multipart/related';
const safariMime = 'application/x-webarchive';
const maxPartDepth = 60;

export const mhtml: Parser = {
  name: 'web-archive-mhtml',
  mimes: [mhtmlMime],
  parse: async (input: ParseInput) => {
    const { parts, headers } = await readParts(input);
    const pages = parts.filter(({ type }) => /^(?:text\/html|application\/xhtml\+xml)$/u.test(type));
    const [first] = pages;
    if (first === undefined) throw noPage(input.name);
    const address = headers.get('snapshot-content-location') ?? first.location;
    const resources = new Map<string, Uint8Array>();
    for (const part of parts) {
      if (!part.type.startsWith('image/')) continue;
      if (part.id !== undefined) resources.set(`cid:${part.id}`, part.bytes);
      if (part.location !== undefined) resources.set(absolute(part.location, address), part.bytes);
    }
    // Frames are pages of their own, behind the one that shows them.
    const source = pages.map((page) => textOf(page, input.name)).join('\n');
    return withAddress(
      await pageDocument(source, input, {
        mime: mhtmlMime,
        heldBy: (shown) => resources.get(absolute(shown, address)),
      }),
      { address, saved: publishedDate(headers.get('date')) },
    );
  },
};

export const webArchive: Parser = {
  name: 'web-archive',
  mimes: [safariMime],
  parse: async (input: ParseInput) => {
    const archive = readPropertyList(input.bytes, input.name);
    const main = resourceOf(fieldOf(archive, 'WebMainResource'));
    if (main === undefined || !/html/iu.test(main.type)) throw noPage(input.name);
    const resources = new Map<string, Uint8Array>();
    const pages: string[] = [];
    // Frames are archives of their own, behind the page that shows them, and may hold frames.
    const pending = [archive];
    // A list may name the same archive again and again: all pages together are not longer than the file.
    let left = input.bytes.length;
    while (pending.length > 0) {
      const one = pending.pop();
      const page = resourceOf(fieldOf(one, 'WebMainResource'));
      if (page !== undefined && /html/iu.test(page.type)) {
        left -= page.bytes.length;
        if (left < 0) break;
        pages.push(decodeText(page.bytes, input.name, page.encoding).text);
      }
      for (const part of listOf(fieldOf(one, 'WebSubresources'))) {
        const found = resourceOf(part);
        if (found?.type.startsWith('image/')) resources.set(absolute(found.address, main.address), found.bytes);
      }
      for (const frame of listOf(fieldOf(one, 'WebSubframeArchives')).toReversed()) pending.push(frame);
    }
    const source = pages.join('\n');
    const heldBy = (shown: string): Uint8Array | undefined => resources.get(absolute(shown, main.address));
    return withAddress(await pageDocument(source, input, { mime: safariMime, heldBy }), { address: main.address });
  },
};

const noPage = (name: string): ReadError =>
  new ReadError('invalid-media', `${name} holds no web page. Save the page again, or as PDF.`);

interface PagePart {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly charset: string | undefined;
  /** Of `Content-ID`, without brackets. */
  readonly id: string | undefined;
  readonly location: string | undefined;
}

/** The parts that hold something, in order, and the headers of the file by their names in lower case. */
async function readParts(
  input: ParseInput,
): Promise<{ readonly parts: readonly PagePart[]; readonly headers: ReadonlyMap<string, string> }> {
  const parts: PagePart[] = [];
  const headers = new Map<string, string>();
  const take = (root: MailPart): void => {
    for (const { key, value } of root.headers) headers.set(key, value.trim());
    const pending = [root];
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      pending.push(...[...part.childNodes].reverse());
      if (!part.content || part.content.byteLength === 0) continue;
      const { value, params } = part.contentType.parsed;
      const header = (name: string): string | undefined =>
        part.headers.find(({ key }) => key === name)?.value.trim() || undefined;
      parts.push({
        type: value.toLowerCase(),
        bytes: new Uint8Array(part.content),
        charset: params['charset'],
        id: header('content-id')?.replace(/^<|>$/gu, ''),
        location: header('content-location'),
      });
    }
  };
  try {
    await parseMail(input.bytes, { forceRfc822Attachments: true, maxNestingDepth: maxPartDepth }, take);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 160) : 'it is damaged';
    throw new ReadError('invalid-media', `${input.name} cannot be read as a saved page: ${why}. Save it again.`, {
      cause: error,
    });
  }
  return { parts, headers };
}

/** What is not UTF-8 says so by its charset. */
const textOf = ({ bytes, charset }: PagePart, name: string): string => decodeText(bytes, name, charset).text;

function absolute(address: string, from: string | undefined): string {
  try {
    return new URL(address, from).href;
  } catch {
    return address;
  }
}

/** Where it was saved from, which is not opened. */
function withAddress(
  document: ParsedDocument,
  { address, saved }: { readonly address: string | undefined; readonly saved?: string | undefined },
): ParsedDocument {
  return {
    ...document,
    metadata: {
      ...document.metadata,
      ...(address === undefined || !/^https?:/iu.test(address) ? {} : { link: address.slice(0, 2000) }),
      ...(saved === undefined ? {} : { saved }),
    },
  };
}

const fieldOf = (value: PropertyValue, key: string): PropertyValue =>
  value instanceof Map ? value.get(key) : undefined;
const listOf = (value: PropertyValue): readonly PropertyValue[] => (Array.isArray(value) ? value : []);

interface Resource {
  readonly bytes: Uint8Array;
  readonly address: string;
  readonly type: string;
  readonly encoding: string | undefined;
}

function resourceOf(value: PropertyValue): Resource | undefined {
  const bytes = fieldOf(value, 'WebResourceData');
  if (!(bytes instanceof Uint8Array)) return undefined;
  const text = (key: string): string => {
    const found = fieldOf(value, key);
    return typeof found === 'string' ? found : '';
  };
  return {
    bytes,
    address: text('WebResourceURL'),
    type: text('WebResourceMIMEType').toLowerCase(),
    encoding: text('WebResourceTextEncodingName') || undefined,
  };
}
