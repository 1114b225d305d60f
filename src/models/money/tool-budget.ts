// What tools may take of one request: calls, and bytes of what they hand back. Invariants: a call that is not left is not made, and what
// does not fit is left out from its end, so that the best of it stays.
import type { RequestLimits, ToolBudget } from '../../core/budget.ts';
import { FootnoteError } from '../../core/errors.ts';

const setting = 'BUDGET_REQUEST';

export function createToolBudget({ tools, bytes }: Pick<RequestLimits, 'tools' | 'bytes'>): ToolBudget {
  let calls = 0;
  let taken = 0;
  const refusal = (kind: string, limit: number, what: string): FootnoteError =>
    new FootnoteError('quota-exceeded', `${what} Raise ${setting}, or ask for less.`, {
      details: { budget: 'this request', kind, limit, setting },
    });
  return {
    takeToolCall() {
      if (tools !== undefined && calls >= tools)
        throw refusal(
          'tools',
          tools,
          `This request may call tools ${tools === 1 ? 'once' : `${tools} times`}, and has.`,
        );
      calls += 1;
    },
    takeBytes(sizes) {
      if (bytes === undefined) return sizes.length;
      let count = 0;
      for (const size of sizes) {
        if (taken + size > bytes) break;
        taken += size;
        count += 1;
      }
      return count;
    },
    bytesSpent: () => refusal('bytes', bytes ?? 0, `Tools may hand ${bytes ?? 0} bytes of text to this request.`),
  };
}
