// Outlook messages of given properties, as msgreader's own writer lays a compound file out.
import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js';

const [folder, file, root] = [1, 2, 5];
export type Tree = { readonly [name: string]: Uint8Array | Tree };

/** A message of these streams and storages. */
export function messageOf(tree: Tree): Uint8Array {
  const entries: (Entry & { children?: number[] })[] = [];
  const add = (name: string, content: Uint8Array | Tree, type: number): number => {
    const index = entries.length;
    if (content instanceof Uint8Array) {
      entries.push({ name, type: file, length: content.length, binaryProvider: () => Uint8Array.from(content) });
      return index;
    }
    const children: number[] = [];
    entries.push({ name, type, length: 0, children });
    for (const [inner, value] of Object.entries(content)) children.push(add(inner, value, folder));
    return index;
  };
  add('Root Entry', tree, root);
  return burn(entries);
}
export const text = (value: string): Uint8Array => Buffer.from(value, 'utf16le');
export const properties = (headerBytes: number): Uint8Array => new Uint8Array(headerBytes);
