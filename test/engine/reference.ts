// BM25 the plain way: every living entry is scored from its own terms, nothing is indexed. What the engine is held against.
import type { Entry } from '../../src/engine/build-segment.ts';
import type { Phrase } from '../../src/engine/phrases.ts';
import type { LexicalQuery } from '../../src/engine/query.ts';
import { compareCodePoints } from '../../src/engine/strings.ts';

export interface ReferenceHit {
  readonly key: string;
  readonly group: string;
  readonly score: number;
  readonly bm25: number;
}

const countOf = (entry: Entry, term: string): number =>
  Math.min(255, [...entry.fields.flat(), ...entry.extra].filter((one) => one === term).length);

const holdsPhrase = (entry: Entry, phrase: Phrase): boolean =>
  phrase.some((words) =>
    words.length === 1
      ? countOf(entry, words[0] ?? '') > 0
      : entry.fields.some((field) => field.some((_, at) => words.every((word, index) => field[at + index] === word))),
  );

export function referenceSearch(
  entries: readonly Entry[],
  query: Omit<LexicalQuery, 'selection'> & { readonly rows?: ReadonlySet<number> },
  { k1, b }: { k1: number; b: number } = { k1: 1.2, b: 0.75 },
): ReferenceHit[] {
  const lengthOf = (entry: Entry): number => Math.min(65_535, entry.fields.flat().length + entry.extra.length);
  const average = entries.reduce((sum, entry) => sum + lengthOf(entry), 0) / entries.length || 1;
  const weights = new Map<string, number>();
  for (const { term, weight } of query.terms) weights.set(term, (weights.get(term) ?? 0) + weight);
  return entries
    .map((entry) => {
      let score = 0;
      for (const [term, weight] of weights) {
        const tf = countOf(entry, term);
        if (tf === 0) continue;
        const df = entries.filter((other) => countOf(other, term) > 0).length;
        const idf = Math.log(1 + (entries.length - df + 0.5) / (df + 0.5));
        score += (weight * idf * (k1 + 1) * tf) / (tf + k1 * (1 - b + (b * lengthOf(entry)) / average));
      }
      return { entry, score };
    })
    .filter(({ entry, score }) => {
      if (score === 0 || (query.rows && !query.rows.has(entry.row))) return false;
      if (!(query.required ?? []).every((phrase) => holdsPhrase(entry, phrase))) return false;
      return !(query.excluded ?? []).some((phrase) => holdsPhrase(entry, phrase));
    })
    .map(({ entry, score }) => {
      let sum = 0;
      const seen = new Set<string>();
      for (const [one, other] of query.pairs ?? []) {
        if (one === other || seen.has(`${one} ${other}`)) continue;
        seen.add(`${one} ${other}`);
        const idfOf = (term: string): number => {
          const df = entries.filter((each) => countOf(each, term) > 0).length;
          return df === 0 ? 0 : Math.log(1 + (entries.length - df + 0.5) / (df + 0.5));
        };
        const sequence = entry.fields.flatMap((field, at): (string | undefined)[] =>
          at === 0 ? [...field] : [undefined, ...field],
        );
        let [adjacent, near] = [0, 0];
        for (const [at, first] of sequence.entries())
          for (const [to, second] of sequence.entries()) {
            if (first !== one || second !== other) continue;
            if (to === at + 1) adjacent++;
            if (Math.abs(to - at) <= 8) near += 840 / Math.abs(to - at);
          }
        const norm = k1 * (1 - b + (b * lengthOf(entry)) / average);
        const saturate = (count: number): number => ((k1 + 1) * count) / (count + norm);
        if (near === 0) continue;
        sum +=
          Math.min(idfOf(one), idfOf(other)) *
          ((adjacent === 0 ? 0 : 0.2 * saturate(adjacent)) + 0.1 * saturate(near / 840));
      }
      return { key: entry.key, group: entry.group, score: score + sum, bm25: score };
    })
    .sort((left, right) => right.score - left.score || compareCodePoints(left.key, right.key))
    .filter(({ key, score }) => {
      const { after } = query;
      if (!after) return true;
      return score < after.score || (score === after.score && compareCodePoints(key, after.key) > 0);
    })
    .slice(0, query.limit);
}
