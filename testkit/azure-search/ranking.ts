// How the stand-in of Azure AI Search ranks: BM25 over the words of searchable fields, exact cosines, both fused by reciprocal ranks, and a
// ranker that reads. Written from the documentation of the service; its own figures differ, its promises do not.
import { type IndexDefinition, RefusedRequest } from './index-definition.ts';

export type Row = Readonly<Record<string, unknown>>;
export interface Scored {
  readonly row: Row;
  readonly score: number;
}

const wordsOf = (text: unknown): readonly string[] =>
  typeof text === 'string' ? text.split(/\s+/u).filter((word) => word !== '') : [];

/** Words with their boosts; what means something to Lucene must stand behind a backslash. */
export function parseFullQuery(text: string): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const part of text.split(/\s+/u)) {
    if (part === '') continue;
    const match = /^((?:\\.|[^+\-&|!(){}[\]^"~*?:\\/])+)(?:\^(\d+(?:\.\d+)?))?$/u.exec(part);
    if (!match || /^(?:AND|OR|NOT)$/u.test(part))
      throw new RefusedRequest(400, `search: ${part.slice(0, 40)} is an operator`);
    const word = (match[1] ?? '').replace(/\\(.)/gu, '$1');
    words.set(word, (words.get(word) ?? 0) + Number(match[2] ?? 1));
  }
  if (words.size > 1024) throw new RefusedRequest(400, 'search: more than 1024 clauses');
  return words;
}

/** `rows` are all of the index, as its statistics are over all; those that pass are scored. */
export function byWords(
  rows: readonly Row[],
  words: ReadonlyMap<string, number>,
  { fields, passes }: { readonly fields: readonly string[]; readonly passes: (row: Row) => boolean },
): readonly Scored[] {
  const scores = new Map<Row, number>();
  for (const field of fields) {
    const held = rows.map((row) => ({ row, words: wordsOf(row[field]) })).filter((one) => one.words.length > 0);
    const average = held.reduce((sum, one) => sum + one.words.length, 0) / (held.length || 1);
    const counted = held.map((one) => {
      const counts = new Map<string, number>();
      for (const word of one.words) if (words.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
      return { ...one, counts };
    });
    for (const [word, boost] of words) {
      const having = counted.filter(({ counts }) => counts.has(word));
      const idf = Math.log(1 + (held.length - having.length + 0.5) / (having.length + 0.5));
      for (const { row, counts, words: all } of having) {
        if (!passes(row)) continue;
        const tf = counts.get(word) ?? 0;
        const weight = (boost * idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * all.length) / average));
        scores.set(row, (scores.get(row) ?? 0) + weight);
      }
    }
  }
  return [...scores].map(([row, score]) => ({ row, score }));
}

export interface VectorQuery {
  readonly kind: string;
  readonly vector?: readonly number[];
  readonly fields: string;
  readonly k: number;
}

export function byVector(
  rows: readonly Row[],
  query: VectorQuery,
  { definition, passes }: { readonly definition: IndexDefinition; readonly passes: (row: Row) => boolean },
): readonly Scored[] {
  const { kind, vector, fields: name, k } = query;
  const field = definition.fields.find((one) => one.name === name);
  if (kind !== 'vector' || !vector || field?.dimensions === undefined)
    throw new RefusedRequest(400, `vectorQueries: ${name} cannot be searched so`);
  if (vector.length !== field.dimensions)
    throw new RefusedRequest(400, `vectorQueries: not ${field.dimensions} numbers`);
  if (!Number.isInteger(k) || k < 1) throw new RefusedRequest(400, 'vectorQueries: k');
  const length = (of: readonly number[]): number => Math.sqrt(of.reduce((sum, one) => sum + one * one, 0));
  return rows
    .filter((row) => Array.isArray(row[name]) && passes(row))
    .map((row) => {
      const own = row[name] as readonly number[];
      const product = own.reduce((sum, one, at) => sum + one * (vector[at] ?? 0), 0);
      const distance = 1 - product / (length(own) * length(vector) || 1);
      return { row, score: 1 / (1 + distance) };
    })
    .sort((left, right) => right.score - left.score)
    .slice(0, k);
}

/** Reciprocal ranks, as the service joins several rankings. */
export function fused(rankings: readonly (readonly Scored[])[]): readonly Scored[] {
  const scores = new Map<Row, number>();
  for (const ranking of rankings)
    for (const [place, { row }] of [...ranking].sort((left, right) => right.score - left.score).entries())
      scores.set(row, (scores.get(row) ?? 0) + 1 / (60 + place + 1));
  return [...scores].map(([row, score]) => ({ row, score }));
}

/** 0 to 4: the share of the question's words that the text has. */
export function rerankerScore(row: Row, query: string): number {
  const asked = wordsOf(query.toLowerCase());
  const text = wordsOf(row['text']).join(' ').toLowerCase();
  return (4 * asked.filter((word) => text.includes(word)).length) / (asked.length || 1);
}
