// What one part found may state what another asks: the table with the release of a version has the platforms of all of them. Invariant: only what a passage states by
// its form is taken, so that no sentence answers a part for which it was not looked for.
import type { SpanReader } from '../../answer/claims/draft.ts';
import type { Evidence } from '../../core/search.ts';
import type { SubQuery } from '../plan/plan.ts';
import type { Outcome } from '../plan/run-plan.ts';
import { type AskedPart, answeredBy } from './ask-part.ts';
import { statedClaims } from './stated.ts';
import { lackOfTime } from './told-time.ts';

/** Each outcome as it was, or with what another part's passages state. Throws what the reader throws. */
export async function withSharedFinds(
  outcomes: readonly Outcome<AskedPart>[],
  subQueries: readonly SubQuery[],
  reading: { readonly readSpan: SpanReader; readonly signal: AbortSignal },
): Promise<readonly Outcome<AskedPart>[]> {
  const evidence = new Map<string, Evidence>();
  for (const one of outcomes)
    if (one.ok) for (const found of one.result.findings.evidence()) evidence.set(found.chunkId, found);
  const all = [...evidence.values()];
  return Promise.all(
    outcomes.map(async (outcome, at): Promise<Outcome<AskedPart>> => {
      const subQuery = subQueries[at];
      if (!outcome.ok || !subQuery || outcome.result.isStated) return outcome;
      const claims = await statedClaims(subQuery, all, {
        ...reading,
        rowsOnly: true,
        fits: (said) => !lackOfTime(subQuery.query, { text: said, columns: '', over: '', before: '' }),
      });
      if (claims.length === 0) return outcome;
      const { closest: _, beside: __, ...result } = outcome.result;
      return { ok: true, result: { ...result, claims, composition: answeredBy(result.composition), isStated: true } };
    }),
  );
}
