// Which pieces of evidence belong together: one names the other's place, or both name the same things (identifiers, names) that few others do.
// What says the same is one piece already (hydrate.ts). Pure.
import type { Evidence } from '../core/search.ts';
import { findNames } from '../text/words/names.ts';

/** Longer pieces are read by their beginning. */
const longestText = 4_000;
const mostRelated = 5;
const leastShared = 2;
const identifier = /\b(?:[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Za-z]\w*_\w+)\b/gu;
const shortestPlace = 6;

interface Named {
  readonly identifiers: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

function read({ text }: Evidence): Named {
  const shown = text.slice(0, longestText);
  return {
    identifiers: new Set([...shown.matchAll(identifier)].map(([found]) => found)),
    names: new Set(
      findNames(shown)
        .map(({ start, end }) => shown.slice(start, end))
        .filter((name) => /\s/u.test(name)),
    ),
  };
}

/** Names the other's address, path or file. */
function pointsTo({ text }: Evidence, { uri }: Evidence): boolean {
  const file = uri.slice(uri.lastIndexOf('/') + 1);
  return [uri, file].some((place) => place.length >= shortestPlace && /[./]/u.test(place) && text.includes(place));
}

/** The same evidence, each with what it is related to, closest first. */
export function relate(evidence: readonly Evidence[]): Evidence[] {
  const named = evidence.map(read);
  const holders = new Map<string, number>();
  for (const { identifiers, names } of named)
    for (const one of [...identifiers, ...names]) holders.set(one, (holders.get(one) ?? 0) + 1);
  // What nearly all name tells nobody apart.
  const isRare = (one: string): boolean => (holders.get(one) ?? 0) <= Math.max(2, evidence.length / 2);
  const shared = (left: ReadonlySet<string>, right: ReadonlySet<string>): number =>
    [...left].filter((one) => right.has(one) && isRare(one)).length;
  return evidence.map((item, at) => {
    const own = named[at] as Named;
    const others = evidence.flatMap((other, place) => {
      if (place === at || other.documentId === item.documentId) return [];
      const theirs = named[place] as Named;
      const links = pointsTo(item, other) || pointsTo(other, item) ? leastShared : 0;
      // One identifier is a definition and its use; a name alone may be anybody's.
      const strength =
        links + leastShared * shared(own.identifiers, theirs.identifiers) + shared(own.names, theirs.names);
      return strength >= leastShared ? [{ chunkId: other.chunkId, strength }] : [];
    });
    others.sort((left, right) => right.strength - left.strength);
    return { ...item, related: others.slice(0, mostRelated).map(({ chunkId }) => chunkId) };
  });
}
