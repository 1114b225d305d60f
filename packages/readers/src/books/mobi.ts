// Kindle books (MOBI, AZW, AZW3) to canonical text: the HTML that their records hold, rendered as a page is, with the text of pictures. Cited by heading.
// Protected books are refused.

import { canonicalText, publishedDate } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { languageCode } from '../canonical/language-code.ts';
import type { Metadata } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { pageDocument } from '../web/html.ts';
import { openMobi } from './mobi-records.ts';

const mime = 'application/x-mobipocket-ebook';

export const mobi: Parser = {
  name: 'mobi',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const book = openMobi(input.bytes, input.name);
    const { text } = decodeText(book.text, input.name, book.encoding);
    // Pictures are named by the number of their record, not by an address.
    const addressed = text.replace(/<img\b([^<>]{0,400}?)\brecindex="?(\d{1,5})"?/giu, '<img$1 src="recindex:$2"');
    const source = addressed.replace(/<\/?mbp:[^<>]{0,200}>/giu, '');
    const document = await pageDocument(source, input, {
      mime,
      hasFrame: false,
      heldBy: (address) => book.picture(pictureNumber(address)),
    });
    const { title, publishedAt, language, metadata } = factsOf(book.facts);
    return {
      ...document,
      ...(title === undefined ? {} : { title }),
      ...(language === undefined ? {} : { language }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      metadata: { ...document.metadata, ...metadata },
    };
  },
};

/** From 1; 0 for what is no picture of the book. `kindle:embed:` counts in base 32. */
function pictureNumber(address: string): number {
  const plain = /^recindex:(\d+)$/u.exec(address)?.[1];
  if (plain !== undefined) return Number(plain);
  const coded = /^kindle:embed:([\dA-V]{4})/iu.exec(address)?.[1];
  return coded === undefined ? 0 : Number.parseInt(coded, 32);
}

/** By the numbers that MOBI gives them. */
const names: Readonly<Record<number, string>> = {
  100: 'author',
  101: 'publisher',
  103: 'description',
  105: 'keywords',
};

function factsOf(facts: readonly (readonly [kind: number, value: string])[]): {
  title: string | undefined;
  publishedAt: string | undefined;
  language: string | undefined;
  metadata: Metadata;
} {
  const all = (kind: number): string[] =>
    facts
      .filter(([one]) => one === kind)
      .map(([, value]) => canonicalText(value).replace(/\s+/gu, ' ').trim())
      .filter((value) => value !== '');
  const metadata: Metadata = {};
  for (const [kind, key] of Object.entries(names)) {
    const values = all(Number(kind));
    if (values.length > 0) metadata[key] = values.join(', ').slice(0, 2000);
  }
  const language = languageCode(all(524)[0]);
  return {
    title: all(503)[0],
    publishedAt: all(106)
      .map(publishedDate)
      .find((date) => date !== undefined),
    language,
    metadata,
  };
}
