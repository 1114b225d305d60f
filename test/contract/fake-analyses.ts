// Analyses of the small facade in memory: the answer to a question about the subject, in one section.
import type { Answer, AskRequest } from '../../src/core/answer.ts';
import type { AnalysisRequest } from '../../src/core/answers/analysis-request.ts';
import type { CallOptions } from '../../src/footnote/facade.ts';

export async function fakeAnalyse(
  { subject, sources }: AnalysisRequest,
  options: CallOptions | undefined,
  ask: (request: AskRequest, options?: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  const answer = await ask({ question: subject, ...(sources && { sources }) }, options);
  const claims = answer.claims.map((_, at) => at + 1);
  return {
    ...answer,
    sections: [{ name: 'profile', title: subject, claims, ...(claims.length === 0 && { missing: 'none' }) }],
  };
}
