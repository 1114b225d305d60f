// Renders a parsed HTML tree as canonical text: blocks apart by a blank line, list items as "- " or "1. ", rows of data
// tables as "a | b", preformatted text as it stands, alternative texts of images kept, everything hidden left out.
import type { DefaultTreeAdapterTypes } from 'parse5';
import { canonicalText, governHeadings, type HeadingMark } from '../canonical/canonical-text.ts';
import { createStruckText, type Standing, type StruckText } from '../canonical/struck-text.ts';
import type { Block, BlockKind, Heading } from '../document.ts';
import { leveledTitles, spannedRows } from './html-spans.ts';

export interface RenderedHtml {
  readonly text: string;
  readonly headings: Heading[];
  readonly blocks: Block[];
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const dropped = new Set(
  'script style template head iframe object embed applet canvas audio video source track noframes datalist map'.split(
    ' ',
  ),
);
const blockNames = new Set(
  (
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre search section summary ' +
    'table tbody tfoot thead tr caption ul'
  ).split(' '),
);
/** Blocks that stand on a line of their own without a blank line around them. */
const lineNames = new Set('tr li dt dd option'.split(' '));
const structuresInCells = new Set('table h1 h2 h3 h4 h5 h6 ul ol dl pre form article section main nav'.split(' '));

interface List {
  readonly ordered: boolean;
  next: number;
}

/** What surrounds the text being written; restored when its element ends. */
interface Context {
  readonly kind: BlockKind;
  readonly level: number;
  readonly preformatted: boolean;
  readonly list: List | undefined;
  readonly depth: number;
  /** In a row of a data table, where blocks become spaces and cells " | ". */
  readonly row: boolean;
  /** In a row that names the columns. */
  readonly isHeader: boolean;
  readonly standing: Standing;
  /** Of the column of the cell, below a header of several levels: '' for none. */
  readonly title?: string;
}

/** Blocks whose text is mostly directly in elements of the frame become `boilerplate`, their headings none. */
// oxlint-disable-next-line complexity -- Each element is a case over the same page.
export function renderHtml(
  tree: DefaultTreeAdapterTypes.Document,
  isFrame: (element: Element) => boolean = () => false,
): RenderedHtml {
  const page = createPage();
  const layoutTables = new WeakMap<object, boolean>();
  const spanned = spannedRows();
  const titlesOf = leveledTitles(spanned, isHeaderRow);
  type Step = { readonly node: Node; readonly context: Context } | { readonly after: () => void };
  const start: Context = {
    kind: 'paragraph',
    level: 0,
    preformatted: false,
    list: undefined,
    depth: 0,
    row: false,
    isHeader: false,
    standing: undefined,
  };
  const pending: Step[] = [];
  const enqueue = (nodes: readonly Node[], context: Context): void => {
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index];
      if (node !== undefined) pending.push({ node, context });
    }
  };
  enqueue(tree.childNodes, start);
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    if ('after' in step) {
      step.after();
      continue;
    }
    const { node } = step;
    let { context } = step;
    if ('value' in node) {
      const { parentNode: parent } = node;
      page.write(node.value, context, parent !== null && 'tagName' in parent && isFrame(parent));
      continue;
    }
    if (!('tagName' in node) || isHidden(node)) continue;
    const name = node.tagName;
    if (isStruck(node)) context = { ...context, standing: 'struck' };
    if (name === 'br') {
      page.lineBreak(context);
    } else if (name === 'img' || (name === 'input' && attribute(node, 'type') === 'image')) {
      const alternative = attribute(node, 'alt')?.trim();
      if (alternative) page.write(` ${alternative} `, context, isFrame(node));
    } else if (name === 'input') {
      const type = attribute(node, 'type')?.toLowerCase();
      const value = attribute(node, 'value');
      if (value !== undefined && (type === 'submit' || type === 'button' || type === 'reset'))
        page.write(` ${value} `, context, isFrame(node));
    } else if ((name === 'td' || name === 'th') && context.row) {
      page.cell(context.title);
      enqueue(node.childNodes, context);
    } else if (blockNames.has(name) || name === 'td' || name === 'th') {
      if (context.row) {
        page.write(' ', context);
        pending.push({ after: () => page.write(' ', context) });
        enqueue(node.childNodes, context);
        continue;
      }
      const inner = contextIn(node, context, layoutTables);
      const isNestedList = (name === 'ul' || name === 'ol') && context.list !== undefined;
      const distance = lineNames.has(name) || isNestedList ? 1 : 2;
      page.endBlock(distance);
      if (name === 'li') page.marker(inner);
      pending.push({
        after: () => {
          page.endBlock(distance);
          if (name === 'li') page.dropMarker();
        },
      });
      const table = inner.row ? tableOf(node) : undefined;
      const cells = table && spanned(table, node);
      const titles = table && titlesOf(table, node);
      const row = cells ?? (titles && node.childNodes.filter((child) => 'tagName' in child));
      if (row === undefined) enqueue(node.childNodes, inner);
      else
        for (const [column, cell] of [...row.entries()].toReversed()) {
          const title = titles && (titles[column] ?? '');
          if (cell === undefined) pending.push({ after: () => page.cell(title) });
          else pending.push({ node: cell, context: title === undefined ? inner : { ...inner, title } });
        }
    } else {
      enqueue(node.childNodes, name === 'textarea' ? { ...context, preformatted: true } : context);
    }
  }
  return page.finish();
}

