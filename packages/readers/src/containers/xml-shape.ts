// What kind of XML a file is, from a first reading: records (elements that repeat, with fields) or prose (text with markup in it), and where the
// headings of prose begin. Invariant: memory grows with the number of different paths, which is bounded, not with the file.
import { localName, type XmlEvents } from './xml-events.ts';

export interface XmlShape {
  readonly isProse: boolean;
  /** Paths of the outermost elements that repeat beside one another and have fields: `/catalog/item`. */
  isRecord(path: string): boolean;
  /** Paths of elements in which text and elements stand side by side. */
  isMixed(path: string): boolean;
  /** Whether elements of the path repeat beside one another. */
  repeats(path: string): boolean;
  /** Depth (root 1) of the highest heading; 0 where there is none. */
  readonly headingDepth: number;
}

interface PathFacts {
  mostBeside: number;
  hasElements: boolean;
  hasText: boolean;
  hasTitle: boolean;
  attributes: number;
}

const maxPaths = 20_000;
/** A fifth of the text in mixed elements: below that, stray words between fields are a fault of the file. */
const proseShare = 0.2;

/**
 * An element of at least so many characters, or one that has a title, and less than a share of the characters in itself, is no paragraph: a stray
 * word, an entity between chapters. (A paragraph of TEI may have a `title` in it: of the book that it speaks of.)
 */
const longParagraph = 2000;
const strayShare = 0.05;
const strayShareWithTitle = 0.2;

/** What DocBook, JATS, TEI, DITA and HTML call a paragraph, markup in it or not. */
const paragraph = /[/:](?:p|para|simpara)$/u;

/** Elements that name what follows them, in DocBook, JATS, TEI, DITA and what is like them. */
export const isHeadingName = (name: string): boolean => /^(?:title|head|heading|h[1-6])$/iu.test(localName(name));

/** The events to read a source with, and what they found. */
export function shapeReader(): { readonly events: XmlEvents; readonly shape: () => XmlShape } {
  const paths = new Map<string, PathFacts>();
  const open: {
    readonly path: string;
    readonly counts: Map<string, number>;
    readonly facts: PathFacts | undefined;
    /** Characters before it. */
    readonly from: number;
  }[] = [];
  const textOf = new Map<string, number>();
  const textUnder = new Map<string, { characters: number; elements: number }>();
  let allText = 0;
  let headingDepth = 0;
  const factsOf = (path: string): PathFacts | undefined => {
    let facts = paths.get(path);
    if (facts === undefined && paths.size < maxPaths) {
      facts = { mostBeside: 0, hasElements: false, hasText: false, hasTitle: false, attributes: 0 };
      paths.set(path, facts);
    }
    return facts;
  };
  const events: XmlEvents = {
    open(name, attributes) {
      const parent = open.at(-1);
      const path = `${parent?.path ?? ''}/${name}`;
      const facts = factsOf(path);
      if (parent !== undefined) {
        const beside = (parent.counts.get(name) ?? 0) + 1;
        parent.counts.set(name, beside);
        if (parent.facts !== undefined) {
          parent.facts.hasElements = true;
          parent.facts.hasTitle ||= isHeadingName(name);
        }
        if (facts !== undefined) facts.mostBeside = Math.max(facts.mostBeside, beside);
      }
      if (facts !== undefined) facts.attributes = Math.max(facts.attributes, Object.keys(attributes).length);
      open.push({ path, counts: new Map(), facts, from: allText });
      if (isHeadingName(name) && (headingDepth === 0 || open.length < headingDepth)) headingDepth = open.length;
    },
    text(text) {
      const length = text.trim().length;
      const top = open.at(-1);
      if (length === 0 || top === undefined) return;
      allText += length;
      if (top.facts === undefined) return;
      top.facts.hasText = true;
      textOf.set(top.path, (textOf.get(top.path) ?? 0) + length);
    },
    close() {
      const ended = open.pop();
      if (ended?.facts === undefined) return;
      const under = textUnder.get(ended.path);
      const characters = allText - ended.from;
      if (under === undefined) textUnder.set(ended.path, { characters, elements: 1 });
      else {
        under.characters += characters;
        under.elements++;
      }
    },
  };
  const shape = (): XmlShape => {
    const isMixed = (path: string): boolean => {
      const facts = paths.get(path);
      if (facts?.hasText !== true || !facts.hasElements) return false;
      const { characters = 0, elements = 1 } = textUnder.get(path) ?? {};
      const own = (textOf.get(path) ?? 0) / Math.max(1, characters);
      if (facts.hasTitle && own < strayShareWithTitle) return false;
      return characters < longParagraph * elements || own >= strayShare;
    };
    let mixedText = 0;
    let inParagraphs = 0;
    for (const [path, length] of textOf) {
      if (isMixed(path)) mixedText += length;
      if (paragraph.test(path)) inParagraphs += length;
    }
    const repeats = (path: string): boolean => (paths.get(path)?.mostBeside ?? 0) > 1;
    return {
      isProse: mixedText > allText * proseShare || inParagraphs > allText / 2,
      isRecord(path) {
        const facts = paths.get(path);
        return facts !== undefined && facts.mostBeside > 1 && (facts.hasElements || facts.attributes > 1);
      },
      isMixed,
      repeats,
      headingDepth,
    };
  };
  return { events, shape };
}
