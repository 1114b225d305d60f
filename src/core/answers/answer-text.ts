// The text of an answer: it follows from its claims, agreements, conflicts, parts and sections alone, so that whoever checks an answer, or takes
// something out of it, makes it again. Invariant: each piece depends on what stands before it alone, so that what was streamed stays. Pure.
import { type Answer, assertedOf, type Claim } from '../answer.ts';
import { joinMarked, type MarkedText, marked, marksOf } from '../marked-text.ts';
import { agreementNote } from './agreement-note.ts';
import { analysisText } from './analysis-text.ts';
import { missingNotice } from './answer-parts.ts';
import { abstentionOpening, answerOpening } from './closest-passages.ts';
import { noteOf } from './conflict-note.ts';

type Told = Pick<
  Answer,
  'claims' | 'conflicts' | 'agreements' | 'closestPassages' | 'passages' | 'abstainReason' | 'version'
>;

/** An abstention shows its passages; what nothing confirms stands in no text. */
const shownOf = ({ claims, passages = [] }: Told): readonly Claim[] =>
  claims.length > 0 ? assertedOf(claims) : passages;

/** One piece for each claim, or passage of an abstention, each agreement and each conflict, in this order; joined they are the text. */
export function answerPieces(told: Told): readonly MarkedText[] {
  const { claims, conflicts, agreements = [], passages = [] } = told;
  const shown = shownOf(told);
  const opening = claims.length > 0 || passages.length === 0 ? answerOpening(told) : abstentionOpening(told);
  const said = shown.map((claim, at) => {
    const last = shown[at - 1];
    return marked`${last ? separatorOf(last, claim) : opening}${headingOf(claim)}${claim.text} ${marksOf(claim.citations)}`;
  });
  // A paragraph of its own: it says something of the claims.
  const behind = (notes: readonly MarkedText[]) => notes.map((note, at) => marked`${at === 0 ? '\n\n' : '\n'}${note}`);
  return [
    ...said,
    ...behind(agreements.map((agreement) => agreementNote(agreement, claims))),
    ...behind(conflicts.map(noteOf)),
  ];
}

/** Where the parts that answer stand in the text that `answerPieces` makes: UTF-16 offsets, in order. */
export function highlightsOf(told: Told): readonly { readonly start: number; readonly end: number }[] {
  const pieces = answerPieces(told);
  let end = 0;
  return shownOf(told).flatMap(({ text, citations, pinpoint }, at) => {
    end += pieces[at]?.text.length ?? 0;
    const start = end - ` ${marksOf(citations).text}`.length - text.length;
    return pinpoint ? [{ start: start + pinpoint.start, end: start + pinpoint.end }] : [];
  });
}

/** The whole text of an answer that claims something, or shows what comes closest. */
export const answerText = (answer: Told & Pick<Answer, 'parts' | 'sections'>): MarkedText =>
  answer.sections
    ? analysisText(answer.sections, answer)
    : joinMarked([...answerPieces(answer), { text: missingNotice(answer.parts), marks: [] }]);

/** A sentence that an older answer leads with is none. */
export const isPassage = ({ form }: Claim): boolean => form !== undefined && form !== 'sentence';

/** A passage stands under its headings. */
export const headingOf = (claim: Claim): string =>
  isPassage(claim) && claim.headingPath?.length ? `${claim.headingPath.join(' > ')}\n` : '';

/** Passages stand apart, rows and code keep a line of their own, sentences follow one another. */
function separatorOf(before: Claim, after: Claim): string {
  if (isPassage(before) || isPassage(after)) return '\n\n';
  return [before.text, after.text].every((text) => /[.!?…。！？؟]["'”’»)\]]*$/.test(text)) ? ' ' : '\n';
}
