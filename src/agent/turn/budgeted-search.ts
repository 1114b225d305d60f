// A search on the budget of its request: one call of a tool, and as much text as the request may take. Invariant: running out is a normal
// end that says what was left out and why; what a limit refused never looks like "nothing found".
import type { RequestContext } from '../../core/context.ts';
import { type FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { Degradation } from '../../core/search.ts';
import { unsearchedComponent } from '../../retrieval/legs/failures-told.ts';
import type { Retrieval, RetrievalRequest, Retriever } from '../../retrieval/retrieve.ts';

export interface BudgetedRetrieval extends Retrieval {
  /** 0 where the budget allowed none. */
  readonly toolCalls: 0 | 1;
}

const component = 'budget';

/** What left nothing to answer from, where that was a limit, or stores that are all down. */
export const searchRefusal = (degraded: readonly Degradation[]): string | undefined =>
  degraded.find((one) => one.component === component || one.component === unsearchedComponent)?.detail;

/** Throws like the retriever. */
export async function budgetedSearch(
  retriever: Retriever,
  request: RetrievalRequest,
  { budget, sink, deadline }: Pick<RequestContext, 'budget' | 'sink' | 'deadline'>,
): Promise<BudgetedRetrieval> {
  const tell = ({ code, message }: FootnoteError, effect: string): Degradation => {
    const degradation = { component, code, detail: message, effect };
    sink({ type: 'degraded', degradation });
    return degradation;
  };
  try {
    budget.takeToolCall();
  } catch (thrown) {
    if (!isFootnoteError(thrown) || thrown.code !== 'quota-exceeded') throw thrown;
    const routing = {
      sources: [...(request.sources ?? [])],
      reason: 'the budget of the request: nothing was searched',
    };
    sink({ type: 'routing', ...routing });
    return { evidence: [], routing, degraded: [tell(thrown, 'Nothing was searched.')], toolCalls: 0 };
  }
  const found = await retriever.retrieve(request, { sink, signal: deadline.signal });
  const fitting = budget.takeBytes(found.evidence.map(({ text }) => Buffer.byteLength(text)));
  const missing = found.evidence.length - fitting;
  if (missing === 0) return { ...found, toolCalls: 1 };
  const effect = `The last ${missing} of ${found.evidence.length} passages were left out.`;
  const degraded = [...found.degraded, tell(budget.bytesSpent(), effect)];
  return { ...found, evidence: found.evidence.slice(0, fitting), degraded, toolCalls: 1 };
}
