// Joins the hits of a lexical and a vector leg into one ranking: weighted sums of scores between floor and best (Bruch, Gai &
// Ingber 2023) or weighted reciprocal ranks (Cormack, Clarke & Büttcher 2009). Pure and total. Invariant: equal scores are
// ordered by chunk id, and every hit carries what placed it: both legs' ranks, scores, weights and shares.

export interface LegHit {
  readonly chunkId: string;
  readonly score: number;
}

/** Best first; ranks are places in these lists. */
export interface Legs {
  readonly lexical: readonly LegHit[];
  readonly vector: readonly LegHit[];
}

export interface FusionOptions {
  /** `min-max` where the scores of both legs mean something, `rrf` where only their orders do. Default `min-max`. */
  readonly method?: 'min-max' | 'rrf';
  /** Share of the vector leg, 0..1. */
  readonly semanticWeight: number;
  /**
   * The score that counts as nothing. Default for the lexical leg: 0, which BM25 cannot fall below. Default for the vector leg: 0
   * (two texts that share nothing); `observed` is the least score of the leg, for models whose cosines are all high.
   */
  readonly floors?: { readonly lexical?: number | 'observed'; readonly vector?: number | 'observed' };
  /**
   * Exponent of the lexical leg's share of its best score, 1 or more. Above 1 its clear winners stand out and its long tail, where
   * BM25 tells little apart, is left to the vector leg. Default 1.
   */
  readonly lexicalSharpness?: number;
  /** Smoothing of reciprocal ranks. Default 60. */
  readonly rankConstant?: number;
  readonly guard?: FusionGuard;
}

/**
 * Keeps a vector leg that knows nothing from pushing good hits out: its weight shrinks with the number of its first hits that the
 * lexical leg also found near its top. Two legs that are any good agree on some hits; a leg of noise does not. Leave it out
 * where the words cannot match, as for a question in another language than the documents'.
 */
export interface FusionGuard {
  /** Best hits of the vector leg that are looked at. */
  readonly first: number;
  /** Best hits of the lexical leg that they are looked for in. */
  readonly among: number;
  /** Found this often, the vector leg has its whole weight. */
  readonly needed: number;
}

/** What a leg says of one hit. */
export interface LegStanding {
  /** Its rank if this leg were asked alone, from 1. */
  readonly rank: number;
  readonly score: number;
  /** 0..1 between the leg's floor and its best hit, sharpened; for `rrf`, the reciprocal rank. */
  readonly normalised: number;
  readonly weight: number;
  /** weight * normalised: the legs' contributions sum to the fused score. */
  readonly contribution: number;
}

export interface FusedHit {
  readonly chunkId: string;
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  readonly lexical?: LegStanding;
  readonly vector?: LegStanding;
}

export const defaultRankConstant = 60;

/** Costs the corpus-trained leg nothing and takes most of its harm from a leg of noise (docs/retrieval.md). */
export const defaultGuard: FusionGuard = { first: 10, among: 15, needed: 3 };

/**
 * How corpus-trained vectors of this many chunks (of the query moved to its best hits) are fused with BM25: weight 0.3, less where
 * there was little to learn from. Chosen on tuning halves (docs/retrieval.md).
 */
export function corpusFusion(chunks: number): FusionOptions {
  return { semanticWeight: 0.3 * Math.min(1, chunks / 500), lexicalSharpness: 5, guard: defaultGuard };
}

/**
 * How vectors of a fixed model are fused with BM25: half each, and the least cosine of the leg counts as nothing, because such
 * models give every two texts a cosine well above 0.
 */
export const fixedFusion: FusionOptions = { semanticWeight: 0.5, floors: { vector: 'observed' }, guard: defaultGuard };

/**
 * How corpus-trained vectors with a sentence encoder beside them are fused with BM25: half each, from the least cosine of the leg on, and no guard, for
 * what shares no word with the query is what the encoder is for. Chosen on tuning halves (docs/retrieval.md).
 */
export const encodedFusion: FusionOptions = {
  semanticWeight: 0.5,
  lexicalSharpness: 2,
  floors: { vector: 'observed' },
};

/** How the operator wants legs joined; what is not given follows the kind of model. */
export interface FusionSettings {
  readonly method: 'min-max' | 'rrf';
  readonly semanticWeight: number | undefined;
  readonly rankConstant: number;
}

