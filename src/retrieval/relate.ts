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

/** What names a piece in another text: its file, which its whole address ends in, or the address where the file says too little. */
function placeOf({ uri }: Evidence): string | undefined {
  const file = uri.slice(uri.lastIndexOf('/') + 1);
  return [file, uri].find((place) => place.length >= shortestPlace && /[./]/u.test(place));
}

/** The same evidence, each with what it is related to, closest first. */
export function relate(evidence: readonly Evidence[]): Evidence[] {
  const size = evidence.length;
  const named = evidence.map(read);
  /** How much two pieces share: places of both, the smaller first. */
  const strengths = new Float64Array(size * size);
  const add = (one: number, other: number, strength: number): void => {
    const at = one < other ? one * size + other : other * size + one;
    strengths[at] = (strengths[at] ?? 0) + strength;
  };
  const holders = new Map<string, number[]>();
  for (const [at, { identifiers, names }] of named.entries())
    for (const one of new Set([...identifiers, ...names])) {
      const present = holders.get(one);
      if (present) present.push(at);
      else holders.set(one, [at]);
    }
  // What nearly all name tells nobody apart.
  const most = Math.max(2, size / 2);
  for (const [one, at] of holders) {
    if (at.length < 2 || at.length > most) continue;
    for (const [place, left] of at.entries())
      for (const right of at.slice(place + 1)) {
        const [mine, theirs] = [named[left] as Named, named[right] as Named];
        // One identifier is a definition and its use; a name alone may be anybody's.
        if (mine.identifiers.has(one) && theirs.identifiers.has(one)) add(left, right, leastShared);
        if (mine.names.has(one) && theirs.names.has(one)) add(left, right, 1);
      }
  }
  const places = evidence.map(placeOf);
  for (const [left, mine] of evidence.entries())
    for (let right = left + 1; right < size; right += 1) {
      const theirs = evidence[right] as Evidence;
      if (mine.documentId === theirs.documentId) continue;
      const [own, other] = [places[left], places[right]];
      if ((other && mine.text.includes(other)) || (own && theirs.text.includes(own))) add(left, right, leastShared);
    }
  return evidence.map((item, at) => {
    const others = evidence.flatMap((other, place) => {
      if (place === at || other.documentId === item.documentId) return [];
      const strength = strengths[Math.min(at, place) * size + Math.max(at, place)] ?? 0;
      return strength >= leastShared ? [{ chunkId: other.chunkId, strength }] : [];
    });
    others.sort((left, right) => right.strength - left.strength);
    return { ...item, related: others.slice(0, mostRelated).map(({ chunkId }) => chunkId) };
  });
}
