// What the score of a result is made of, where it moved between two lists, and the part of its text that is shown. Pure.
import type { Evidence } from '../shared/contract.ts';
import type { Span } from '../shared/marks.ts';

export interface ScorePart {
  readonly name: string;
  readonly value: number;
}

type Scored = Pick<Evidence, 'score' | 'scores' | 'explanation'>;

/** Of the search, before what else the order rests on. */
function searchParts({ scores, explanation }: Scored): ScorePart[] {
  const { lists, fusion, terms = [], proximity = [] } = explanation ?? {};
  if (lists) return lists.map(({ name, contribution }) => ({ name, value: contribution }));
  if (fusion)
    return [
      { name: 'words', value: fusion.lexical?.contribution ?? 0 },
      { name: 'meaning', value: fusion.vector?.contribution ?? 0 },
    ];
  if (terms.length === 0) return [{ name: scores.bm25 === undefined ? 'meaning' : 'words', value: scores.fused }];
  const sum = (weights: readonly { readonly weight: number }[]): number =>
    weights.reduce((total, { weight }) => total + weight, 0);
  return [
    { name: 'words', value: sum(terms) },
    { name: 'nearness', value: sum(proximity) },
  ];
}

/** Together they are the score, unless a reranker put results in another order: then what the search gave. */
export function partsOf(scored: Scored): ScorePart[] {
  const { kind, ranking = [] } = scored.explanation ?? {};
  const scale = kind && kind.score > 0 ? scored.scores.fused / kind.score : 1;
  return [
    ...searchParts(scored).map(({ name, value }) => ({ name, value: value * scale })),
    ...ranking.map(({ name, weight }) => ({ name, value: weight })),
  ].filter(({ value }) => value !== 0);
}

export interface Movement {
  readonly chunkId: string;
  /** Places from 1; absent: the list does not have it. */
  readonly left?: number;
  readonly right?: number;
}

/** Every result of either list, in the order of the first and then of the second. */
export function movementsOf(left: readonly string[], right: readonly string[]): Movement[] {
  const place = (list: readonly string[]) => new Map(list.map((chunkId, at) => [chunkId, at + 1]));
  const [lefts, rights] = [place(left), place(right)];
  return [...new Set([...left, ...right])].map((chunkId) => {
    const [from, to] = [lefts.get(chunkId), rights.get(chunkId)];
    return { chunkId, ...(from !== undefined && { left: from }), ...(to !== undefined && { right: to }) };
  });
}

type Match = Span & { readonly term: string };

const snippetLength = 420;
const leadLength = 60;

/** The part in which most of the terms stand; whole where it is short. */
export function snippetOf(text: string, matches: readonly Match[]): Span {
  if (text.length <= snippetLength) return { start: 0, end: text.length };
  let best = { start: 0, terms: 0 };
  for (const [at, { start }] of matches.entries()) {
    const within = matches.slice(at).filter(({ end }) => end <= start + snippetLength - leadLength);
    const terms = new Set(within.map(({ term }) => term)).size;
    if (terms > best.terms) best = { start, terms };
  }
  const start = wordAt(text, Math.max(0, Math.min(best.start - leadLength, text.length - snippetLength)));
  return { start, end: wordAt(text, Math.min(text.length, start + snippetLength)) };
}

/** The next place between words; in writing without spaces, between characters. */
function wordAt(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  const near = text.slice(at, at + 30).search(/\s/);
  if (near >= 0) return at + near;
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at;
}
