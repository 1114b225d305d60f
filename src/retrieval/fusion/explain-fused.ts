// Says why a hit of joined legs stands where it stands: what each leg or list found, counted and contributed, and what the guard did.
// Invariant: the contributions sum to the hit's fused score.
import type { Explanation } from '../../core/search.ts';
import type { StoreHit } from '../../stores/store.ts';
import { defaultRankConstant, type FusedHit, type Fusion, type FusionOptions, type ListedHit } from './fuse.ts';

export interface FusedContext {
  /** Of the whole search: feedback hits, what the query was widened by. */
  readonly notes: readonly string[];
  /** The guard was left out on purpose. */
  readonly unguarded: boolean;
}

/** What each leg itself said of the hit. */
export interface OwnHits {
  readonly lexical: StoreHit | undefined;
  readonly vector: StoreHit | undefined;
}

export function explainFused(
  { agreed, semanticWeight }: Fusion,
  options: FusionOptions,
  { notes, unguarded }: FusedContext,
): (hit: FusedHit, own: OwnHits) => Explanation {
  const shared = [...notes, ruleNote(options), guardNote({ agreed, semanticWeight }, options, unguarded)];
  return ({ lexical, vector }, own) => ({
    terms: own.lexical?.explanation?.terms ?? [],
    ...(own.lexical?.explanation?.proximity && { proximity: own.lexical.explanation.proximity }),
    fusion: {
      method: options.method ?? 'min-max',
      semanticWeight,
      ...(lexical && { lexical }),
      ...(vector && { vector }),
    },
    notes: [...(own.lexical?.explanation?.notes ?? []), ...(own.vector?.explanation?.notes ?? []), ...shared],
  });
}

/** How the legs' scores were made comparable. */
function ruleNote({
  method,
  lexicalSharpness = 1,
  rankConstant = defaultRankConstant,
  floors = {},
}: FusionOptions): string {
  if (method === 'rrf') return `normalised: 1 / (${rankConstant} + rank)`;
  const ratioOf = (floor: number | 'observed' | undefined): string =>
    floor === 'observed' ? '(score - least) / (best - least)' : 'score / best';
  const sharpened = lexicalSharpness === 1 ? '' : ` to the power of ${lexicalSharpness}`;
  return `normalised: words ${ratioOf(floors.lexical)}${sharpened}, meaning ${ratioOf(floors.vector)}`;
}

function guardNote(
  { agreed, semanticWeight }: { readonly agreed: number | undefined; readonly semanticWeight: number },
  { guard, semanticWeight: wanted }: FusionOptions,
  unguarded: boolean,
): string {
  if (unguarded) return 'guard off: the words of the question are of another language than the documents';
  if (!guard || agreed === undefined)
    return `guard: too few hits to judge by; meaning counts its whole weight ${semanticWeight.toFixed(3)}`;
  const seen = `guard: ${agreed} of the first ${guard.first} hits by meaning are among the first ${guard.among} by words`;
  return agreed >= guard.needed
    ? `${seen}; meaning counts its whole weight ${semanticWeight.toFixed(3)}`
    : `${seen}, of ${guard.needed} wanted; meaning counts ${semanticWeight.toFixed(3)} instead of ${wanted.toFixed(3)}`;
}

/** Of a hit of lists that were joined by their ranks; `own` is what each list itself said of it. */
export function explainLists({ lists }: ListedHit, own: readonly Explanation[]): Explanation {
  const [first] = own;
  return {
    terms: first?.terms ?? [],
    ...(first?.proximity && { proximity: first.proximity }),
    ...(first?.fusion && { fusion: first.fusion }),
    lists: lists.map((standing) => ({ ...standing })),
    notes: [
      ...own.flatMap(({ notes }) => notes),
      `lists joined: 1 / (${defaultRankConstant} + rank), each counting the same`,
    ],
  };
}
