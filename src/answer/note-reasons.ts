// What is wrong with what an answer says of its sources: positions of a conflict are statements like any other, which what they cite must carry, and
// each source that is said to agree with a claim must carry it alone and be another than those that the claim cites.
import type { Answer } from '../core/answer.ts';
import type { VerifiedSpan } from './claims/draft.ts';
import { statementOf } from './claims/statement.ts';

/** Whether the spans together carry a statement. */
export type Carries = (statement: string, spans: readonly VerifiedSpan[]) => Promise<boolean>;

export async function noteReasons(
  answer: Answer,
  spans: ReadonlyMap<number, VerifiedSpan>,
  carries: Carries,
): Promise<string[]> {
  const reasons: string[] = [];
  for (const { statement, citations } of answer.conflicts.flatMap((conflict) => conflict.positions)) {
    const cited = citations.flatMap((index) => spans.get(index) ?? []);
    if (cited.length === 0 || !(await carries(statement, cited)))
      reasons.push(`conflict-unsupported: ${statement.slice(0, 60)}`);
  }
  const sourcesOf = new Map<number, ReadonlySet<string | undefined>>();
  for (const { claim: place, citations } of answer.agreements ?? []) {
    const claim = answer.claims[place - 1];
    const sources = sourcesOf.get(place) ?? new Set(claim?.citations.map((index) => spans.get(index)?.source));
    sourcesOf.set(place, sources);
    for (const index of citations) {
      const span = spans.get(index);
      const isSound = claim && span && !sources.has(span.source) && (await carries(statementOf(claim).text, [span]));
      if (!isSound) reasons.push(`agreement-unsupported: [${index}]`);
    }
  }
  return reasons;
}
