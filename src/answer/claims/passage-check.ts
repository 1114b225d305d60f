// The check of a claim that is a passage, or a sentence of one that an older answer leads with: it is what its span says, character for character but for white
// space. Invariant: no piece of a sentence passes for the sentence, since what is left out may turn it.
import type { Claim } from '../../core/answer.ts';
import { toInert } from '../../core/answers/inert-text.ts';
import { withSingleBlanks } from '../../text/one-line.ts';
import { segmentPieces } from '../../text/sentences.ts';
import type { DraftClaim, VerifiedClaim, VerifiedSpan } from './draft.ts';

export interface PassageVerdict {
  readonly kept?: VerifiedClaim;
  readonly support: number;
  readonly reasons: readonly string[];
}

/** The passage as the record has it now. */
export function keptPassage(claim: DraftClaim, spans: readonly VerifiedSpan[]): PassageVerdict {
  const [span] = spans;
  const text = toInert(span?.quote.trim() ?? '');
  if (!span || spans.length > 1 || text === '') return { support: 0, reasons: ['text-differs: a passage is one span'] };
  // What was ranked and chosen is what was read, and not what stands there now.
  if (![span.quote, span.written ?? ''].some((text) => withSingleBlanks(text) === withSingleBlanks(claim.text)))
    return { support: 0, reasons: ['text-differs: the passage is not what its span says'] };
  const { pinpoint, ...passage } = claim;
  // What was made harmless, or is struck out, has other offsets.
  const isSame = text === claim.text;
  const kept = { ...passage, text, support: 1, spans: [span], ...(isSame && pinpoint && { pinpoint }) };
  return { kept, support: 1, reasons: [] };
}

/** What is wrong with a saved passage; empty where nothing is. */
export function passageReasons(claim: Claim, spans: readonly VerifiedSpan[]): readonly string[] {
  const { text, pinpoint } = claim;
  const isInside = !pinpoint || (pinpoint.end <= text.length && pinpoint.start < pinpoint.end);
  return [
    ...(spans.some(({ quote }) => standsIn(claim, quote))
      ? []
      : ['text-differs: the passage is not what its span says']),
    ...(isInside ? [] : ['pinpoint-invalid: it does not lie in the text of the passage']),
  ];
}

/** Whether a passage is all of its quote, or the sentence that an older answer leads with one whole sentence, item or row of it. */
export function standsIn({ text, form }: Pick<Claim, 'text' | 'form'>, quote: string): boolean {
  const written = toInert(quote.trim());
  const said = withSingleBlanks(text);
  if (form !== 'sentence') return withSingleBlanks(written) === said;
  return segmentPieces(written).some(({ start, end }) => withSingleBlanks(written.slice(start, end)) === said);
}
