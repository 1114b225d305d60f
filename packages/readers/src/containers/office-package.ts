// What all Open XML files share (ECMA-376 part 2): parts that refer to each other by relationships, and the facts of docProps/core.xml.

import { canonicalText, publishedDate } from '../canonical/canonical-text.ts';
import { languageCode } from '../canonical/language-code.ts';
import type { AttachedFile, Metadata } from '../document.ts';
import { ReadError } from '../read-error.ts';
import { attributeOf, childrenOf, contentOf, elementsOf, parseXmlTree, type XmlElement } from './xml-text.ts';
import type { ZipFile } from './zip.ts';

export interface Relationship {
  readonly id: string;
  /** The last word of the type's address: `slide`, `worksheet`, `notesSlide`. */
  readonly type: string;
  /** Path of the part inside the package. Targets outside of it are left out. */
  readonly path: string;
}

/** The relationships of a part; none where it has none. '' asks for the package's own. */
export function relationshipsOf(zip: ZipFile, part: string, name: string): Relationship[] {
  const slash = part.lastIndexOf('/');
  const folder = part.slice(0, slash + 1);
  const source = zip.text(`${folder}_rels/${part.slice(slash + 1)}.rels`);
  if (source === undefined) return [];
  return childrenOf(parseXmlTree(source, name), 'Relationship').flatMap((element) => {
    const { Id: id, Type: type, Target: target, TargetMode: mode } = element.attributes;
    if (id === undefined || target === undefined || mode === 'External') return [];
    return [{ id, type: type?.slice(type.lastIndexOf('/') + 1) ?? '', path: resolvePart(folder, target) }];
  });
}

/** A path relative to a folder of the package; one that climbs out of it stays at its root. */
export function resolvePart(folder: string, target: string): string {
  const whole = target.startsWith('/') ? target : `${folder}${target}`;
  const steps: string[] = [];
  for (const step of whole.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** The root of a part that must be there. */
export function requirePart(zip: ZipFile, part: string, name: string): XmlElement {
  const source = zip.text(part);
  if (source === undefined)
    throw new ReadError('invalid-media', `${name} is damaged: its part ${part} is missing. Save it again.`);
  return parseXmlTree(source, name);
}

/** The main part of the package; `fallback` where the package does not say. */
export function mainPart(zip: ZipFile, fallback: string, name: string): string {
  const main = relationshipsOf(zip, '', name).find(({ type }) => type === 'officeDocument');
  return main !== undefined && zip.has(main.path) ? main.path : fallback;
}

export interface CoreFacts {
  readonly title?: string;
  readonly language?: string;
  readonly metadata: Metadata;
}

const factNames: Readonly<Record<string, string>> = {
  creator: 'author',
  subject: 'subject',
  keywords: 'keywords',
  created: 'created',
  modified: 'modified',
};

/** Dublin Core fields (ECMA-376 part 2 §11, OpenDocument §4.3): title, language, author, dates. A damaged part says nothing. */
export function coreFacts(zip: ZipFile, part: string): CoreFacts {
  const source = zip.text(part, 1_000_000);
  let root: XmlElement;
  try {
    root = parseXmlTree(source ?? '', part);
  } catch {
    return { metadata: {} };
  }
  return factsOf(elementsOf(root));
}

/** The same from the elements themselves. */
export function factsOf(fields: readonly XmlElement[]): CoreFacts {
  const metadata: Metadata = {};
  let title: string | undefined;
  let language: string | undefined;
  for (const field of fields) {
    const value = canonicalText(contentOf(field)).replace(/\s+/gu, ' ').trim();
    if (value === '') continue;
    const fact = factNames[field.name];
    if (field.name === 'title') title ??= value;
    else if (field.name === 'language') language ??= languageCode(value);
    else if (fact === 'created' || fact === 'modified') {
      const date = publishedDate(value);
      if (date !== undefined) metadata[fact] ??= date;
    } else if (fact !== undefined) metadata[fact] ??= value;
  }
  return {
    metadata,
    ...(title === undefined ? {} : { title }),
    ...(language === undefined ? {} : { language }),
  };
}

const maxEmbedded = 50;
const maxEmbeddedBytes = 64 * 1024 * 1024;

/** Office files that were put into a part as objects; what charts keep for themselves is not among them. */
export function embeddedFiles(zip: ZipFile, relationships: readonly Relationship[]): AttachedFile[] {
  const files = new Map<string, AttachedFile>();
  let bytesHeld = 0;
  for (const { type, path } of relationships) {
    if (type !== 'package' || files.has(path) || files.size >= maxEmbedded) continue;
    const bytes = zip.bytes(path);
    bytesHeld += bytes?.length ?? 0;
    if (bytes === undefined || bytesHeld > maxEmbeddedBytes) continue;
    // A copy, so that a stored file does not keep the archive it is a part of.
    files.set(path, { name: path.slice(path.lastIndexOf('/') + 1), bytes: Uint8Array.from(bytes) });
  }
  return [...files.values()];
}

const indexes = new WeakMap<readonly Relationship[], ReadonlyMap<string, string>>();

/** The path of the relationship that an element names by `r:id` (or by another attribute). */
export function relatedPath(
  element: XmlElement,
  relationships: readonly Relationship[],
  attribute = 'r:id',
): string | undefined {
  let index = indexes.get(relationships);
  if (index === undefined) {
    index = new Map(relationships.map(({ id, path }) => [id, path]));
    indexes.set(relationships, index);
  }
  const id = element.attributes[attribute] ?? attributeOf(element, attribute.slice(attribute.indexOf(':') + 1));
  return id === undefined ? undefined : index.get(id);
}
