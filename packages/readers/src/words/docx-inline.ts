// The text inside a paragraph of a DOCX (ECMA-376 part 1 §17.3): runs, fields by their results, equations, notes by their marks; what stands
// apart from the line (text boxes, charts, pictures) is handed over. Deleted and hidden text is left out.

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

export interface InlineSink {
  /** Gives the mark of a note in the text. */
  note(kind: 'footnote' | 'endnote', id: string): string;
  comment(id: string): void;
}

export interface Inline {
  readonly text: string;
  /** Drawings and pictures anchored in the paragraph, in order. */
  readonly drawings: readonly XmlElement[];
  /** Page breaks where Word last laid them out: before the text begins, and after that. */
  readonly pageBreaks: { readonly before: number; readonly within: number };
}

const leftOut = new Set(
  'pPr rPr del moveFrom delText instrText delInstrText sdtPr sdtEndPr fldData footnoteRef endnoteRef annotationRef rt rubyPr'.split(
    ' ',
  ),
);

/** The reader of the tree bounds its depth, and so the recursion. */
export function inlineOf(paragraph: XmlElement, sink: InlineSink): Inline {
  const parts: string[] = [];
  const drawings: XmlElement[] = [];
  const pageBreaks = { before: 0, within: 0 };
  /** Of the run, where it names one. */
  let font = '';
  const walk = (element: XmlElement): void => {
    for (const child of element.children) if (isElement(child)) read(child);
  };
  // oxlint-disable-next-line complexity -- Each form that the format knows is a case.
  const read = (element: XmlElement): void => {
    if (leftOut.has(element.name)) return;
    switch (element.name) {
      case 't':
        parts.push(symbolsAsText(contentOf(element), font));
        break;
      case 'tab':
      case 'ptab':
        parts.push('\t');
        break;
      case 'br':
      case 'cr':
        parts.push('\n');
        break;
      case 'lastRenderedPageBreak':
        pageBreaks[parts.some((part) => part.trim() !== '') ? 'within' : 'before']++;
        break;
      case 'noBreakHyphen':
        parts.push('\u2011');
        break;
      case 'sym':
        parts.push(symbolOf(element));
        break;
      case 'r':
        if (isOn(childOf(element, 'rPr', 'vanish'))) break;
        font = attributeOf(childOf(element, 'rPr', 'rFonts'), 'ascii') ?? '';
        walk(element);
        font = '';
        break;
      case 'oMath':
        parts.push(equationText(element));
        break;
      case 'footnoteReference':
      case 'endnoteReference':
        parts.push(
          sink.note(element.name === 'footnoteReference' ? 'footnote' : 'endnote', attributeOf(element, 'id') ?? ''),
        );
        break;
      case 'ffData':
        parts.push(formField(element));
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
  return { text: parts.join(''), drawings, pageBreaks };
}

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

export const isOn = (property: XmlElement | undefined): boolean =>
  property !== undefined && !/^(?:0|false|off)$/u.test(attributeOf(property, 'val') ?? '');

function symbolOf(element: XmlElement): string {
  const code = Number.parseInt(attributeOf(element, 'char') ?? '', 16);
  return Number.isNaN(code) ? '' : symbolText(attributeOf(element, 'font') ?? '', code);
}
