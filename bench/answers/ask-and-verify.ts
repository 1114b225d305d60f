// Asks the questions of a set, and holds every answer against the record again: benches of models count what does not hold.
import type { Mode } from '../../src/core/search.ts';
import { type AnswerReport, evaluateAnswers } from '../../src/evals/answers.ts';
import type { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import type { ModelSet } from './answers-by-model-sets.ts';

export interface VerifiedReport extends AnswerReport {
  /** Citations and claims that did not hold when they were checked again. */
  readonly unverified: number;
}

export async function askAndVerify(
  set: ModelSet,
  system: Awaited<ReturnType<typeof openEvaluatedSystem>>,
  mode: Mode,
): Promise<VerifiedReport> {
  let unverified = 0;
  const report = await evaluateAnswers({
    cases: set.cases,
    system,
    mode,
    documents: (async function* () {
      yield* set.documents;
    })(),
    verify: async (answer) => {
      const check = await system.footnote.answers.verify(system.toRecorded(answer));
      unverified += [...check.citations, ...check.claims].filter(({ ok }) => !ok).length;
      return check.citations;
    },
  });
  return { ...report, unverified };
}
