// What stands beside the claim that answered the part before: the sentence behind it ("What happens after that?"), and the heading over it ("In which version did
// it come?"). Invariant: each claim is of the document that the earlier one was of, and was read back and verified.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { readPieces } from '../../answer/extract/readings.ts';
import type { SourceSpan } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import { bareOf } from '../plan/phrases.ts';
import { claimsAt, type Reading } from './read-claims.ts';

const asksNext =
  /^what (?:happens|applies|comes|follows|is (?:due|charged|paid|kept|done)) (?:after(?: (?:that|this)|wards)?|then|later(?: on)?|otherwise|next|if not|else)$/iu;
const asksOver =
  /^in (?:which|what) (?<kind>version|release|edition|chapter|section|article|clause|issue|volume|quarter|year)\b.{0,80}$/iu;

/** None where the part does not go on so. Throws what the reader throws. */
export async function besideClaims(
  { query, earlier }: { readonly query: string; readonly earlier: readonly VerifiedClaim[] },
  evidence: readonly Evidence[],
  reading: Reading,
): Promise<readonly VerifiedClaim[]> {
  const bare = bareOf(query);
  const isNext = asksNext.test(bare);
  const kind = /\b(?:it|that|this|they)\b/iu.test(bare) ? asksOver.exec(bare)?.groups?.['kind'] : undefined;
  const [span, ...others] = earlier[0]?.spans ?? [];
  if ((!isNext && kind === undefined) || !span || others.length > 0) return [];
  const passage = evidence.find(({ chunkId }) => chunkId === span.chunkId);
  if (!passage) return [];
  const at: SourceSpan = { start: span.start - passage.start, end: span.end - passage.start };
  const place = isNext ? sentenceBehind(passage.text, at) : headingOver(passage.text, at);
  return place ? claimsAt(passage, place, reading) : [];
}

function sentenceBehind(text: string, { end }: SourceSpan): SourceSpan | undefined {
  const next = readPieces(text).find(({ start }) => start >= end);
  // Another paragraph says something else.
  return next?.kind === 'sentence' && !/\n[ \t]*\n/u.test(text.slice(end, next.start)) ? next : undefined;
}

/** The nearest one, where it holds a number. */
function headingOver(text: string, { start }: SourceSpan): SourceSpan | undefined {
  const heading = readPieces(text).findLast((piece) => piece.kind === 'heading' && piece.end <= start);
  return heading && /\p{Nd}/u.test(text.slice(heading.start, heading.end)) ? heading : undefined;
}