/** What the settings mean for a model; `learnedFrom` are the chunks that a corpus model was learned from, `encoded` where an encoder spoke beside it. */
export function fusionFor(
  model: { readonly kind: 'fixed' | 'corpus' | 'encoded'; readonly learnedFrom: number },
  { method, semanticWeight, rankConstant }: FusionSettings,
): FusionOptions {
  const measured = { corpus: corpusFusion(model.learnedFrom), encoded: encodedFusion, fixed: fixedFusion }[model.kind];
  const weighed = { ...measured, semanticWeight: semanticWeight ?? measured.semanticWeight };
  return method === 'rrf' ? { ...weighed, method, rankConstant } : weighed;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Scale {
  readonly weight: number;
  readonly normalise: (hit: LegHit, rank: number) => number;
}

function scaleOf(
  hits: readonly LegHit[],
  weight: number,
  { floor, sharpness }: { floor: number | 'observed'; sharpness: number },
): Scale {
  let best = Number.NEGATIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  for (const { score } of hits) {
    if (score > best) best = score;
    if (score < least) least = score;
  }
  const low = floor === 'observed' ? least : floor;
  // All alike: nothing to tell them apart, and none is below the best.
  if (best <= low) return { weight, normalise: () => (floor === 'observed' ? 1 : 0) };
  return { weight, normalise: ({ score }) => Math.max(0, (score - low) / (best - low)) ** sharpness };
}

const compareIds = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Higher score first, equal scores by chunk id. */
function compareHits(left: LegHit, right: LegHit): number {
  return right.score - left.score || compareIds(left.chunkId, right.chunkId);
}

export interface Fusion {
  /** Every hit of either leg, best first. A hit that a leg did not return gets nothing from it. */
  readonly hits: readonly FusedHit[];
  /** What the vector leg counted, after the guard. */
  readonly semanticWeight: number;
  /** Hits of the vector leg that the guard found in the lexical one; absent where there was no guard, or too little to judge by. */
  readonly agreed?: number;
}

export function fuse(legs: Legs, options: FusionOptions): Fusion {
  const { method = 'min-max', floors = {}, lexicalSharpness = 1, rankConstant = defaultRankConstant, guard } = options;
  const agreed = guard && agreedIn(legs, guard);
  const trust = guard && agreed !== undefined ? Math.min(1, agreed / guard.needed) : 1;
  const semantic = Math.min(1, Math.max(0, options.semanticWeight)) * trust;
  const scales: { lexical: Scale; vector: Scale } =
    method === 'rrf'
      ? {
          lexical: { weight: 1 - semantic, normalise: (_hit, rank) => 1 / (rankConstant + rank) },
          vector: { weight: semantic, normalise: (_hit, rank) => 1 / (rankConstant + rank) },
        }
      : {
          lexical: scaleOf(legs.lexical, 1 - semantic, { floor: floors.lexical ?? 0, sharpness: lexicalSharpness }),
          vector: scaleOf(legs.vector, semantic, { floor: floors.vector ?? 0, sharpness: 1 }),
        };
  const found = new Map<string, Writable<FusedHit>>();
  for (const leg of ['lexical', 'vector'] as const) {
    const { weight, normalise } = scales[leg];
    for (const [place, hit] of legs[leg].entries()) {
      const { chunkId, score } = hit;
      const present = found.get(chunkId);
      if (present?.[leg]) continue;
      const normalised = normalise(hit, place + 1);
      const contribution = weight * normalised;
      const standing: LegStanding = { rank: place + 1, score, normalised, weight, contribution };
      if (!present) found.set(chunkId, { chunkId, score: contribution, rank: 0, [leg]: standing });
      else {
        present[leg] = standing;
        present.score += contribution;
      }
    }
  }
  const hits = [...found.values()].sort(compareHits);
  for (const [place, hit] of hits.entries()) hit.rank = place + 1;
  return { hits, semanticWeight: semantic, ...(agreed !== undefined && { agreed }) };
}

/** How many first hits of the vector leg the lexical leg found near its top; undefined where there are too few to judge by. */
function agreedIn({ lexical, vector }: Legs, { first, among, needed }: FusionGuard): number | undefined {
  if (lexical.length < first || vector.length < first || needed <= 0) return undefined;
  const found = new Set(lexical.slice(0, among).map(({ chunkId }) => chunkId));
  return vector.slice(0, first).filter(({ chunkId }) => found.has(chunkId)).length;
}

/** A list of hits whose scores mean something in it alone. */
export interface NamedList {
  readonly name: string;
  /** Best first. */
  readonly hits: readonly LegHit[];
}

/** What a list says of one hit. */
export interface ListStanding extends LegStanding {
  readonly name: string;
}

export interface ListedHit {
  readonly chunkId: string;
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  /** In the order of the lists; their contributions sum to the score. */
  readonly lists: readonly ListStanding[];
}

/**
 * Joins any number of lists by reciprocal ranks alone, each counting the same: foreign scores are not compared. A list of a store that lacks what
 * a hit is of says nothing of it, neither for nor against: the others speak for that list, too.
 */
export function fuseRanks(
  lists: readonly NamedList[],
  lacks: (chunkId: string, list: string) => boolean = () => false,
): readonly ListedHit[] {
  const found = new Map<string, { chunkId: string; score: number; rank: number; lists: ListStanding[] }>();
  for (const { name, hits } of lists)
    for (const [place, { chunkId, score }] of hits.entries()) {
      const present = found.get(chunkId) ?? { chunkId, score: 0, rank: 0, lists: [] };
      if (present.lists.some((standing) => standing.name === name)) continue;
      const silent = lists.filter((list) => list.name !== name && lacks(chunkId, list.name)).length;
      const weight = lists.length / (lists.length - silent);
      const normalised = 1 / (defaultRankConstant + place + 1);
      const contribution = weight * normalised;
      present.lists.push({ name, rank: place + 1, score, normalised, weight, contribution });
      present.score += contribution;
      found.set(chunkId, present);
    }
  const joined = [...found.values()].sort(compareHits);
  for (const [place, hit] of joined.entries()) hit.rank = place + 1;
  return joined;
}
