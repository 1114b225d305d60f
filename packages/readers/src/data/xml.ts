// XML of any vocabulary to canonical text: records as lines "field: value", prose as its paragraphs under its titles, in the order of the file. Each
// is cited by its path, `/catalog/item[3]`. Document types are read over, entities of their own are not expanded, nothing is fetched.

import { canonicalText, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { type JoinedText, joinText } from '../canonical/joined-text.ts';
import { declaredXmlEncoding, localName, readXmlEvents, type XmlEvents } from '../containers/xml-events.ts';
import { shapeReader, type XmlShape } from '../containers/xml-shape.ts';
import type { Block } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { htmlPiece } from '../web/html-piece.ts';
import { elementStack, type OpenElement } from './xml-elements.ts';
import { proseReader } from './xml-prose.ts';

export const xml: Parser = {
  name: 'xml',
  mimes: ['application/xml'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name, declaredXmlEncoding(input.bytes));
    requireText(source, input.name);
    const first = shapeReader();
    const notes = readXmlEvents(source, input.name, first.events);
    const shape = first.shape();
    const joined = joinText();
    let articleTitle: string | undefined;
    const prose = (): XmlEvents => proseReader(joined, shape, (title) => (articleTitle ??= title));
    readXmlEvents(source, input.name, shape.isProse ? prose() : recordReader(joined, shape));
    const document = joined.finish();
    requireText(document.text, input.name);
    return parsedDocument({
      ...document,
      mime: 'application/xml',
      title: shape.isProse ? (articleTitle ?? document.headings[0]?.title) : undefined,
      warnings: [...warnings, ...notes],
    });
  },
};

/** White space of the layout goes; blank lines between paragraphs stay. */
function valueText(parts: readonly string[]): string {
  const text = canonicalText(parts.join('')).trim();
  if (/<\/[a-z]/iu.test(text)) return htmlPiece(text).text;
  return /\n[^\S\n]*\n/u.test(text)
    ? text.replace(/(?<![^\S\n])[^\S\n]*\n[^\S\n]*/gu, '\n').replace(/\n{3,}/gu, '\n\n')
    : text.replace(/\s+/gu, ' ');
}

const isDeclaration = (attribute: string): boolean => /^(?:xmlns(?::|$)|xsi:)/u.test(attribute);

function recordReader(joined: JoinedText, shape: XmlShape): XmlEvents {
  const { open, push } = elementStack(shape);
  /** Lines of the record being read, or of the fields between two records. */
  let lines: string[] = [];
  let record: OpenElement | undefined;
  let place = '';
  let group = '';
  const fieldName = (element: OpenElement, suffix = ''): string => {
    const from = record === undefined ? Math.max(1, open.length - 2) : open.indexOf(record) + 1;
    const names = open.slice(from, open.indexOf(element) + 1).map(({ name }) => localName(name));
    return [...names, ...(suffix === '' ? [] : [localName(suffix)])].join('.');
  };
  const flush = (path: string): void => {
    const text = lines.join('\n');
    lines = [];
    if (text === '') return;
    joined.at(place);
    const title = path.split('/').filter(Boolean).join(' / ');
    const headings = record !== undefined && group !== path ? [{ start: 0, level: 1, title }] : [];
    if (record !== undefined) group = path;
    const blocks: Block[] = [{ start: 0, end: text.length, kind: 'record' }];
    joined.add({ text, headings, blocks });
  };
  return {
    open(name, attributes) {
      const parent = open.at(-1);
      const element = push(name);
      if (record === undefined && shape.isRecord(element.path)) {
        flush(parent?.path ?? '');
        record = element;
        place = element.label;
      } else if (record === undefined && place !== (parent?.label ?? element.label)) {
        flush(parent?.path ?? '');
        place = parent?.label ?? element.label;
      }
      for (const [attribute, value] of Object.entries(attributes))
        if (!isDeclaration(attribute) && value.trim() !== '')
          lines.push(`${fieldName(element, attribute)}: ${valueText([value])}`);
    },
    text(text) {
      open.at(-1)?.parts.push(text);
    },
    close() {
      const element = open.at(-1);
      if (element === undefined) return;
      const value = valueText(element.parts);
      if (value !== '') {
        const name = fieldName(element);
        lines.push(name === '' ? value : `${name}: ${value}`);
      }
      if (element === record) {
        flush(element.path);
        record = undefined;
        place = '';
      }
      open.pop();
      if (open.length === 0) flush(element.path);
    },
  };
}
