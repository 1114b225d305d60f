// Facts that Footnote itself writes into the metadata of documents and later goes by: which file a document came out of. Invariant: nobody else can write them. A document that named a container of its own accord would be deleted
// with that; so whatever a client, a line or a file says under these names is left out, and told.
import type { Metadata } from '../../core/document.ts';

const ownNames: ReadonlySet<string> = new Set(['container']);

/** What a document says of itself without the names that are not its to give. */
export function withoutOwnFacts(metadata: Metadata): {
  readonly metadata: Metadata;
  readonly leftOut: readonly string[];
} {
  const leftOut = Object.keys(metadata).filter((name) => ownNames.has(name));
  if (leftOut.length === 0) return { metadata, leftOut };
  return { metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !ownNames.has(name))), leftOut };
}

/** How it is told; empty where nothing was left out. */
export function toldLeftOut(names: readonly string[]): readonly string[] {
  const [first] = names;
  if (first === undefined) return [];
  const given = [...new Set(names)].map((name) => `"${name}"`).join(' and ');
  const verb = names.length === 1 ? 'was' : 'were';
  return [
    `The metadata ${given} ${verb} left out: Footnote keeps ${names.length === 1 ? 'this name' : 'these names'} for facts of its own. Give it under another name, such as "${first}Name".`,
  ];
}
