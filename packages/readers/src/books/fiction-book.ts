// FictionBook 2 (.fb2) to canonical text: sections by their titles, paragraphs, verses, quotations and tables, notes at the end, as the book has them. The text
// of pictures stands where they are shown. Cited by section.

import { type BlockWriter, createBlockWriter, rowText } from '../canonical/block-writer.ts';
import { parsedDocument, publishedDate, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { languageCode } from '../canonical/language-code.ts';
import { withNamedEntities } from '../canonical/named-entities.ts';
import { declaredXmlEncoding } from '../containers/xml-events.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  contentOf,
  elementsOf,
  parseXmlTree,
  type XmlElement,
} from '../containers/xml-text.ts';
import type { Metadata } from '../document.ts';
import { type EmbeddedPictures, pictureLines, recognisePictures } from '../pictures/embedded-pictures.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';

const mime = 'application/x-fictionbook+xml';

export const fictionBook: Parser = {
  name: 'fiction-book',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name, declaredXmlEncoding(input.bytes));
    const root = parseXmlTree(withNamedEntities(source), input.name);
    if (root.name !== 'FictionBook')
      throw new ReadError('invalid-media', `${input.name} is not a FictionBook. Rename it to .xml if it is XML.`);
    const pictures = await recognisePictures(
      input,
      childrenOf(root, 'binary').map((binary) => ({
        key: `#${attributeOf(binary, 'id') ?? ''}`,
        bytes: () => Buffer.from(contentOf(binary), 'base64'),
      })),
    );
    const writer = createBlockWriter();
    for (const body of childrenOf(root, 'body')) writeBody(writer, body, pictures);
    const document = writer.finish();
    requireText(document.text, input.name);
    const { title, language, publishedAt, metadata } = factsOf(childOf(root, 'description'));
    return parsedDocument({
      ...document,
      mime,
      title: title ?? document.headings[0]?.title,
      language,
      publishedAt,
      metadata: { ...metadata, ...pictures.metadata() },
      warnings: [...warnings, ...pictures.warnings(0)],
    });
  },
};

const lineOf = (element: XmlElement | undefined): string => contentOf(element).replace(/\s+/gu, ' ').trim();

/** The paragraphs of a title as one line. */
const titleOf = (element: XmlElement | undefined): string =>
  element === undefined
    ? ''
    : childrenOf(element, 'p')
        .map(lineOf)
        .filter((line) => line !== '')
        .join(' ');

/** What is open is kept in a list of its own: sections nest as far as XML may. */
function writeBody(writer: BlockWriter, body: XmlElement, pictures: EmbeddedPictures): void {
  const pending: { readonly element: XmlElement; readonly level: number; readonly isQuote: boolean }[] = [
    { element: body, level: 0, isQuote: false },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { element, level, isQuote } = next;
    const inside = (deeper: number, quoted = isQuote): void => {
      for (const child of elementsOf(element).toReversed())
        pending.push({ element: child, level: deeper, isQuote: quoted });
    };
    switch (element.name) {
      case 'body':
      case 'section': {
        const name = titleOf(childOf(element, 'title'));
        if (name !== '') {
          writer.at(name.slice(0, 200));
          writer.put('heading', name, Math.min(6, Math.max(1, level)));
        }
        inside(level + 1);
        break;
      }
      case 'title':
        break;
      case 'subtitle':
        writer.put('heading', lineOf(element), Math.min(6, Math.max(1, level)));
        break;
      case 'epigraph':
      case 'cite':
      case 'annotation':
        inside(level, true);
        break;
      case 'poem':
        writer.put('heading', titleOf(childOf(element, 'title')), Math.min(6, Math.max(1, level)));
        inside(level);
        break;
      case 'stanza':
        writer.put(isQuote ? 'quote' : 'paragraph', elementsOf(element).map(lineOf).join('\n'));
        break;
      case 'table':
        for (const row of childrenOf(element, 'tr')) writer.put('table-row', rowText(elementsOf(row).map(lineOf)));
        break;
      case 'image':
        writePicture(writer, element, pictures);
        break;
      default:
        writer.put(isQuote ? 'quote' : 'paragraph', lineOf(element));
        for (const image of childrenOf(element, 'image')) writePicture(writer, image, pictures);
    }
  }
}

function writePicture(writer: BlockWriter, image: XmlElement, pictures: EmbeddedPictures): void {
  writer.put('paragraph', (attributeOf(image, 'alt') || attributeOf(image, 'title') || '').trim());
  for (const { kind, text } of pictureLines(pictures, attributeOf(image, 'href'))) writer.put(kind, text);
}

function factsOf(description: XmlElement | undefined): {
  title: string | undefined;
  language: string | undefined;
  publishedAt: string | undefined;
  metadata: Metadata;
} {
  const info = childOf(description, 'title-info');
  const people = childrenOf(info, 'author').map((author) =>
    ['first-name', 'middle-name', 'last-name', 'nickname']
      .map((part) => lineOf(childOf(author, part)))
      .filter((part) => part !== '')
      .join(' '),
  );
  const metadata: Metadata = {};
  const put = (key: string, value: string): void => {
    if (value !== '') metadata[key] = value.slice(0, 2000);
  };
  put('author', people.filter((name) => name !== '').join(', '));
  put('keywords', lineOf(childOf(info, 'keywords')));
  put('publisher', lineOf(childOf(description, 'publish-info', 'publisher')));
  put('description', lineOf(childOf(info, 'annotation')));
  const language = languageCode(lineOf(childOf(info, 'lang')));
  return {
    title: lineOf(childOf(info, 'book-title')) || undefined,
    language,
    publishedAt: publishedDate(lineOf(childOf(description, 'publish-info', 'year')) || lineOf(childOf(info, 'date'))),
    metadata,
  };
}
