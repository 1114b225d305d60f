// What all OpenDocument files share (ODF 1.3 part 2): a ZIP with content, styles and facts, which may be encrypted.

import { publishedDate } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { type CoreFacts, factsOf } from '../containers/office-package.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  contentOf,
  descendantsOf,
  elementsOf,
  parseXmlTree,
  type XmlElement,
} from '../containers/xml-text.ts';
import { openZip, type ZipFile } from '../containers/zip.ts';
import type { Metadata } from '../document.ts';
import { chartLines } from '../office/chart-text.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput } from '../reader.ts';
import { unlockedOpenDocument } from './opendocument-unlock.ts';

/** Throws `invalid-media` for an encrypted file that the password does not open, and for one without content. */
export function openOpenDocument(input: ParseInput): ZipFile {
  const { bytes, name } = input;
  if (bytes[0] !== 0x50) return flatDocument(input);
  const zip = unlockedOpenDocument(openZip(bytes, name), input);
  if (!zip.has('content.xml'))
    throw new ReadError('invalid-media', `${name} is damaged: it has no content. Save it again.`);
  return zip;
}

/** Flat documents, and the one tree of which all their parts are read. */
const flatTrees = new WeakMap<ZipFile, XmlElement | undefined>();
const flatParts: ReadonlySet<string> = new Set(['content.xml', 'styles.xml', 'meta.xml']);

/** A document that is one XML file, which holds all parts (ODF 1.3 part 3 §2.2.1). What lies in it as files (pictures, charts) is left. */
function flatDocument({ bytes, name }: ParseInput): ZipFile {
  const whole = decodeText(bytes, name).text;
  const text = ['draw:object', 'draw:object-ole', 'office:binary-data'].reduce(withoutElement, whole);
  const content = new TextEncoder().encode(text);
  const document: ZipFile = {
    entries: [],
    has: (part) => flatParts.has(part),
    bytes: (part) => (flatParts.has(part) ? content : undefined),
    text: (part) => (flatParts.has(part) ? text : undefined),
  };
  flatTrees.set(document, undefined);
  return document;
}

/** Elements of that name, which hold none of the same name, are cut out. */
function withoutElement(text: string, element: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf(`<${element}`); start >= 0; start = text.indexOf(`<${element}`, from)) {
    const isLonger = /[\w.-]/u.test(text[start + element.length + 1] ?? '');
    const end = isLonger ? -1 : text.indexOf('>', start);
    const close = text[end - 1] === '/' ? end - 1 : text.indexOf(`</${element}>`, start);
    if (!isLonger && (end < 0 || close < 0)) break;
    const until = isLonger ? start + element.length + 1 : text.indexOf('>', close) + 1;
    kept.push(text.slice(from, isLonger ? until : start));
    from = until;
  }
  return kept.length === 0 ? text : kept.join('') + text.slice(from);
}

/** A part as a tree; undefined where it is absent. */
export function treeOf(zip: ZipFile, part: string, name: string): XmlElement | undefined {
  const known = flatParts.has(part) ? flatTrees.get(zip) : undefined;
  if (known !== undefined) return known;
  const source = zip.text(part);
  const tree = source === undefined ? undefined : parseXmlTree(source, name);
  if (flatTrees.has(zip) && flatParts.has(part)) flatTrees.set(zip, tree);
  return tree;
}

/** OpenOffice.org 1 (SXW, SXI), from which OpenDocument came. */
export const isOldOpenOffice = (content: XmlElement | undefined): boolean =>
  attributeOf(content, 'class') !== undefined;

/** Facts of meta.xml; a damaged part says nothing. */
export function openDocumentFacts(zip: ZipFile): CoreFacts {
  let fields: XmlElement[];
  try {
    const root = flatTrees.get(zip) ?? parseXmlTree(zip.text('meta.xml', 1_000_000) ?? '', 'meta.xml');
    fields = elementsOf(childOf(root, 'meta') ?? root);
  } catch {
    return { metadata: {} };
  }
  const facts = factsOf(fields);
  const textOf = (name: string): string => contentOf(fields.find((field) => field.name === name)).trim();
  const metadata: Metadata = { ...facts.metadata };
  const author = textOf('initial-creator');
  const keywords = fields.filter(({ name }) => name === 'keyword').map((field) => contentOf(field).trim());
  const created = publishedDate(textOf('creation-date'));
  const modified = publishedDate(textOf('date'));
  if (author !== '') metadata['author'] = author;
  if (keywords.length > 0) metadata['keywords'] = keywords.join(', ');
  if (created !== undefined) metadata['created'] = created;
  if (modified !== undefined) metadata['modified'] = modified;
  return { ...facts, metadata };
}

/** The pictures that a file holds, in the order of its directory; those that stand in for objects are not among them. */
export const picturesOf = (zip: ZipFile): string[] =>
  zip.entries.map(({ name }) => name).filter((name) => name.startsWith('Pictures/'));

/** The text of an embedded object: a formula as its author typed it, a chart by its title and figures. Undefined for other objects. */
export function objectText(zip: ZipFile, path: string, name: string): string | undefined {
  const folder = path.replace(/^(?:\.\/)+/u, '').replace(/\/$/u, '');
  if (folder === '' || folder.includes(':') || folder.includes('..')) return undefined;
  const root = treeOf(zip, `${folder}/content.xml`, name);
  if (root === undefined) return undefined;
  if (root.name === 'math') {
    const typed = descendantsOf(root, 'annotation').next().value;
    return (
      contentOf(typed ?? root)
        .replace(/\s+/gu, ' ')
        .trim() || undefined
    );
  }
  // `office:chart` holds `chart:chart`.
  const outer = descendantsOf(root, 'chart').next().value;
  const chart = childOf(outer, 'chart') ?? outer;
  if (chart === undefined) return undefined;
  const title = contentOf(childOf(chart, 'title')).replace(/\s+/gu, ' ').trim();
  const rows = localTable(chart);
  if (title === '' && rows.length === 0) return chartLines(chart)[0]?.text;
  const axes = [...descendantsOf(chart, 'axis')]
    .map((axis) => contentOf(childOf(axis, 'title')).replace(/\s+/gu, ' ').trim())
    .filter((axis) => axis !== '');
  return [
    title === '' ? 'Chart' : `Chart: ${title}`,
    ...(axes.length === 0 ? [] : [`Axes: ${[...new Set(axes)].join('; ')}`]),
    ...rows,
  ].join('\n');
}

const maxChartRows = 2000;

/** The figures that a chart keeps for itself (ODF 1.3 part 3 §11.37): a row for each category with the value of each series. */
function localTable(chart: XmlElement): string[] {
  const tables = childrenOf(chart, 'table');
  const table = tables.find((element) => attributeOf(element, 'name') === 'local-table') ?? tables[0];
  const rows = table === undefined ? [] : [...descendantsOf(table, 'table-row')].slice(0, maxChartRows + 1);
  const [head = [], ...body] = rows.map((row) =>
    childrenOf(row, 'table-cell').map((cell) => contentOf(cell).replace(/\s+/gu, ' ').trim()),
  );
  return body.flatMap(([category = '', ...values]) => {
    const cells = values.flatMap((value, index) => {
      const series = head[index + 1] ?? '';
      return value === '' || value === 'NaN' ? [] : [series === '' ? value : `${series}: ${value}`];
    });
    return cells.length === 0 ? [] : [[category, ...cells].filter((cell) => cell !== '').join('; ')];
  });
}
