// Which elements of a web page carry its content, and which are its frame (navigation, headers and footers, cookie banners, related
// links): Mozilla's Readability says what it would show, and what it leaves out is frame only where it looks like frame too, since
// what is taken for frame cannot be found. Pages that are too large or too deep for it are judged by their element names alone.
import { Readability } from '@mozilla/readability';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { type ReadableElement, readableDocument } from './readable-dom.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Document = DefaultTreeAdapterTypes.Document;

/** Readability looks at every element several times, and asks for all children and attributes of an element while it goes through them. */
const limits = { elements: 20_000, depth: 200, children: 2_000, attributes: 1_000 };
/** What Readability leaves out is content all the same where it holds so much text that is no link. */
const proseWords = 40;
const mostLinked = 0.25;
/** In the content, so many of the words of lists of links are in links: related pages, not what a page is about. */
const allLinks = 0.8;
/** A `main` with a smaller share of the words of the page is not what it says. */
const leastMain = 0.2;

const mark = 'data-footnote-element';
const frameNames = new Set(['nav', 'footer', 'aside', 'header']);
const frameRoles = /^(?:navigation|banner|contentinfo|complementary|search|menu|menubar|dialog|alertdialog|toolbar)$/;
const frameClasses =
  /(?:^|[\s_-])(?:advert\w*|ads?|banner|breadcrumbs?|consent|cookies?|footer|gdpr|masthead|menu|nav|navbar|navigation|newsletter|pager|pagination|promo|related|share|sharing|sidebar|skip|social|sponsor\w*|subscribe|toolbar|widget)(?:$|[\s_-])/i;

