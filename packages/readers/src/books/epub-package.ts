// The package of an EPUB (EPUB 3.3 §5, OCF 3.3): from the container to facts, reading order and table of contents. Paths stay inside the
// archive, and a book whose text is encrypted (DRM) is refused.

import { withNamedEntities } from '../canonical/named-entities.ts';
import { resolvePart } from '../containers/office-package.ts';
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
import { ReadError } from '../read-error.ts';
import type { ParseInput } from '../reader.ts';

export interface ContentsEntry {
  readonly title: string;
  /** What stands behind the `#` of its target; '' for a whole document. */
  readonly fragment: string;
  /** From 1. */
  readonly level: number;
}

export interface EpubBook {
  readonly zip: ZipFile;
  /** A document of the spine; small books are unpacked once, however often they are asked. */
  chapter(path: string): Uint8Array | undefined;
  /** Elements of the package's metadata, in order. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** Paths in reading order. */
  readonly spine: readonly string[];
  /** Paths of the pictures that the manifest names, but for the cover. */
  readonly pictures: readonly string[];
  /** What the table of contents says of each document, by its path in lower case. */
  readonly contents: ReadonlyMap<string, readonly ContentsEntry[]>;
}

const maxSpine = 10_000;
const maxContents = 20_000;

const isInnerPicture = (item: XmlElement): boolean =>
  (attributeOf(item, 'media-type') ?? '').startsWith('image/') &&
  !/(?:^|\s)cover-image(?:\s|$)/u.test(attributeOf(item, 'properties') ?? '');

export function openBook({ bytes, name }: ParseInput): EpubBook {
  const zip = openZip(bytes, name);
  const damaged = (why: string): ReadError =>
    new ReadError('invalid-media', `${name} is damaged: ${why}. Get or export the book again.`);
  const container = zip.text('META-INF/container.xml');
  const rootFile =
    container === undefined ? undefined : descendantsOf(parseXmlTree(container, name), 'rootfile').next().value;
  const packagePath =
    attributeOf(rootFile, 'full-path') ?? zip.entries.find((entry) => entry.name.toLowerCase().endsWith('.opf'))?.name;
  const source = packagePath === undefined ? undefined : zip.text(packagePath);
  if (packagePath === undefined || source === undefined) throw damaged('it has no package document');
  const root = parseXmlTree(forgiven(source), name);
  const folder = packagePath.slice(0, packagePath.lastIndexOf('/') + 1);
  const items = new Map(
    childrenOf(childOf(root, 'manifest'), 'item').map((item) => [attributeOf(item, 'id') ?? '', item] as const),
  );
  const pathOf = (item: XmlElement | undefined): string | undefined => {
    const target = attributeOf(item, 'href');
    return target === undefined ? undefined : partOfBook(zip, folder, target.split('#')[0] ?? '');
  };
  const spineElement = childOf(root, 'spine');
  const spine = childrenOf(spineElement, 'itemref')
    .slice(0, maxSpine)
    .flatMap((reference) => pathOf(items.get(attributeOf(reference, 'idref') ?? '')) ?? []);
  if (spine.length === 0) throw damaged('its package names nothing to read');
  refuseProtected(zip, spine, name);
  const navigation = [...items.values()].find((item) =>
    /(?:^|\s)nav(?:\s|$)/u.test(attributeOf(item, 'properties') ?? ''),
  );
  const ncx =
    items.get(attributeOf(spineElement, 'toc') ?? '') ??
    [...items.values()].find((item) => attributeOf(item, 'media-type') === 'application/x-dtbncx+xml');
  const metadata = childOf(root, 'metadata');
  // EPUB 2 may wrap the fields once more.
  const fields = [metadata, childOf(metadata, 'dc-metadata')].flatMap((part) =>
    part === undefined ? [] : elementsOf(part),
  );
  return {
    zip,
    chapter: keptChapters(zip),
    facts: fields.map((field) => ({ name: field.name, value: contentOf(field) })),
    spine: [...new Set(spine)],
    pictures: [...items.values()].filter(isInnerPicture).flatMap((item) => pathOf(item) ?? []),
    contents: readContents(zip, { navigation: pathOf(navigation), ncx: pathOf(ncx) }, name),
  };
}

/** Chapters that are kept unpacked, all together. */
const keptBytes = 32 * 1024 * 1024;

