// Finds the words of a question in pieces of text. Every word of the vocabulary is compared with the question once, so that
// matching a piece is a lookup per word: a context of twenty chunks takes milliseconds.
import { hasSynonyms } from './synonyms.ts';
import { isMisspelling, likeness, type Term } from './terms.ts';

export interface Matched {
  /** For each wanted term how well the piece's best word matches it, 0..1. */
  readonly matches: readonly number[];
  /** For each wanted term the index of that word among the piece's words, or -1. */
  readonly places: readonly number[];
}

export type Matcher = (terms: readonly string[]) => Matched;

/** Languages that write compounds in one word: "Hafen" stands in "Hafenmauer" and in "Binnenhafen". */
const compoundingLanguages = new Set(['de', 'nl', 'sv', 'da', 'nb', 'nn', 'no', 'fi', 'hu']);
const compoundLikeness = 0.7;
const shortestPart = 5;

function isCompoundOf(a: string, b: string): boolean {
  const [part, whole] = a.length <= b.length ? [a, b] : [b, a];
  return part.length >= shortestPart && (whole.startsWith(part) || whole.endsWith(part));
}

/**
 * A matcher for the wanted terms in texts over this vocabulary. A wanted term that the vocabulary lacks but spells a
 * little otherwise ("Ghandi", "Gandhi") is looked for as the vocabulary spells it.
 */
export function createMatcher(wanted: readonly string[], vocabulary: ReadonlySet<string>, language?: string): Matcher {
  const compounding = language !== undefined && compoundingLanguages.has(language);
  const related = new Map<string, (readonly [index: number, like: number])[]>();
  for (const [index, want] of wanted.entries()) {
    let found = false;
    // Only synonyms and compounds begin with another letter.
    const beginsAlike = !compounding && !hasSynonyms(want);
    for (const term of vocabulary) {
      if (beginsAlike && term.charCodeAt(0) !== want.charCodeAt(0)) continue;
      const like = likeness(want, term) || (compounding && isCompoundOf(want, term) ? compoundLikeness : 0);
      if (like === 0) continue;
      found = true;
      relate(term, index, like);
    }
    if (found || want.length < 5 || !/^\p{L}+$/u.test(want)) continue;
    for (const term of vocabulary) {
      if (!isMisspelling(want, term)) continue;
      relate(term, index, 1);
      break;
    }
  }
  function relate(term: string, index: number, like: number): void {
    const known = related.get(term);
    if (known) known.push([index, like]);
    else related.set(term, [[index, like]]);
  }

  return (terms) => {
    const matches = wanted.map(() => 0);
    const places = wanted.map(() => -1);
    for (const [place, term] of terms.entries()) {
      for (const [index, like] of related.get(term) ?? []) {
        if (like <= (matches[index] ?? 0)) continue;
        matches[index] = like;
        places[index] = place;
      }
    }
    return { matches, places };
  };
}

/** A word and those that it is written of ("TechMart", "Tech", "Mart") are one name: a text that writes it together ("TECHMART") holds all of it. */
export function withPartsOfNames(match: Matcher, wanted: readonly Term[]): Matcher {
  const wholes = wanted.flatMap(({ start, end }, whole) => {
    const parts = wanted.flatMap((other, index) =>
      other.start >= start && other.end <= end && other.end - other.start < end - start ? [index] : [],
    );
    return parts.length > 0 ? [{ whole, parts }] : [];
  });
  if (wholes.length === 0) return match;
  return (terms) => {
    const found = match(terms);
    const [matches, places] = [[...found.matches], [...found.places]];
    for (const { whole, parts } of wholes)
      for (const part of parts) {
        const like = found.matches[whole] ?? 0;
        if (like <= (matches[part] ?? 0)) continue;
        matches[part] = like;
        places[part] = found.places[whole] ?? -1;
      }
    return { matches, places };
  };
}
