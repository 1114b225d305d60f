// What all OpenDocument files share (ODF 1.3 part 2): a ZIP with content, styles and facts; encrypted ones say so in their manifest.
import type { Metadata } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput } from '../parse.ts';
import { publishedDate } from './canonical-text.ts';
import { chartLines } from './chart-text.ts';
import { type CoreFacts, factsOf } from './office-package.ts';
import { childOf, contentOf, descendantsOf, elementsOf, parseXmlTree, type XmlElement } from './xml-text.ts';
import { openZip, type ZipFile } from './zip.ts';

/** Throws `unsupported-media` for an encrypted file, `invalid-media` for one without content. */
export function openOpenDocument({ bytes, name }: ParseInput): ZipFile {
  const zip = openZip(bytes, name);
  if (/<(?:[\w.-]+:)?encryption-data\b/u.test(zip.text('META-INF/manifest.xml') ?? ''))
    throw new FootnoteError(
      'unsupported-media',
      `${name} is encrypted with a password. Save it without one, or export it as PDF.`,
    );
  if (!zip.has('content.xml'))
    throw new FootnoteError('invalid-media', `${name} is damaged: it has no content. Save it again.`);
  return zip;
}

/** A part as a tree; undefined where it is absent. */
export function treeOf(zip: ZipFile, part: string, name: string): XmlElement | undefined {
  const source = zip.text(part);
  return source === undefined ? undefined : parseXmlTree(source, name);
}

/** Facts of meta.xml; a damaged part says nothing. */
export function openDocumentFacts(zip: ZipFile): CoreFacts {
  let fields: XmlElement[];
  try {
    const root = parseXmlTree(zip.text('meta.xml', 1_000_000) ?? '', 'meta.xml');
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

/** The text of an embedded object: a formula as its author typed it, a chart by its title. Undefined for other objects. */
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
  const chart = descendantsOf(root, 'chart').next().value;
  if (chart === undefined) return undefined;
  const title = contentOf(childOf(chart, 'title')).replace(/\s+/gu, ' ').trim();
  return title === '' ? chartLines(chart)[0]?.text : `Chart: ${title}`;
}
