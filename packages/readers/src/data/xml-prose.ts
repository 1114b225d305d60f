// XML that is prose (DocBook, JATS, TEI, DITA) to canonical text: paragraphs under their titles, code as it stands, items of lists, rows of tables with
// their cells parted by bars, in the order of the file.

import { rowText } from '../canonical/block-writer.ts';
import { canonicalText } from '../canonical/canonical-text.ts';
import type { JoinedText } from '../canonical/joined-text.ts';
import { localName, type XmlEvents } from '../containers/xml-events.ts';
import { isHeadingName, type XmlShape } from '../containers/xml-shape.ts';
import type { BlockKind } from '../document.ts';
import { elementStack, type OpenElement } from './xml-elements.ts';

const preformatted = /^(?:pre|programlisting|screen|code|codeblock|verbatim|literallayout|preformat)$/iu;
const listed = /^(?:item|li|listitem|list-item)$/iu;
/** What stands apart also where a paragraph holds it, as DocBook lets it. */
const apart =
  /^(?:pre|programlisting|screen|codeblock|literallayout|preformat|item|listitem|list-item|li|row|tr|blockquote|note|tip|warning|caution|important|figure)$/iu;
const row = /^(?:row|tr)$/iu;
/** What is parted from the words around it in a paragraph that holds it, and what does not part those of a cell. */
const parted = /^(?:p|para|simpara|list|itemizedlist|orderedlist|variablelist|ul|ol|footnote|fn|lb|br)$/iu;
const inWords = /^(?:b|bold|i|italic|u|em|emphasis|strong|hi|sc|sub|subscript|sup|superscript|span)$/iu;
const cell = /^(?:entry|td|th|cell)$/iu;

/** `tellTitle` is told the title of an article of JATS, which is no heading of a part of it. */
export function proseReader(joined: JoinedText, shape: XmlShape, tellTitle: (title: string) => void): XmlEvents {
  const { open, push } = elementStack(shape);
  /** The outermost element whose text stands together: everything inside is part of its paragraph. */
  let block: OpenElement | undefined;
  let parts: string[] = [];
  /** Whether it is what stands between the elements of another: it ends where the next one begins. */
  let isStray = false;
  /** Paragraphs that go on behind what stands apart in them. */
  const suspended: { readonly block: OpenElement; readonly until: OpenElement }[] = [];
  /** Of the row that is open. */
  let cells: string[] | undefined;
  let inCell = false;
  const content = (isCode: boolean): string => {
    const text = canonicalText(parts.join(''));
    parts = [];
    return isCode ? text.replace(/^\n+/u, '').trimEnd() : text.replace(/\s+/gu, ' ').trim();
  };
  const finish = (element: OpenElement): void => {
    const local = localName(element.name);
    const isCode = preformatted.test(local);
    const text = content(isCode);
    if (text === '') return;
    joined.at(element.label);
    if (element.path.endsWith('/title-group/article-title')) tellTitle(text);
    const depth = open.lastIndexOf(element) + 1;
    const isInList = listed.test(local) || listed.test(localName(open[depth - 2]?.name ?? ''));
    const kind: BlockKind = isCode ? 'code' : isInList ? 'list-item' : 'paragraph';
    if (isHeadingName(element.name)) joined.put('heading', text, Math.min(6, depth - shape.headingDepth + 1));
    else joined.put(kind, text);
  };
  const finishRow = (element: OpenElement): void => {
    const text = rowText([...(cells ?? []), content(false)]);
    cells = undefined;
    if (text === '') return;
    joined.at(element.label);
    const isHeader = localName(open.at(-2)?.name ?? '').toLowerCase() === 'thead';
    const span = { start: 0, end: text.length, kind: 'table-row' as const, ...(isHeader && { isHeader }) };
    joined.add({ text, headings: [], blocks: [span] });
  };
  const isParted = (local: string): boolean =>
    block !== undefined && parted.test(local) && !preformatted.test(localName(block.name));
  return {
    open(name) {
      if (isStray && block !== undefined) {
        finish(block);
        block = undefined;
        isStray = false;
      }
      const element = push(name);
      const local = localName(name);
      if (cells !== undefined) {
        // Blocks in a cell are words of it.
        if (cell.test(local)) {
          const before = content(false);
          // Nothing stands there in a sound row.
          if (inCell || before !== '') cells.push(before);
          inCell = true;
        }
        if (!inWords.test(local)) parts.push(' ');
        return;
      }
      if (isParted(local)) parts.push(' ');
      if (block !== undefined && apart.test(local)) {
        finish(block);
        suspended.push({ block, until: element });
        block = undefined;
      }
      if (block === undefined && row.test(local)) {
        block = element;
        cells = [];
        inCell = false;
      } else if (
        block === undefined &&
        (shape.isMixed(element.path) || (preformatted.test(local) && apart.test(local)))
      )
        block = element;
    },
    text(text) {
      if (block === undefined && text.trim() === '') return;
      if (block === undefined) {
        block = open.at(-1);
        isStray = block !== undefined && !isHeadingName(block.name);
      }
      parts.push(text);
    },
    close() {
      const element = open.at(-1);
      if (element !== undefined && element !== block && isParted(localName(element.name))) parts.push(' ');
      if (element === block && element !== undefined) {
        if (cells === undefined) finish(element);
        else finishRow(element);
        block = undefined;
        isStray = false;
      }
      const outer = suspended.at(-1);
      if (outer !== undefined && outer.until === element) {
        suspended.pop();
        block = outer.block;
      }
      open.pop();
    },
  };
}
