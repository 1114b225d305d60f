// The elements of an XML file that are open while it is read, with the paths by which what is in them is cited.
import type { XmlShape } from '../containers/xml-shape.ts';

export interface OpenElement {
  readonly name: string;
  /** Names from the root: `/catalog/item`. */
  readonly path: string;
  /** The same with numbers where elements repeat: `/catalog/item[3]`. */
  readonly label: string;
  readonly counts: Map<string, number>;
  hasElements: boolean;
  parts: string[];
}

/** Keeps the open elements with their paths and numbers. */
export function elementStack(shape: XmlShape) {
  const open: OpenElement[] = [];
  return {
    open,
    push(name: string): OpenElement {
      const parent = open.at(-1);
      const path = `${parent?.path ?? ''}/${name}`;
      const beside = (parent?.counts.get(name) ?? 0) + 1;
      parent?.counts.set(name, beside);
      if (parent !== undefined) parent.hasElements = true;
      const label = `${parent?.label ?? ''}/${name}${shape.repeats(path) ? `[${beside}]` : ''}`;
      const element = { name, path, label, counts: new Map<string, number>(), hasElements: false, parts: [] };
      open.push(element);
      return element;
    },
  };
}
