// The text inside a paragraph of a DOCX (ECMA-376 part 1 §17.3): runs, fields by their results, equations, notes by their marks; what stands
// apart from the line (text boxes, charts, pictures) is handed over. Deleted and struck-out text is marked, hidden text left out.

import { createStruckText } from '../canonical/struck-text.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  contentOf,
  descendantsOf,
  isElement,
  type XmlElement,
} from '../containers/xml-text.ts';
import { equationText } from '../office/equation-text.ts';
import { symbolsAsText, symbolText } from '../office/office-symbols.ts';
import { isOn, isStruckBy } from './docx-styles.ts';

export interface InlineSink {
  /** Gives the mark of a note in the text. */
  note(kind: 'footnote' | 'endnote', id: string): string;
  comment(id: string): void;
  /** Whether a style strikes out what it is given to. */
  isStruckStyle?(id: string | undefined): boolean | undefined;
}

export interface Inline {
  readonly text: string;
  /** Drawings and pictures anchored in the paragraph, in order. */
  readonly drawings: readonly XmlElement[];
  /** Page breaks where Word last laid them out: before the text begins, and after that. */
  readonly pageBreaks: { readonly before: number; readonly within: number };
}

const leftOut = new Set(
  'pPr rPr moveFrom instrText delInstrText sdtPr sdtEndPr fldData footnoteRef endnoteRef annotationRef rt rubyPr'.split(
    ' ',
  ),
);

/** What stands apart from the line is left out where it was deleted. */
const apart = new Set('footnoteReference endnoteReference commentReference drawing pict object'.split(' '));

/** The reader of the tree bounds its depth, and so the recursion. */
export function inlineOf(paragraph: XmlElement, sink: InlineSink): Inline {
  const parts = createStruckText();
  const drawings: XmlElement[] = [];
  const pageBreaks = { before: 0, within: 0 };
  /** Of the run: its font, where it names one, and what strikes it out. */
  let font = '';
  let isDeleted = false;
  let isStruck = false;
  let hasText = false;
  const put = (text: string): void => {
    parts.add(text, isDeleted ? 'deleted' : isStruck ? 'struck' : undefined);
    hasText ||= text.trim() !== '';
  };
  const ofParagraph = sink.isStruckStyle?.(attributeOf(childOf(paragraph, 'pPr', 'pStyle'), 'val')) ?? false;
  const walk = (element: XmlElement): void => {
    for (const child of element.children) if (isElement(child)) read(child);
  };
  const read = (element: XmlElement): void => {
    if (leftOut.has(element.name) || (isDeleted && apart.has(element.name))) return;
    switch (element.name) {
      case 't':
      case 'delText':
        put(symbolsAsText(contentOf(element), font));
        break;
      case 'tab':
      case 'ptab':
        put('\t');
        break;
      case 'br':
      case 'cr':
        put('\n');
        break;
      case 'lastRenderedPageBreak':
        pageBreaks[hasText ? 'within' : 'before']++;
        break;
      case 'noBreakHyphen':
        put('\u2011');
        break;
      case 'sym':
        put(symbolOf(element));
        break;
      case 'r':
        if (isOn(childOf(element, 'rPr', 'vanish'))) break;
        font = attributeOf(childOf(element, 'rPr', 'rFonts'), 'ascii') ?? '';
        isStruck = isStruckRun(childOf(element, 'rPr'), sink) ?? ofParagraph;
        walk(element);
        font = '';
        isStruck = false;
        break;
      case 'del': {
        const wasDeleted = isDeleted;
        isDeleted = true;
        walk(element);
        isDeleted = wasDeleted;
        break;
      }
      case 'oMath':
        put(equationText(element));
        break;
      case 'footnoteReference':
      case 'endnoteReference':
        put(sink.note(element.name === 'footnoteReference' ? 'footnote' : 'endnote', attributeOf(element, 'id') ?? ''));
        break;
      case 'ffData':
        put(formField(element));
        break;
      case 'commentReference':
        sink.comment(attributeOf(element, 'id') ?? '');
        break;
      case 'AlternateContent':
        walk(chosen(element));
        break;
      case 'drawing':
      case 'pict':
      case 'object':
        drawings.push(element);
        break;
      default:
        walk(element);
    }
  };
  walk(paragraph);
  return { text: parts.finish(), drawings, pageBreaks };
}

/** By its own properties, else by its style. */
const isStruckRun = (properties: XmlElement | undefined, sink: InlineSink): boolean | undefined =>
  isStruckBy(properties) ?? sink.isStruckStyle?.(attributeOf(childOf(properties, 'rStyle'), 'val'));

/** What a check box or a list of a form shows (§17.16.7, §17.16.9): it is no text of the file. Fields to write in have theirs as a result. */
function formField(data: XmlElement): string {
  const box = childOf(data, 'checkBox');
  if (box !== undefined) return isOn(childOf(box, 'checked') ?? childOf(box, 'default')) ? '☒' : '☐';
  const list = childOf(data, 'ddList');
  const chosenEntry = attributeOf(childOf(list, 'result') ?? childOf(list, 'default'), 'val') ?? '0';
  return attributeOf(childrenOf(list, 'listEntry')[Number(chosenEntry)], 'val') ?? '';
}

/** Of two ways to draw the same the newer, unless only the older holds text. */
export function chosen(alternative: XmlElement): XmlElement {
  const choice = childOf(alternative, 'Choice');
  const fallback = childOf(alternative, 'Fallback');
  const says = (branch: XmlElement | undefined): boolean =>
    branch !== undefined &&
    ['t', 'chart', 'relIds', 'pic'].some((name) => descendantsOf(branch, name).next().value !== undefined);
  return (says(choice) || !says(fallback) ? choice : fallback) ?? fallback ?? alternative;
}

function symbolOf(element: XmlElement): string {
  const code = Number.parseInt(attributeOf(element, 'char') ?? '', 16);
  return Number.isNaN(code) ? '' : symbolText(attributeOf(element, 'font') ?? '', code);
}
