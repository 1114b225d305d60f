// What the order of kinds of source rests on beside the search: who says it, how old it is, and how many of its kind stand before it. Each is a
// term of its own (rank.ts), so that every one can be seen, weighed and left out. Only where several kinds were searched. Pure but for what one
// search has seen.
import { type DocumentRecord, type SourceType, typeAuthority } from '../core/document.ts';
import type { RankTerm } from './rank.ts';

/** Shares of the best score that a term gives or takes at most. */
export interface SourceWeights {
  readonly authority: number;
  readonly freshness: number;
  readonly diversity: number;
}

export interface SourceTermsInput {
  /** What the question needs most, if that is known. */
  readonly preferred: readonly SourceType[];
  /** As their sources declare it; undefined where they do not. */
  readonly declared: ReadonlyMap<string, number>;
  readonly now: string;
}

/** Concepts are a textbook's to explain, implementations the code's. */
const concepts: Partial<Record<SourceType, number>> = { textbook: 3, code: 2, docs: 1, guide: 1 };
const implementations: Partial<Record<SourceType, number>> = { code: 3, docs: 2, textbook: 1 };
const mostAuthority = 3;

/** Days after which half of the freshness is gone; what is not here stays true. */
const halfLifeDays: Partial<Record<SourceType, number>> = { code: 365, web: 180, docs: 730, guide: 730, qa: 730 };
/** What has no date is neither new nor old. */
const undated = 0.5;
const dayMs = 86_400_000;
/** From so many of a kind on there are no fewer. */
const mostOfKind = 10;

/** How far a source is believed for the kind of question, 0..1. */
export function authorityOf(
  { source, sourceType }: Pick<DocumentRecord, 'source' | 'sourceType'>,
  { preferred, declared }: Pick<SourceTermsInput, 'preferred' | 'declared'>,
): number {
  const own = declared.get(source);
  if (own !== undefined) return Math.min(1, Math.max(0, own / mostAuthority));
  const byQuestion = preferred[0] === 'textbook' ? concepts : preferred[0] === 'code' ? implementations : {};
  return (byQuestion[sourceType] ?? typeAuthority[sourceType]) / mostAuthority;
}

function freshnessOf({ sourceType, publishedAt }: DocumentRecord, now: number): number {
  const halfLife = halfLifeDays[sourceType];
  const at = publishedAt === undefined ? Number.NaN : Date.parse(publishedAt);
  if (halfLife === undefined || !Number.isFinite(at)) return undated;
  return 2 ** (-Math.max(0, now - at) / dayMs / halfLife);
}

/** For one search: diversity counts what it has seen. */
export function createSourceTerms(weights: SourceWeights, input: SourceTermsInput): readonly RankTerm[] {
  const now = Date.parse(input.now);
  const seen = new Map<SourceType, number>();
  const terms: readonly (RankTerm & { readonly name: keyof SourceWeights })[] = [
    {
      name: 'authority',
      bounds: [0, weights.authority],
      weigh: (_hit, { document }, best) => weights.authority * best * authorityOf(document, input),
    },
    {
      name: 'freshness',
      bounds: [0, weights.freshness],
      weigh: (_hit, { document }, best) => weights.freshness * best * freshnessOf(document, now),
    },
    {
      name: 'diversity',
      bounds: [-weights.diversity, 0],
      weigh(_hit, { document: { sourceType } }, best) {
        const before = seen.get(sourceType) ?? 0;
        seen.set(sourceType, before + 1);
        const crowd = Math.min(before, mostOfKind) / mostOfKind;
        return crowd === 0 ? 0 : -weights.diversity * best * crowd;
      },
    },
  ];
  return terms.filter(({ name }) => weights[name] !== 0);
}
