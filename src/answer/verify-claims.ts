// Reads claims with their quotes as JSONL and yields a verdict for each, in order, without holding the file. A line that is
// not `{id, claim, quote}` stops the run with an error that names the line: a skipped line would read as a passed one.
import { z } from 'zod';
import { FootnoteError } from '../core/errors.ts';
import { standingText } from '../text/struck-text.ts';
import { supportOf } from './support.ts';

const lineSchema = z.object({
  id: z.union([z.string(), z.number()]),
  claim: z.string(),
  quote: z.string(),
  context: z.string().optional(),
  /** Names of the columns, in order, where the quote is a row whose cells are parted by bars. */
  columns: z.array(z.string()).optional(),
});

export interface VerifiedClaimLine {
  readonly id: string | number;
  readonly support: number;
  readonly verdict: 'supported' | 'unsupported';
  readonly reasons: readonly string[];
}

/** One verdict per non-empty line. Throws `invalid-request` with `details.line` (from 1) at the first bad line. */
export async function* verifyClaims(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<VerifiedClaimLine> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const parsed = lineSchema.safeParse(parseLine(line, number));
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new FootnoteError(
        'invalid-request',
        `Line ${number}: ${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'not valid'}. Each line must be {"id": …, "claim": "…", "quote": "…"}.`,
        { details: { line: number } },
      );
    }
    const { id, claim, quote, context, columns } = parsed.data;
    const { support, verdict, reasons } = supportOf(claim, standingText(quote), {
      ...(context !== undefined && { context }),
      ...(columns && { columns: { names: columns, isMarkdown: false } }),
    });
    yield { id, support, verdict, reasons };
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line.replace(/^\uFEFF/u, ''));
  } catch (cause) {
    throw new FootnoteError(
      'invalid-request',
      `Line ${number} is not JSON. Each line must be {"id": …, "claim": "…", "quote": "…"}.`,
      { details: { line: number }, cause },
    );
  }
}
