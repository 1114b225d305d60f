// Equations of Office (OMML, ECMA-376 part 1 §22.1) as one line that reads aloud and searches well: (a+b)/(2a), x^2, x_i, √(b^2-4ac), ∑_(i=1)^n.
// The notation is that of Unicode's plain-text mathematics (UTN 28).
import { attributeOf, childOf, isElement, type XmlElement, type XmlNode } from '../containers/xml-text.ts';

/** One token needs no brackets. */
const isAtom = (text: string): boolean =>
  /^(?:[\p{L}\p{M}]+|[\d.,]+|.)$/u.test(text) || /^[([{|][^()[\]{}|]*[)\]}|]$/u.test(text);
/** An exponent or index may have a sign. */
const script = (text: string): string => (/^[-+−]?[\d.,]+$/u.test(text) ? text : grouped(text));
const grouped = (text: string): string => (isAtom(text) ? text : `(${text})`);

/** The property `name` of an element's `…Pr` child; undefined where it is not said. */
function propertyOf(element: XmlElement, name: string): string | undefined {
  const properties = childOf(element, `${element.name}Pr`);
  const property = properties && childOf(properties, name);
  return property && (attributeOf(property, 'val') ?? '');
}

function part(element: XmlElement, name: string): string {
  const found = childOf(element, name);
  return found === undefined ? '' : innerText(found);
}

/** Accents that stand over what follows, by their character. */
const accents: Readonly<Record<string, string>> = { '\u0302': '^', '\u0303': '~', '\u0304': '¯', '\u0305': '¯' };

/** An `oMath`, `oMathPara` or any part of one. The reader bounds the depth of the tree, and so the recursion. */
export function equationText(element: XmlElement): string {
  return (
    innerText(element)
      // The invisible "function of".
      .replace(/\u2061(?=[\p{L}\p{N}])/gu, ' ')
      .replaceAll('\u2061', '')
  );
}

/** What follows a fraction or a script would be read as part of it. */
const openEnded = new Set(['f', 'sSup', 'sSub', 'sSubSup', 'func', 'nary', 'limLow', 'limUpp']);

function innerText(element: XmlElement): string {
  let text = '';
  let isOpen = false;
  for (const child of element.children) {
    const part = nodeText(child);
    if (part === '') continue;
    text += isOpen && /^[\p{L}\p{N}]/u.test(part) ? ` ${part}` : part;
    isOpen = isElement(child) && openEnded.has(child.name);
  }
  return text;
}

function nodeText(node: XmlNode): string {
  if (!isElement(node)) return '';
  switch (node.name) {
    case 't':
      return node.children.filter((child) => typeof child === 'string').join('');
    case 'f': {
      const [top, bottom] = [part(node, 'num'), part(node, 'den')];
      return propertyOf(node, 'type') === 'noBar' ? `(${top} ¦ ${bottom})` : `${grouped(top)}/${grouped(bottom)}`;
    }
    case 'sSup':
      return `${grouped(part(node, 'e'))}^${script(part(node, 'sup'))}`;
    case 'sSub':
      return `${grouped(part(node, 'e'))}_${script(part(node, 'sub'))}`;
    case 'sSubSup':
      return `${grouped(part(node, 'e'))}_${script(part(node, 'sub'))}^${script(part(node, 'sup'))}`;
    case 'sPre':
      return `_${script(part(node, 'sub'))}^${script(part(node, 'sup'))} ${part(node, 'e')}`;
    case 'rad': {
      const degree = part(node, 'deg');
      return degree === '' ? `√${bracketed(part(node, 'e'))}` : `√(${degree}&${part(node, 'e')})`;
    }
    case 'nary': {
      const sign = propertyOf(node, 'chr') || '∫';
      const [low, high] = [part(node, 'sub'), part(node, 'sup')];
      const limits = `${low === '' ? '' : `_${script(low)}`}${high === '' ? '' : `^${script(high)}`}`;
      return `${sign}${limits} ${part(node, 'e')}`;
    }
    case 'd': {
      const open = propertyOf(node, 'begChr') ?? '(';
      const close = propertyOf(node, 'endChr') ?? ')';
      const between = propertyOf(node, 'sepChr') || '|';
      const parts = node.children.filter((child) => isElement(child) && child.name === 'e');
      return `${open}${parts.map((child) => (isElement(child) ? innerText(child) : '')).join(between)}${close}`;
    }
    case 'func':
      return `${part(node, 'fName')} ${part(node, 'e')}`;
    case 'limLow':
      return `${part(node, 'e')}_${grouped(part(node, 'lim'))}`;
    case 'limUpp':
      return `${part(node, 'e')}^${grouped(part(node, 'lim'))}`;
    case 'acc': {
      const mark = propertyOf(node, 'chr') || '\u0302';
      const under = part(node, 'e');
      return [...under].length === 1 ? `${under}${mark}`.normalize('NFC') : `${accents[mark] ?? mark}(${under})`;
    }
    case 'bar':
      return propertyOf(node, 'pos') === 'bot' ? `_(${part(node, 'e')})` : `¯(${part(node, 'e')})`;
    case 'm':
      return `[${rowsOf(node, 'mr').join('; ')}]`;
    case 'eqArr':
      return rowsOf(node, 'e').join('; ');
    default:
      return node.name.endsWith('Pr') ? '' : innerText(node);
  }
}

const bracketed = (text: string): string => (isAtom(text) && text.length === 1 ? text : `(${text})`);

function rowsOf(element: XmlElement, name: string): string[] {
  return element.children.flatMap((row) => {
    if (!isElement(row) || row.name !== name) return [];
    if (name === 'e') return [innerText(row)];
    const cells = row.children.filter((cell) => isElement(cell) && cell.name === 'e');
    return [cells.map((cell) => (isElement(cell) ? innerText(cell) : '')).join(', ')];
  });
}