interface Measured {
  readonly element: Element;
  readonly parent: Measured | undefined;
  words: number;
  linkedWords: number;
  isFrame: boolean;
  /** Whether the element or something in it is shown by Readability. */
  isShown: boolean;
  /** Whether it stands in the part of the page that holds its content. */
  isInside: boolean;
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
      isInside: false,
    };
    all.push(one);
    deepest = Math.max(deepest, depth);
    children = Math.max(children, node.childNodes.length);
    attributes = Math.max(attributes, node.attrs.length);
    for (const child of node.childNodes.toReversed()) pending.push({ node: child, parent: one, depth: depth + 1 });
  }
  for (const one of all.toReversed()) {
    one.words += ownWords(one.element);
    if (isLink(one.element)) one.linkedWords = one.words;
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

/** An `a` without an address only marks a place (HTML §4.5.1); written as in XHTML, it takes in all that follows. */
const isLink = ({ tagName, attrs }: Element): boolean => tagName === 'a' && attrs.some(({ name }) => name === 'href');

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
  const places = new Map(all.map(({ element }, index) => [element, index]));
  const document = readableDocument(tree, {
    // Readability takes every `a` for a link.
    nameOf: (element) => (element.tagName === 'a' && !isLink(element) ? 'span' : element.tagName),
    marksOf: (element) => {
      const place = places.get(element);
      return place === undefined ? [] : [[mark, String(place)]];
    },
  });
  const reading = new Readability<ReadableElement>(document as never, {
    serializer: (content) => content as unknown as ReadableElement,
    keepClasses: true,
    disableJSONLD: true,
  });
  const article = readingOf(() => reading.parse());
  if (!article?.content) return undefined;
  const shown = new Set<Element>();
  for (const found of article.content.getElementsByTagName('*')) {
    const place = found.getAttribute(mark);
    const one = place === null ? undefined : all[Number(place)];
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

/**
 * Of what Readability leaves out, whole parts are frame if they are named so, hold few words, or mostly links; in the part of the page that holds its
 * content, few words are none: headings, short paragraphs, signatures of functions. Where a page marks that part (`main`), what is
 * shown beside it has to be prose.
 */
// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function judgeByReading(all: readonly Measured[], shown: ReadonlySet<Element>, frame: Set<Element>): void {
  for (const one of all.toReversed()) {
    one.isShown ||= shown.has(one.element);
    if (one.isShown && one.parent) one.parent.isShown = true;
  }
  const main = mainPart(all);
  const zone = main ?? widened(commonPart(all, shown), all);
  const around = new Set<Measured>();
  for (let one = zone?.parent; one !== undefined; one = one.parent) around.add(one);
  const isIndex = zone !== undefined && zone.words - zone.linkedWords < proseWords;
  const content = new Set<Element>();
  for (const one of all) {
    const { element, parent } = one;
    one.isInside = one === zone || parent?.isInside === true;
    if (one === zone || around.has(one) || (one.isShown && (one.isInside || main === undefined))) continue;
    const above = parent?.element;
    if (above && frame.has(above)) frame.add(element);
    else if (above && content.has(above)) content.add(element);
    else if (/^h1$/.test(element.tagName)) content.add(element);
    else if (one.isInside && !isFrameInside(one, isIndex)) content.add(element);
    else if (above && parent.isShown && isRowOfData(one)) content.add(element);
    else if (!one.isFrame && isProse(one)) content.add(element);
    else if (one.words > 0) frame.add(element);
  }
  freeLinks(all, frame);
}

/** A page with hardly any prose is about its links: a table of contents, the start of a site. Only what is named as frame is that. */
function freeLinks(all: readonly Measured[], frame: Set<Element>): void {
  let prose = 0;
  const linked = new Set<Element>();
  for (const { element, parent } of all) {
    if (isLink(element) || (parent && linked.has(parent.element))) linked.add(element);
    else if (!frame.has(element)) prose += ownWords(element);
  }
  if (prose >= proseWords) return;
  const named = new Set<Element>();
  for (const { element, parent, isFrame } of all) {
    if (isFrame || (parent && named.has(parent.element))) named.add(element);
    else frame.delete(element);
  }
}

const isProse = ({ words, linkedWords }: Measured): boolean =>
  words - linkedWords >= proseWords && linkedWords < mostLinked * words;

/** The one element that says that it is the content (HTML §4.4.14), where it holds some. */
function mainPart(all: readonly Measured[]): Measured | undefined {
  const found = all.filter(
    ({ element: { tagName, attrs } }) =>
      tagName === 'main' || attrs.some(({ name, value }) => name === 'role' && value === 'main'),
  );
  const [first] = found;
  const inner = found.filter((one) => one !== first && !isWithin(one, first));
  const { words } = wordsOf(all);
  return first !== undefined && inner.length === 0 && first.words >= leastMain * words ? first : undefined;
}

function isWithin(one: Measured, outer: Measured | undefined): boolean {
  for (let above = one.parent; above !== undefined; above = above.parent) if (above === outer) return true;
  return false;
}

/** The innermost element that holds all that is shown. */
function commonPart(all: readonly Measured[], shown: ReadonlySet<Element>): Measured | undefined {
  let last: Measured | undefined;
  const inside = new Map<Measured, Measured[]>();
  for (const one of all) {
    if (!one.isShown) continue;
    if (one.parent === undefined) last = one;
    else {
      const beside = inside.get(one.parent);
      if (beside === undefined) inside.set(one.parent, [one]);
      else beside.push(one);
    }
  }
  for (let next = last; next !== undefined && !shown.has(next.element); ) {
    const children: readonly Measured[] = inside.get(next) ?? [];
    last = next;
    next = children.length === 1 ? children[0] : undefined;
    if (next !== undefined) last = next;
  }
  return last;
}

/** With the heading and the prose around it: of a chapter, Readability may show one section. */
function widened(zone: Measured | undefined, all: readonly Measured[]): Measured | undefined {
  const headed = new Set<Measured | undefined>();
  for (const one of all) if (/^h[1-6]$/.test(one.element.tagName) && !one.isShown) headed.add(headingPlace(one));
  let wide = zone;
  for (let around = zone?.parent; zone !== undefined && around !== undefined; around = around.parent) {
    if (around.isFrame || /^(?:body|html)$/.test(around.element.tagName)) break;
    const words = around.words - zone.words;
    const prose = words - (around.linkedWords - zone.linkedWords);
    if (prose < words / 2) break;
    if (prose >= proseWords || headed.has(around)) wide = around;
  }
  return wide;
}

/** What a heading heads: past the elements that hold nothing but it. */
function headingPlace(heading: Measured): Measured | undefined {
  let place = heading.parent;
  while (place !== undefined && place.words === heading.words) place = place.parent;
  return place;
}

/** In the content, what is named as frame or mostly links, unless it is a heading; in a list of links, only what is named. */
function isFrameInside({ element, words, linkedWords, isFrame }: Measured, isIndex: boolean): boolean {
  if (/^(?:h[1-6]|hgroup|pre|section|article)$/.test(element.tagName)) return false;
  const isLinks = linkedWords >= words / 2;
  if (!isFrame) return linkedWords >= allLinks * words && !isIndex;
  if (element.tagName === 'nav' || element.tagName === 'footer') return true;
  // A box beside the text, notes below it, the head of an article: words of their own are content.
  if (element.tagName === 'aside' || element.tagName === 'header') return isLinks;
  return isLinks || words - linkedWords < proseWords;
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