function keptChapters(zip: ZipFile): EpubBook['chapter'] {
  const kept = new Map<string, Uint8Array>();
  let left = keptBytes;
  return (path) => {
    const bytes = kept.get(path) ?? zip.bytes(path);
    if (bytes !== undefined && bytes.length <= left && !kept.has(path)) {
      kept.set(path, bytes);
      left -= bytes.length;
    }
    return bytes;
  };
}

/** The part that an address relative to a folder means. Where there is none of that name, one whose name has the percent signs itself. */
export function partOfBook(zip: ZipFile, folder: string, address: string): string {
  const decoded = resolvePart(folder, decodePath(address));
  const written = resolvePart(folder, address);
  return !zip.has(decoded) && zip.has(written) ? written : decoded;
}

/** Percent signs in paths mean bytes, unless they do not. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Fonts may be scrambled, texts may not. */
function refuseProtected(zip: ZipFile, spine: readonly string[], name: string): void {
  const source = zip.text('META-INF/encryption.xml');
  if (source === undefined) return;
  const encrypted = new Set(
    [...descendantsOf(parseXmlTree(source, name), 'CipherReference')].map((reference) =>
      decodePath(attributeOf(reference, 'URI') ?? '').replace(/^\//u, ''),
    ),
  );
  if (spine.some((path) => encrypted.has(path)))
    throw new ReadError(
      'invalid-media',
      `${name} is protected against copying (DRM): its text is encrypted. Give an unprotected copy.`,
    );
}

function readContents(
  zip: ZipFile,
  paths: { readonly navigation: string | undefined; readonly ncx: string | undefined },
  name: string,
): Map<string, ContentsEntry[]> {
  const contents = new Map<string, ContentsEntry[]>();
  let count = 0;
  const add = (from: string, target: string | undefined, title: string, level: number): void => {
    if (target === undefined || ++count > maxContents) return;
    const [path = '', fragment = ''] = target.split('#');
    const folder = from.slice(0, from.lastIndexOf('/') + 1);
    const key = partOfBook(zip, folder, path).toLowerCase();
    const entry = { title: title.replace(/\s+/gu, ' ').trim(), fragment, level };
    const entries = contents.get(key);
    if (entries === undefined) contents.set(key, [entry]);
    else entries.push(entry);
  };
  try {
    const ncx = paths.ncx === undefined ? undefined : zip.text(paths.ncx);
    const navigation = paths.navigation === undefined ? undefined : zip.text(paths.navigation);
    if (navigation !== undefined && paths.navigation !== undefined) {
      const root = parseXmlTree(forgiven(navigation), name);
      const lists = [...descendantsOf(root, 'nav')];
      const list = lists.find((nav) => /(?:^|\s)toc(?:\s|$)/u.test(attributeOf(nav, 'type') ?? '')) ?? lists[0];
      if (list !== undefined)
        addLinks(list, 0, (target, title, level) => add(paths.navigation ?? '', target, title, level));
    } else if (ncx !== undefined && paths.ncx !== undefined) {
      const map = childOf(parseXmlTree(forgiven(ncx), name), 'navMap');
      if (map !== undefined) addPoints(map, 1, (target, title, level) => add(paths.ncx ?? '', target, title, level));
    }
  } catch (error) {
    // A book is read without its table of contents if that is damaged.
    if (!(error instanceof ReadError)) throw error;
  }
  return contents;
}

/** Older books name the DTD of their standard, which is not read, and use the entities of HTML. */
const forgiven = (source: string): string => withNamedEntities(source.replace(/<!DOCTYPE[^<>[]*>/iu, ''));

type AddEntry = (target: string | undefined, title: string, level: number) => void;

function addLinks(element: XmlElement, level: number, add: AddEntry): void {
  for (const child of elementsOf(element)) {
    if (child.name === 'a') add(attributeOf(child, 'href'), contentOf(child), Math.max(1, level));
    else addLinks(child, child.name === 'ol' ? level + 1 : level, add);
  }
}

function addPoints(element: XmlElement, level: number, add: AddEntry): void {
  for (const point of childrenOf(element, 'navPoint')) {
    add(attributeOf(childOf(point, 'content'), 'src'), contentOf(childOf(point, 'navLabel', 'text')), level);
    addPoints(point, level + 1, add);
  }
}
