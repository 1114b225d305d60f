// XML of any vocabulary to canonical text: records as lines "field: value", prose as its paragraphs under its titles, in the order of the file. Each
// is cited by its path, `/catalog/item[3]`. Document types are read over, entities of their own are not expanded, nothing is fetched.
import type { Block, BlockKind } from '../../core/document.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { canonicalText, parsedDocument, requireText } from './canonical-text.ts';
import { decodeText } from './decode.ts';
import { htmlPiece } from './html-piece.ts';
import { type JoinedText, joinText } from './joined-text.ts';
import { declaredXmlEncoding, localName, readXmlEvents, type XmlEvents } from './xml-events.ts';
import { isHeadingName, shapeReader, type XmlShape } from './xml-shape.ts';

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
    readXmlEvents(source, input.name, shape.isProse ? proseReader(joined, shape) : recordReader(joined, shape));
    const document = joined.finish();
    requireText(document.text, input.name);
    return parsedDocument({
      ...document,
      mime: 'application/xml',
      title: shape.isProse ? document.headings[0]?.title : undefined,
      warnings: [...warnings, ...notes],
    });
  },
};

interface OpenElement {
  readonly name: string;
  /** Names from the root: `/catalog/item`. */
  readonly path: string;
  /** The same with numbers where elements repeat: `/catalog/item[3]`. */
  readonly label: string;
  readonly counts: Map<string, number>;
  hasElements: boolean;
  parts: string[];
}

/** Keeps the open elements with their paths and numbers. */
function elementStack(shape: XmlShape) {
  const open: OpenElement[] = [];
  return {
    open,
    push(name: string): OpenElement {
      const parent = open.at(-1);
      const path = `${parent?.path ?? ''}/${name}`;
      const beside = (parent?.counts.get(name) ?? 0) + 1;
      parent?.counts.set(name, beside);
      if (parent !== undefined) parent.hasElements = true;
      const label = `${parent?.label ?? ''}/${name}${shape.repeats(path) ? `[${beside}]` : ''}`;
      const element = { name, path, label, counts: new Map<string, number>(), hasElements: false, parts: [] };
      open.push(element);
      return element;
    },
  };
}

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

const preformatted = /^(?:pre|programlisting|screen|code|codeblock|verbatim|literallayout|preformat)$/iu;
const listed = /^(?:item|li|listitem|list-item)$/iu;

function proseReader(joined: JoinedText, shape: XmlShape): XmlEvents {
  const { open, push } = elementStack(shape);
  /** The outermost element whose text stands together: everything inside is part of its paragraph. */
  let block: OpenElement | undefined;
  let parts: string[] = [];
  const finish = (element: OpenElement): void => {
    const local = localName(element.name);
    const isCode = preformatted.test(local);
    const text = canonicalText(parts.join(''));
    parts = [];
    const content = isCode ? text.replace(/^\n+/u, '').trimEnd() : text.replace(/\s+/gu, ' ').trim();
    if (content === '') return;
    joined.at(element.label);
    const isInList = listed.test(local) || listed.test(localName(open.at(-2)?.name ?? ''));
    const kind: BlockKind = isCode ? 'code' : isInList ? 'list-item' : 'paragraph';
    if (isHeadingName(element.name)) joined.put('heading', content, Math.min(6, open.length - shape.headingDepth + 1));
    else joined.put(kind, content);
  };
  return {
    open(name) {
      const element = push(name);
      if (block === undefined && shape.isMixed(element.path)) block = element;
    },
    text(text) {
      if (block === undefined && text.trim() === '') return;
      if (block === undefined) block = open.at(-1);
      parts.push(text);
    },
    close() {
      const element = open.at(-1);
      if (element === block && element !== undefined) {
        finish(element);
        block = undefined;
      }
      open.pop();
    },
  };
}
