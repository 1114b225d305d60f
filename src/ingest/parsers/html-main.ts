// Which elements of a web page carry its content, and which are its frame (navigation, headers and footers, cookie banners, related
// links): Mozilla's Readability says what it would show, and what it leaves out is frame only where it looks like frame too, since
// what is taken for frame cannot be found. Pages that are too large or too deep for it are judged by their element names alone.
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { type DefaultTreeAdapterTypes, serialize } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;
type Document = DefaultTreeAdapterTypes.Document;

/** Readability looks at every element several times, and linkedom at all children for each of them and makes a node of each attribute. */
const limits = { elements: 20_000, depth: 200, children: 2_000, attributes: 1_000 };
/** What Readability leaves out is content all the same where it holds so much text that is no link. */
const proseWords = 40;
const mostLinked = 0.25;

const mark = 'data-footnote-element';
const frameNames = new Set(['nav', 'footer', 'aside', 'header']);
const frameRoles = /^(?:navigation|banner|contentinfo|complementary|search|menu|menubar|dialog|alertdialog|toolbar)$/;
const frameClasses =
  /(?:^|[\s_-])(?:advert\w*|ads?|banner|breadcrumbs?|consent|cookies?|footer|gdpr|masthead|menu|nav|navbar|navigation|newsletter|pager|pagination|promo|related|share|sharing|sidebar|skip|social|sponsor\w*|subscribe|toolbar|widget)(?:$|[\s_-])/i;

/** What is needed of an element of linkedom. */
interface Markable {
  querySelectorAll(selector: string): Iterable<{ getAttribute(name: string): string | null }>;
}

interface Measured {
  readonly element: Element;
  readonly parent: Measured | undefined;
  words: number;
  linkedWords: number;
  isFrame: boolean;
  /** Whether the element or something in it is shown by Readability. */
  isShown: boolean;
}

/** Answers whether text directly in an element is part of the frame. */
export type IsFrame = (element: Element) => boolean;

/** Undefined where the page has no frame that could be told from its content. */
export function pageFrame(tree: Document): IsFrame | undefined {
  const { all, depth, children, attributes } = measure(tree);
  const total = wordsOf(all);
  if (total.words === 0) return undefined;
  const isReadable =
    all.length <= limits.elements &&
    depth <= limits.depth &&
    children <= limits.children &&
    attributes <= limits.attributes;
  const shown = isReadable ? shownElements(tree, all) : undefined;
  const frame = new Set<Element>();
  if (shown === undefined) judgeByName(all, frame);
  else judgeByReading(all, shown, frame);
  if (frame.size === 0) return undefined;
  // A page that is nothing but frame, such as a list of links, is its own content.
  const content = all.reduce((sum, one) => (frame.has(one.element) ? sum : sum + ownWords(one.element)), 0);
  return content === 0 ? undefined : (element) => frame.has(element);
}

/** Parents come before their children. */
function measure(tree: Document): { all: Measured[]; depth: number; children: number; attributes: number } {
  const all: Measured[] = [];
  let deepest = 0;
  let children = 0;
  let attributes = 0;
  const pending: { node: DefaultTreeAdapterTypes.ChildNode; parent: Measured | undefined; depth: number }[] = [];
  for (const node of tree.childNodes.toReversed()) pending.push({ node, parent: undefined, depth: 1 });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, parent, depth } = next;
    if (!('tagName' in node)) continue;
    const one: Measured = {
      element: node,
      parent,
      words: 0,
      linkedWords: 0,
      isFrame: isNamedFrame(node),
      isShown: false,
    };
    all.push(one);
    deepest = Math.max(deepest, depth);
    children = Math.max(children, node.childNodes.length);
    attributes = Math.max(attributes, node.attrs.length);
    for (const child of node.childNodes.toReversed()) pending.push({ node: child, parent: one, depth: depth + 1 });
  }
  for (const one of all.toReversed()) {
    one.words += ownWords(one.element);
    if (one.element.tagName === 'a') one.linkedWords = one.words;
    if (one.parent === undefined) continue;
    one.parent.words += one.words;
    one.parent.linkedWords += one.linkedWords;
  }
  return { all, depth: deepest, children, attributes };
}