function contextIn(element: Element, context: Context, layoutTables: WeakMap<object, boolean>): Context {
  const name = element.tagName;
  if (/^h[1-6]$/.test(name)) return { ...context, kind: 'heading', level: Number(name[1]) };
  switch (name) {
    case 'pre':
      return { ...context, kind: 'code', preformatted: true };
    case 'blockquote':
      return { ...context, kind: 'quote' };
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir': {
      const first = Number.parseInt(attribute(element, 'start') ?? '1', 10);
      const list = { ordered: name === 'ol', next: Number.isNaN(first) ? 1 : first };
      return { ...context, list, depth: context.list === undefined ? 0 : context.depth + 1 };
    }
    case 'li':
    case 'dt':
    case 'dd':
      return { ...context, kind: 'list-item' };
    case 'tr': {
      const table = tableOf(element);
      if (table === undefined) return context;
      let layout = layoutTables.get(table);
      if (layout === undefined) {
        layout = isLayoutTable(table);
        layoutTables.set(table, layout);
      }
      return layout ? context : { ...context, kind: 'table-row', row: true, isHeader: isHeaderRow(element) };
    }
    default:
      return context;
  }
}

/** In the head of its table, or with no other cells than headers. */
function isHeaderRow(row: Element): boolean {
  const { parentNode: parent } = row;
  if (parent !== null && 'tagName' in parent && parent.tagName === 'thead') return true;
  const cells = row.childNodes.filter((node) => 'tagName' in node);
  return cells.length > 0 && cells.every(({ tagName }) => tagName === 'th');
}

function tableOf(row: Element): Element | undefined {
  let node: DefaultTreeAdapterTypes.ParentNode | null = row.parentNode;
  while (node !== null && 'tagName' in node) {
    if (node.tagName === 'table') return node;
    node = node.parentNode;
  }
  return undefined;
}

/** Tables that only place things: one whose cells hold headings, lists or tables, or that says so. */
function isLayoutTable(table: Element): boolean {
  if (/^(presentation|none)$/.test(attribute(table, 'role') ?? '')) return true;
  const pending: Node[] = [...table.childNodes];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!('tagName' in node)) continue;
    if (structuresInCells.has(node.tagName)) return true;
    for (const child of node.childNodes) pending.push(child);
  }
  return false;
}

/** "¶" behind a heading or a term: a link within the page that says nothing. Elsewhere such a one may be the mark of a note. */
const isPermalink = (element: Element): boolean =>
  element.tagName === 'a' &&
  element.parentNode !== null &&
  /^(?:h[1-6]|dt|caption|figcaption)$/u.test(element.parentNode.nodeName) &&
  attribute(element, 'href')?.startsWith('#') === true &&
  element.childNodes.length > 0 &&
  element.childNodes.every((child) => 'value' in child && !/[\p{L}\p{N}*†‡]/u.test(child.value));

function isHidden(element: Element): boolean {
  if (dropped.has(element.tagName) || isPermalink(element)) return true;
  for (const { name, value } of element.attrs) {
    if (name === 'hidden' && value !== 'until-found') return true;
    // "[edit]" behind each heading of a wiki.
    if (name === 'class' && /(?:^|\s)mw-editsection(?:\s|$)/.test(value)) return true;
    if (name === 'style' && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(value)) return true;
  }
  return false;
}

const struckNames = new Set(['del', 's', 'strike']);

