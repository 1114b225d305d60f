// The XML inside office files, as a stream or a tree, and the questions that their readers ask of it. Unlike XML at large (xml-events) it is
// written by programs: faults and document types with a content are refused. Names go without their prefix, depth and size are bounded.

import { SaxesParser } from 'saxes';
import { ReadError } from '../read-error.ts';
import { localName } from './xml-events.ts';
import type { ZipFile } from './zip.ts';

export interface XmlElement {
  /** Without prefix. */
  readonly name: string;
  /** By their names as written, prefix included. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}
export type XmlNode = XmlElement | string;

export interface XmlSink {
  /** Names without prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

const maxDepth = 200;
const maxNodes = 2_000_000;
/** Parts that are read as a stream may be longer than others. */
const maxStreamBytes = 200 * 1024 * 1024;
const pieceBytes = 65_536;

/** Reads pieces of XML in order. Throws `invalid-media` for what is not well-formed or brings a DTD, `too-large` for what nests too deeply. */
export function readXml(pieces: Iterable<string>, name: string, sink: XmlSink): void {
  const parser = new SaxesParser({ fragment: false });
  let depth = 0;
  const fail = (why: string): never => {
    throw new ReadError('invalid-media', `${name} is damaged: ${why}. Save it again.`);
  };
  parser.on('error', (error) => fail(`its XML is not well-formed (${error.message})`));
  // OpenOffice.org named its document type, from outside, which is not fetched; what stands inside could define entities.
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) fail('its XML declares a document type, which office files may not');
  });
  parser.on('opentag', ({ name: tag, attributes }) => {
    depth++;
    if (depth > maxDepth)
      throw new ReadError(
        'too-large',
        `${name} nests more than ${maxDepth} elements in one another: refused. Simplify it.`,
        { details: { maxDepth } },
      );
    sink.open(localName(tag), attributes as Record<string, string>);
  });
  parser.on('text', (text) => sink.text(text));
  parser.on('cdata', (text) => sink.text(text));
  parser.on('closetag', ({ name: tag }) => {
    depth--;
    sink.close(localName(tag));
  });
  for (const piece of pieces) parser.write(piece);
  parser.close();
}

/** The text of a part in pieces, for `readXml`. */
export function* piecesOf(zip: ZipFile, part: string): Generator<string> {
  const bytes = zip.bytes(part, maxStreamBytes) ?? new Uint8Array();
  const decoder = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8');
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: at + pieceBytes < bytes.length });
}

/** The root of a document. Throws as `readXml` does, and `too-large` for more than two million elements and texts. */
export function parseXmlTree(source: string, name: string): XmlElement {
  const top: XmlNode[] = [];
  const open: XmlNode[][] = [top];
  let nodes = 0;
  const add = (node: XmlNode): void => {
    nodes++;
    if (nodes > maxNodes)
      throw new ReadError('too-large', `${name} holds more than ${maxNodes} elements in one part. Split it.`);
    open.at(-1)?.push(node);
  };
  readXml([source], name, {
    open(local, attributes) {
      const children: XmlNode[] = [];
      add({ name: local, attributes, children });
      open.push(children);
    },
    text: add,
    close() {
      open.pop();
    },
  });
  const root = top.find(isElement);
  if (root === undefined)
    throw new ReadError('invalid-media', `${name} is damaged: a part of it is empty XML. Save it again.`);
  return root;
}

/**
 * Hands over the children of every element named in `parents`, each as a tree, one after the other, so that a long part
 * is never held as a whole. Throws as `parseXmlTree` does.
 */
export function readXmlBranches(
  pieces: Iterable<string>,
  { name, parents, take }: { name: string; parents: ReadonlySet<string>; take(branch: XmlElement): void },
): void {
  const path: string[] = [];
  const open: { element: XmlElement; children: XmlNode[] }[] = [];
  let nodes = 0;
  const add = (node: XmlNode): void => {
    nodes++;
    if (nodes > maxNodes)
      throw new ReadError('too-large', `${name} holds more than ${maxNodes} elements in one block. Split it.`);
    open.at(-1)?.children.push(node);
  };
  readXml(pieces, name, {
    open(local, attributes) {
      const isTop = open.length === 0 && parents.has(path.at(-1) ?? '');
      path.push(local);
      if (!isTop && open.length === 0) return;
      const children: XmlNode[] = [];
      const element = { name: local, attributes, children };
      add(element);
      open.push({ element, children });
    },
    text(text) {
      if (open.length > 0) add(text);
    },
    close() {
      path.pop();
      const ended = open.pop();
      if (ended === undefined || open.length > 0) return;
      nodes = 0;
      take(ended.element);
    },
  });
}

export const isElement = (node: XmlNode | undefined): node is XmlElement =>
  node !== undefined && typeof node !== 'string';

export const elementsOf = (element: XmlElement): XmlElement[] => element.children.filter(isElement);

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element === undefined ? [] : elementsOf(element).filter((child) => child.name === name);
}

/** The first child along a path of names. */
export function childOf(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let at = element;
  for (const name of path)
    at = at?.children.find((child): child is XmlElement => isElement(child) && child.name === name);
  return at;
}

/** An attribute by its name without prefix; one written without prefix comes first. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  if (element === undefined) return undefined;
  const plain = element.attributes[name];
  if (plain !== undefined) return plain;
  for (const [key, value] of Object.entries(element.attributes)) if (key.endsWith(`:${name}`)) return value;
  return undefined;
}

/** All elements of a name under an element, in document order. */
export function* descendantsOf(element: XmlElement, name: string): Generator<XmlElement> {
  const pending: XmlElement[] = elementsOf(element).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.name === name) yield next;
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index];
      if (isElement(child)) pending.push(child);
    }
  }
}

/** All text under an element. */
export function contentOf(element: XmlElement | undefined): string {
  if (element === undefined) return '';
  const parts: string[] = [];
  const pending: XmlNode[] = [element];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isElement(next)) parts.push(next);
    else for (let index = next.children.length - 1; index >= 0; index--) pending.push(next.children[index] as XmlNode);
  }
  return parts.join('');
}