const wordsOf = (all: readonly Measured[]): { words: number } => ({
  words: all.reduce((sum, one) => (one.parent === undefined ? sum + one.words : sum), 0),
});

const unread = new Set(['script', 'style', 'template', 'noscript', 'title', 'head']);

function ownWords(element: Element): number {
  if (unread.has(element.tagName)) return 0;
  let count = 0;
  for (const child of element.childNodes)
    if ('value' in child) count += child.value.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return count;
}

function isNamedFrame({ tagName, attrs }: Element): boolean {
  if (frameNames.has(tagName)) return true;
  if (tagName === 'body' || tagName === 'html' || tagName === 'main' || tagName === 'article') return false;
  return attrs.some(
    ({ name, value }) =>
      (name === 'role' && frameRoles.test(value)) || ((name === 'class' || name === 'id') && frameClasses.test(value)),
  );
}

/** The elements that Readability shows; undefined where it finds no article. */
function shownElements(tree: Document, all: readonly Measured[]): ReadonlySet<Element> | undefined {
  for (const [index, { element }] of all.entries()) element.attrs.push({ name: mark, value: String(index) });
  const source = serialize(tree);
  for (const { element } of all) element.attrs.pop();
  const { document } = parseHTML(source);
  const reading = new Readability(document, {
    serializer: (content) => content,
    keepClasses: true,
    disableJSONLD: true,
  });
  const article = readingOf(() => reading.parse());
  if (!article?.content) return undefined;
  const shown = new Set<Element>();
  for (const found of (article.content as unknown as Markable).querySelectorAll(`[${mark}]`)) {
    const one = all[Number(found.getAttribute(mark))];
    if (one) shown.add(one.element);
  }
  return shown.size === 0 ? undefined : shown;
}

/** A page on which Readability fails is one without an article. */
function readingOf<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Whole parts that Readability leaves out are frame if they are named so, hold few words, or mostly links. */
function judgeByReading(all: readonly Measured[], shown: ReadonlySet<Element>, frame: Set<Element>): void {
  for (const one of all.toReversed()) {
    one.isShown ||= shown.has(one.element);
    if (one.isShown && one.parent) one.parent.isShown = true;
  }
  const content = new Set<Element>();
  for (const one of all) {
    if (one.isShown) continue;
    const { element, parent } = one;
    const above = parent?.element;
    if (above && frame.has(above)) frame.add(element);
    else if (above && content.has(above)) content.add(element);
    else if (/^h1$/.test(element.tagName)) content.add(element);
    else if (above && parent.isShown && isRowOfData(one)) content.add(element);
    else if (!one.isFrame && one.words - one.linkedWords >= proseWords && one.linkedWords < mostLinked * one.words)
      content.add(element);
    else if (one.words > 0) frame.add(element);
  }
}

/** Figures are no prose: a table of which some rows are content is content. Rows of links part the areas of old pages. */
function isRowOfData({ element, words, linkedWords, isFrame }: Measured): boolean {
  return /^(?:tr|tbody|thead|tfoot)$/.test(element.tagName) && !isFrame && words > 0 && linkedWords < words / 2;
}

/** Without Readability: only what says that it is frame. */
function judgeByName(all: readonly Measured[], frame: Set<Element>): void {
  const inArticle = new Set<Element>();
  for (const { element, parent, isFrame, words, linkedWords } of all) {
    const above = parent?.element;
    if (above && frame.has(above)) frame.add(element);
    else if (above && inArticle.has(above)) inArticle.add(element);
    else if (element.tagName === 'main' || element.tagName === 'article') inArticle.add(element);
    else if (isFrame && (element.tagName === 'nav' || element.tagName === 'footer' || linkedWords >= words / 2))
      frame.add(element);
  }
}
