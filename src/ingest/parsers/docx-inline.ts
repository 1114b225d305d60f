// The text inside a paragraph of a DOCX (ECMA-376 part 1 §17.3): runs, fields by their results, equations, notes by their marks; what stands
// apart from the line (text boxes, charts, pictures) is handed over. Deleted and hidden text is left out.
import { equationText } from './equation-text.ts';
import { attributeOf, childOf, contentOf, descendantsOf, isElement, type XmlElement } from './xml-text.ts';

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
  const walk = (element: XmlElement): void => {
    for (const child of element.children) if (isElement(child)) read(child);
  };
  const read = (element: XmlElement): void => {
    if (leftOut.has(element.name)) return;
    switch (element.name) {
      case 't':
        parts.push(contentOf(element));
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
        parts.push(symbolOf(attributeOf(element, 'font') ?? '', attributeOf(element, 'char') ?? ''));
        break;
      case 'r':
        if (!isOn(childOf(element, 'rPr', 'vanish'))) walk(element);
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

/** Letters of the font Symbol by their places from `A` and `a`. */
const greek = ['ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ', 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'] as const;
const pictograms: Readonly<Record<number, string>> = {
  111: '☐',
  168: '☐',
  183: '•',
  216: '➢',
  224: '→',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
};

function symbolOf(font: string, hexadecimal: string): string {
  const code = Number.parseInt(hexadecimal, 16);
  if (Number.isNaN(code)) return '';
  const place = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (/^symbol$/iu.test(font)) {
    const letter = greek[place >= 97 ? 1 : 0][place >= 97 ? place - 97 : place - 65];
    if (letter !== undefined) return letter;
  }
  if (/^(?:wingdings|symbol)/iu.test(font) && pictograms[place] !== undefined) return pictograms[place];
  // Private use says nothing to anybody but the font.
  return code >= 0xe000 && code <= 0xf8ff
    ? place < 0x7f && place > 0x20
      ? String.fromCharCode(place)
      : ''
    : String.fromCodePoint(code);
}