/** Struck out by its element or by a style of its own (CSS Text Decoration 3 §2.1). */
const isStruck = (element: Element): boolean =>
  struckNames.has(element.tagName) ||
  /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*line-through/iu.test(attribute(element, 'style') ?? '');

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

/** The text under construction. White space collapses as in CSS; a block opens at its first visible character. */
function createPage() {
  const finished: string[] = [];
  const marks: HeadingMark[] = [];
  const blocks: Block[] = [];
  let length = 0;
  let newlines = 0;
  let pendingMarker = '';
  let cells = 0;
  let title: string | undefined;
  let open:
    | {
        readonly start: number;
        readonly kind: BlockKind;
        readonly level: number;
        readonly isHeader: boolean;
        readonly parts: StruckText;
        /** Visible characters of the content less those of the frame. */
        content: number;
      }
    | undefined;
  let space = false;
  let lineStart = true;

  const begin = (context: Context): StruckText => {
    const isFirst = open === undefined;
    if (open === undefined) {
      if (length > 0) {
        finished.push('\n'.repeat(Math.max(1, newlines)));
        length += Math.max(1, newlines);
      }
      newlines = 0;
      open = {
        start: length,
        kind: context.kind,
        level: context.level,
        isHeader: context.isHeader,
        parts: createStruckText(),
        content: 0,
      };
      open.parts.add(pendingMarker);
      pendingMarker = '';
      space = false;
      lineStart = true;
    }
    if (context.row && title !== undefined) {
      open.parts.add(`${isFirst ? '' : '; '}${title === '' ? '' : `${title}: `}`);
      title = undefined;
      cells = 1;
      space = false;
      lineStart = true;
    }
    if (context.row && cells > 1) {
      open.parts.add(' | '.repeat(cells - 1));
      cells = 1;
      space = false;
      lineStart = true;
    }
    return open.parts;
  };
  const endBlock = (wanted: number): void => {
    if (open !== undefined || pendingMarker === '') newlines = Math.max(newlines, wanted);
    cells = 0;
    title = undefined;
    space = false;
    if (open === undefined) return;
    const { start, level, isHeader, parts } = open;
    const kind = open.content < 0 ? 'boilerplate' : open.kind;
    open = undefined;
    const text = parts.finish().trimEnd();
    if (kind === 'heading') marks.push({ start, level, title: text.replace(/\s+/g, ' ').trim() });
    finished.push(text);
    length += text.length;
    if (text !== '') blocks.push({ start, end: length, kind, ...(isHeader && { isHeader }) });
  };
  return {
    write(value: string, context: Context, frame = false): void {
      const text = canonicalText(value);
      const weight = frame ? -1 : 1;
      if (context.preformatted && !context.row) {
        const content = open === undefined ? text.replace(/^\n+/, '') : text;
        if (open === undefined && content.trim() === '') return;
        const parts = begin(context);
        if (space) parts.add(' ', context.standing);
        space = false;
        parts.add(content, context.standing);
        if (open !== undefined) open.content += weight * content.length;
        return;
      }
      const collapsed = text.replace(/[ \t\n\f]+/g, ' ');
      if (collapsed === ' ' || collapsed === '') {
        space ||= collapsed === ' ' && open !== undefined;
        return;
      }
      const leading = collapsed.startsWith(' ');
      const trailing = collapsed.endsWith(' ');
      const parts = begin(context);
      if ((space || leading) && !lineStart) parts.add(' ', context.standing);
      parts.add(collapsed.slice(leading ? 1 : 0, trailing ? -1 : undefined), context.standing);
      if (open !== undefined) open.content += weight * collapsed.length;
      lineStart = false;
      space = trailing;
    },
    lineBreak(context: Context): void {
      if (open === undefined) return;
      space = context.row;
      if (context.row) return;
      open.parts.add('\n', context.standing);
      lineStart = true;
    },
    marker(context: Context): void {
      const indent = '  '.repeat(Math.min(context.depth, 8));
      pendingMarker = `${indent}${context.list?.ordered ? `${context.list.next++}. ` : '- '}`;
    },
    dropMarker(): void {
      pendingMarker = '';
    },
    cell(of?: string): void {
      cells++;
      title = of;
      space = false;
    },
    endBlock,
    finish(): RenderedHtml {
      endBlock(0);
      const text = finished.join('');
      return { text, headings: governHeadings(marks, text.length), blocks };
    },
  };
}
