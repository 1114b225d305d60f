// What one part found may state what another asks: the table with the release of a version has the platforms of all of them. Invariant: only what a passage states by
// its form is taken, and of claims that answered another part, those that hold every word of this one and have the form of its answer.
import type { SpanReader, VerifiedClaim } from '../../answer/claims/draft.ts';
import { termSet } from '../../answer/question/terms.ts';
import type { Evidence } from '../../core/search.ts';
import type { SubQuery } from '../plan/plan.ts';
import type { Outcome } from '../plan/run-plan.ts';
import { type AskedPart, answeredBy } from './ask-part.ts';
import { lackOf } from './fitting.ts';
import { statedClaims } from './stated.ts';
import { toldBy } from './told.ts';
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
      const claims = [
        ...(await statedClaims(subQuery, all, {
          ...reading,
          rowsOnly: true,
          fits: (said) => !lackOfTime(subQuery.query, { text: said, columns: '', over: '', before: '' }),
        })),
      ];
      const isOpen = outcome.result.claims.length === 0 || outcome.result.closest !== undefined;
      if (claims.length === 0 && isOpen) claims.push(...heldElsewhere(subQuery.query, outcomes, all));
      if (claims.length === 0) return outcome;
      const { closest: _, beside: __, ...result } = outcome.result;
      return { ok: true, result: { ...result, claims, composition: answeredBy(result.composition), isStated: true } };
    }),
  );
}

/** A claim that answered another part and says all that this one asks: "founded in 1987 by two brothers", behind "when" also for "by whom". */
function heldElsewhere(
  query: string,
  outcomes: readonly Outcome<AskedPart>[],
  evidence: readonly Evidence[],
): readonly VerifiedClaim[] {
  const wanted = termSet(query);
  if (wanted.size === 0 || !asksWord.test(query)) return [];
  const sure = outcomes.flatMap((one) =>
    one.ok && one.result.closest === undefined ? one.result.claims.slice(0, 1) : [],
  );
  const holds = (claim: VerifiedClaim): boolean => {
    const told = toldBy(claim, evidence);
    return wanted.isSubsetOf(termSet(`${claim.text}\n${told.columns}`)) && lackOf(query, told) === undefined;
  };
  return sure.filter(holds).slice(0, 1);
}
const asksWord =
  /^(?:(?:by|in|at|on|to|for|from|with) )?(?:who|whom|when|where|what|which|how many|how much|how long)\b/iu;
