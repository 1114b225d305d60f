// What the styles of OpenDocument say of its text (ODF 1.3 part 3 §16): which are headings, which list a paragraph counts in, and what they strike
// out, each with what a style is based on.
import { attributeOf, childOf, descendantsOf, type XmlElement } from '../containers/xml-text.ts';
import { type OpenDocumentNumbering, readNumbering } from './opendocument-numbering.ts';

/** Styles by name: what a paragraph style is based on, which list it counts in ('' for none), and how lists count. */
export interface OpenDocumentStyles {
  readonly parents: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, string>;
  /** Styles that say whether they strike out. */
  readonly struck: ReadonlyMap<string, boolean>;
  readonly numbering: OpenDocumentNumbering;
}

export const noStyles: OpenDocumentStyles = {
  parents: new Map(),
  lists: new Map(),
  struck: new Map(),
  numbering: readNumbering(),
};

export function stylesOf(...roots: readonly (XmlElement | undefined)[]): OpenDocumentStyles {
  const parents = new Map<string, string>();
  const lists = new Map<string, string>();
  const struck = new Map<string, boolean>();
  for (const root of roots) {
    if (root === undefined) continue;
    for (const style of descendantsOf(root, 'style')) {
      const name = attributeOf(style, 'name');
      const parent = attributeOf(style, 'parent-style-name');
      if (name !== undefined && parent !== undefined && !parents.has(name)) parents.set(name, parent);
      const list = attributeOf(style, 'list-style-name');
      if (name !== undefined && list !== undefined && !lists.has(name)) lists.set(name, list);
      const line = lineThrough(childOf(style, 'text-properties') ?? childOf(style, 'properties'));
      if (name !== undefined && line !== undefined && !struck.has(name)) struck.set(name, line !== 'none');
    }
  }
  return { parents, lists, struck, numbering: readNumbering(...roots) };
}

/** ODF 1.3 part 3 §20.372; OpenOffice.org 1 had a name of its own for it. */
const lineThrough = (properties: XmlElement | undefined): string | undefined =>
  ['text-line-through-style', 'text-line-through-type', 'text-crossing-out']
    .map((name) => attributeOf(properties, name))
    .find((said) => said !== undefined);

/** By the style or what it is based on. */
export function isStruckBy(first: string | undefined, { parents, struck }: OpenDocumentStyles): boolean | undefined {
  let style = first;
  for (let steps = 0; style !== undefined && steps < 10; steps++) {
    const said = struck.get(style);
    if (said !== undefined) return said;
    style = parents.get(style);
  }
  return undefined;
}

/** The list in which the style of a paragraph puts it: '' for none, which takes a heading out of the numbering. */
export function listOfStyle(
  paragraph: XmlElement | undefined,
  { parents, lists }: OpenDocumentStyles,
): string | undefined {
  let style = attributeOf(paragraph, 'style-name');
  for (let steps = 0; style !== undefined && steps < 10; steps++) {
    const list = lists.get(style);
    if (list !== undefined) return list;
    style = parents.get(style);
  }
  return undefined;
}

export function headingLevel(element: XmlElement, styles: OpenDocumentStyles): number | undefined {
  if (element.name === 'h') {
    const level = Number(attributeOf(element, 'outline-level') ?? attributeOf(element, 'level') ?? 1);
    return Number.isInteger(level) && level >= 1 && level <= 10 ? level : 1;
  }
  let style = attributeOf(element, 'style-name');
  for (let steps = 0; style !== undefined && steps < 10; steps++) {
    if (style === 'Title') return 1;
    const heading = /^Heading(?:_20_|\s)(\d)$/u.exec(style)?.[1];
    if (heading !== undefined) return Number(heading);
    style = styles.parents.get(style);
  }
  return undefined;
}
