// The part of the DOM that Readability reads and changes, as plain objects made straight from a parsed page. It is a copy: what Readability
// does to it leaves the page as it was. General DOM libraries take four times as long, most of it for events, styles and live lists.
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;
type Source = DefaultTreeAdapterTypes.ChildNode;

const elementType = 1;
const textType = 3;
const documentType = 9;
/** Elements whose text is written without entities, and those that have no end (HTML §13.3). */
const rawText = new Set('SCRIPT STYLE XMP IFRAME NOEMBED NOFRAMES PLAINTEXT'.split(' '));
const empty = new Set('AREA BASE BR COL EMBED HR IMG INPUT LINK META SOURCE TRACK WBR'.split(' '));

class ReadableAttribute {
  readonly name: string;
  value: string;

  constructor(name: string, value: string) {
    this.name = name;
    this.value = value;
  }

  cloneNode(): ReadableAttribute {
    return new ReadableAttribute(this.name, this.value);
  }
}

/** A node among its siblings. */
abstract class ReadableNode {
  abstract readonly nodeType: number;
  abstract readonly nodeName: string;
  abstract textContent: string;
  parentNode: ReadableParent | null = null;
  previousSibling: ReadableNode | null = null;
  nextSibling: ReadableNode | null = null;

  get ELEMENT_NODE(): number {
    return elementType;
  }

  get TEXT_NODE(): number {
    return textType;
  }

  get nextElementSibling(): ReadableElement | null {
    return elementFrom(this.nextSibling, 'nextSibling');
  }

  get previousElementSibling(): ReadableElement | null {
    return elementFrom(this.previousSibling, 'previousSibling');
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }
}

function elementFrom(first: ReadableNode | null, direction: 'nextSibling' | 'previousSibling'): ReadableElement | null {
  let node = first;
  while (node !== null && !(node instanceof ReadableElement)) node = node[direction];
  return node;
}

const noNodes: readonly ReadableNode[] = [];

class ReadableText extends ReadableNode {
  readonly nodeType = textType;
  readonly nodeName = '#text';
  textContent: string;

  constructor(textContent: string) {
    super();
    this.textContent = textContent;
  }

  get childNodes(): readonly ReadableNode[] {
    return noNodes;
  }
}

/** A node with children. They are linked with each other, so that moving one costs the same wherever it stands. */
abstract class ReadableParent extends ReadableNode {
  firstChild: ReadableNode | null = null;
  lastChild: ReadableNode | null = null;

  get childNodes(): ReadableNode[] {
    const nodes: ReadableNode[] = [];
    for (let node = this.firstChild; node !== null; node = node.nextSibling) nodes.push(node);
    return nodes;
  }

  get children(): ReadableElement[] {
    const elements: ReadableElement[] = [];
    for (let node = this.firstChild; node !== null; node = node.nextSibling)
      if (node instanceof ReadableElement) elements.push(node);
    return elements;
  }

  get firstElementChild(): ReadableElement | null {
    return elementFrom(this.firstChild, 'nextSibling');
  }

  get textContent(): string {
    let text = '';
    for (let node = behind(this, this); node !== null; node = behind(node, this))
      if (node instanceof ReadableText) text += node.textContent;
    return text;
  }

  set textContent(text: string) {
    while (this.firstChild !== null) this.removeChild(this.firstChild);
    if (text !== '') this.appendChild(new ReadableText(text));
  }

  appendChild<T extends ReadableNode>(node: T): T {
    node.remove();
    node.parentNode = this;
    node.previousSibling = this.lastChild;
    if (this.lastChild === null) this.firstChild = node;
    else this.lastChild.nextSibling = node;
    this.lastChild = node;
    return node;
  }

  removeChild<T extends ReadableNode>(node: T): T {
    const { previousSibling: before, nextSibling: after } = node;
    if (before === null) this.firstChild = after;
    else before.nextSibling = after;
    if (after === null) this.lastChild = before;
    else after.previousSibling = before;
    node.parentNode = null;
    node.previousSibling = null;
    node.nextSibling = null;
    return node;
  }

  replaceChild<T extends ReadableNode>(node: ReadableNode, old: T): T {
    node.remove();
    const { previousSibling: before, nextSibling: after } = old;
    node.parentNode = this;
    node.previousSibling = before;
    node.nextSibling = after;
    if (before === null) this.firstChild = node;
    else before.nextSibling = node;
    if (after === null) this.lastChild = node;
    else after.previousSibling = node;
    old.parentNode = null;
    old.previousSibling = null;
    old.nextSibling = null;
    return old;
  }

  /** The elements of these names, in the order of the page; `*` is any name. */
  getElementsByTagName(name: string): ReadableElement[] {
    return this.querySelectorAll(name);
  }

  /** Takes a list of element names, such as `h1,h2`, which is all that Readability asks for. */
  querySelectorAll(names: string): ReadableElement[] {
    const wanted = names === '*' ? undefined : new Set(names.toUpperCase().split(','));
    const found: ReadableElement[] = [];
    for (let node = behind(this, this); node !== null; node = behind(node, this))
      if (node instanceof ReadableElement && wanted?.has(node.tagName) !== false) found.push(node);
    return found;
  }
}

export class ReadableElement extends ReadableParent {
  readonly nodeType = elementType;
  readonly tagName: string;
  readonly localName: string;
  readonly attributes: ReadableAttribute[] = [];
  readonly ownerDocument: ReadableDocument;

