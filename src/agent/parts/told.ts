// A claim with all that says of what it is: its columns, what stands over it and before it. Pure.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Evidence } from '../../core/search.ts';

/** A claim with what stands over it. */
export interface Told {
  readonly text: string;
  /** Names of its columns, "" where nobody can tell them. */
  readonly columns: string;
  /** Headings and title. */
  readonly over: string;
  /** What stands before it on the page. */
  readonly before: string;
}

/** `isWithout`: nothing of the kind asked for is in it; else it is of another thing or time, and only comes close. */
export interface Lack {
  readonly isWithout: boolean;
  /** What is to be said of what was found: "gives no figure". */
  readonly reason: string;
}

/** So much of what stands before a claim may say what it is of. */
const mostBefore = 500;

export function toldBy({ text, spans }: Pick<VerifiedClaim, 'text' | 'spans'>, evidence: readonly Evidence[]): Told {
  const from = evidence.filter(({ chunkId }) => spans.some((span) => span.chunkId === chunkId));
  const before = spans.slice(0, 1).flatMap(({ chunkId, start }) => {
    const passage = from.find((one) => one.chunkId === chunkId);
    return passage
      ? [passage.text.slice(Math.max(0, start - passage.start - mostBefore), Math.max(0, start - passage.start))]
      : [];
  });
  return {
    text,
    columns: spans.flatMap(({ columns }) => (columns === undefined ? [] : [JSON.stringify(columns)])).join('\n'),
    over: [
      ...spans.map(({ title }) => title),
      ...from.flatMap(({ headingPath }) => headingPath),
      ...headingsOver(before),
    ].join('\n'),
    before: before.join('\n'),
  };
}

/** The nearest heading or question in what stands before a claim: a passage of several sections names only the first of them. */
export function headingsOver(before: readonly string[]): readonly string[] {
  return before.flatMap((text) => {
    const lines = text.split('\n').map((line) => line.trim());
    return lines.findLast((line) => /^#{1,6} \S|^[^.!]{3,160}\?[*_]{0,4}$/u.test(line)) ?? [];
  });
}