  constructor(ownerDocument: ReadableDocument, name: string) {
    super();
    this.ownerDocument = ownerDocument;
    this.localName = name;
    this.tagName = name.toUpperCase();
  }

  get nodeName(): string {
    return this.tagName;
  }

  getAttribute(name: string): string | null {
    for (const attribute of this.attributes) if (attribute.name === name) return attribute.value;
    return null;
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }

  setAttribute(name: string, value: string): void {
    this.setAttributeNode(new ReadableAttribute(name, value));
  }

  setAttributeNode(attribute: ReadableAttribute): void {
    const same = this.attributes.find(({ name }) => name === attribute.name);
    if (same === undefined) this.attributes.push(attribute);
    else same.value = attribute.value;
  }

  removeAttribute(name: string): void {
    const index = this.attributes.findIndex((attribute) => attribute.name === name);
    if (index >= 0) this.attributes.splice(index, 1);
  }

  get className(): string {
    return this.getAttribute('class') ?? '';
  }

  set className(value: string) {
    this.setAttribute('class', value);
  }

  get id(): string {
    return this.getAttribute('id') ?? '';
  }

  set id(value: string) {
    this.setAttribute('id', value);
  }

  get src(): string {
    return this.getAttribute('src') ?? '';
  }

  get srcset(): string {
    return this.getAttribute('srcset') ?? '';
  }

  /** Only what says that the element is not seen. */
  get style(): { readonly display?: string; readonly visibility?: string } {
    const written = this.getAttribute('style');
    return written === null ? noStyle : styleOf(written);
  }

  get innerHTML(): string {
    const parts: string[] = [];
    for (let node = this.firstChild; node !== null; node = node.nextSibling) write(node, parts);
    return parts.join('');
  }

  set innerHTML(source: string) {
    this.textContent = '';
    fill(this, parseFragment(source, { scriptingEnabled: false }).childNodes, asItIs);
  }
}

const noStyle = {};

function styleOf(written: string): Record<string, string> {
  const style: Record<string, string> = {};
  for (const one of written.split(';')) {
    const colon = one.indexOf(':');
    const name = one.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name === 'display' || name === 'visibility')
      style[name] = one
        .slice(colon + 1)
        .trim()
        .toLowerCase();
  }
  return style;
}

export class ReadableDocument extends ReadableParent {
  readonly nodeType = documentType;
  readonly nodeName = '#document';
  /** Readability completes the addresses of links with it, which nobody reads; where it is none, each of them costs an exception. */
  readonly baseURI = 'http://page.invalid/';
  readonly documentURI = this.baseURI;

  get documentElement(): ReadableElement | null {
    return this.firstElementChild;
  }

  get body(): ReadableElement | null {
    return this.documentElement?.children.find(({ tagName }) => tagName === 'BODY') ?? null;
  }

  get title(): string {
    const [title] = this.getElementsByTagName('title');
    return title?.textContent.replace(/\s+/g, ' ').trim() ?? '';
  }

  createElement(name: string): ReadableElement {
    return new ReadableElement(this, name.toLowerCase());
  }

  createTextNode(text: string): ReadableText {
    return new ReadableText(text);
  }
}

/** The node behind one in the order of the page, within a root. */
function behind(node: ReadableNode, root: ReadableParent): ReadableNode | null {
  if (node instanceof ReadableParent && node.firstChild !== null) return node.firstChild;
  for (let above: ReadableNode | null = node; above !== null && above !== root; above = above.parentNode)
    if (above.nextSibling !== null) return above.nextSibling;
  return null;
}

function write(node: ReadableNode, parts: string[]): void {
  if (!(node instanceof ReadableElement)) {
    const isRaw = node.parentNode instanceof ReadableElement && rawText.has(node.parentNode.tagName);
    parts.push(isRaw ? node.textContent : escaped(node.textContent));
    return;
  }
  parts.push('<', node.localName);
  for (const { name, value } of node.attributes) parts.push(' ', name, '="', escaped(value), '"');
  parts.push('>');
  if (empty.has(node.tagName)) return;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) write(child, parts);
  parts.push('</', node.localName, '>');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter);

/** How an element of the page becomes one of the copy: its name there, and the attributes that it has besides its own. */
interface Copying {
  nameOf(element: Element): string;
  marksOf(element: Element): readonly (readonly [name: string, value: string])[];
}

const asItIs: Copying = { nameOf: ({ tagName }) => tagName, marksOf: () => [] };

/** A copy of a page. */
export function readableDocument(tree: DefaultTreeAdapterTypes.Document, copying: Copying = asItIs): ReadableDocument {
  const document = new ReadableDocument();
  fill(document, tree.childNodes, copying);
  return document;
}

function fill(
  parent: ReadableDocument | ReadableElement,
  nodes: readonly Source[],
  { nameOf, marksOf }: Copying,
): void {
  const document = parent instanceof ReadableElement ? parent.ownerDocument : parent;
  const pending: [ReadableParent, readonly Source[]][] = [[parent, nodes]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [above, below] = next;
    for (const node of below) {
      if ('tagName' in node) {
        const element = new ReadableElement(document, nameOf(node));
        for (const { name, value } of node.attrs) element.attributes.push(new ReadableAttribute(name, value));
        for (const [name, value] of marksOf(node)) element.attributes.push(new ReadableAttribute(name, value));
        above.appendChild(element);
        pending.push([element, 'content' in node ? node.content.childNodes : node.childNodes]);
      } else if ('value' in node) above.appendChild(new ReadableText(node.value));
    }
  }
}
