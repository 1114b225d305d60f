// What the text of an answer must be, whatever the record says: where it asserts nothing the sentence that says so, its claims or passages in their
// order with their marks, then the sentences of its conflicts, then which parts of the question nothing answers, and no word beside them;
// of an analysis, exactly what its sections make.
import { isDeepStrictEqual } from 'node:util';
import { type Answer, assertedOf } from '../core/answer.ts';
import { agreementNote } from '../core/answers/agreement-note.ts';
import { sectionReasons } from '../core/answers/analysis-text.ts';
import { missingNotice, partReasons } from '../core/answers/answer-parts.ts';
import { answerText, headingOf } from '../core/answers/answer-text.ts';
import { abstentionOpening, answerOpening } from '../core/answers/closest-passages.ts';
import { noteOf } from '../core/answers/conflict-note.ts';
import { marksOf } from '../core/marked-text.ts';

/** What is wrong with the answer as a whole; `others` is called between pieces of work. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export async function wholeReasons(answer: Answer, others: () => Promise<void> | undefined): Promise<string[]> {
  const reasons: string[] = [];
  for (const [at, citation] of answer.citations.entries())
    if (citation.index !== at + 1) reasons.push(`citation-numbering: citation ${at + 1} has index ${citation.index}`);
  const said = [...answer.claims, ...(answer.passages ?? [])];
  const cited = new Set(said.flatMap((claim) => claim.citations));
  for (const { positions } of answer.conflicts)
    for (const { citations } of positions) for (const index of citations) cited.add(index);
  for (const { claim, citations } of answer.agreements ?? []) {
    if (claim > assertedOf(answer.claims).length) reasons.push(`agreement-unknown: claim ${claim}`);
    for (const index of citations) cited.add(index);
  }
  for (const citation of answer.citations)
    if (!cited.has(citation.index)) reasons.push(`citation-unused: [${citation.index}]`);
  for (const conflict of answer.conflicts)
    for (const position of conflict.positions)
      for (const index of position.citations)
        if (index < 1 || index > answer.citations.length) reasons.push(`citation-unknown: [${index}]`);
  if (said.length === 0) {
    if (answer.marks && answer.marks.length > 0) reasons.push('marks-without-claims');
    if (!answer.abstained && answer.ragEnabled) reasons.push('answer-without-claims');
    if (answer.citations.length > 0) reasons.push('citations-without-claims');
    return reasons;
  }
  const at = answer.claims.findIndex(({ confirmed, kind }) => (confirmed === false) !== (kind === 'reworded'));
  if (at >= 0) reasons.push(`confirmation-differs: claim ${at + 1}`);
  if (answer.claims.length > 0 && (answer.claims[0] as Answer['claims'][number]).confirmed === false)
    reasons.push('unconfirmed-alone');
  if (answer.abstained && answer.claims.length > 0) reasons.push('abstained-with-claims');
  reasons.push(...partReasons(answer));
  if (answer.sections) reasons.push(...sectionReasons(answer));
  // What says the same thing over and over would make a text without end.
  if (reasons.some((reason) => reason.startsWith('sections-differ')) || leastLength(answer) > answer.answer.length)
    return [...reasons, 'text-differs: it is too short for what it claims'];
  const told = answerText(answer);
  await others();
  if (told.text !== answer.answer) {
    const differing = answer.sections ? [] : await placesThatDiffer(answer, others);
    // Older editions parted claims in another way, and told no marks.
    const isOld = answer.marks === undefined && !answer.sections;
    reasons.push(...(differing.length > 0 || isOld ? differing : ['text-differs: it is not that of what it claims']));
  } else if (answer.marks && !isDeepStrictEqual(answer.marks, told.marks))
    reasons.push('marks-differ: they do not stand where the text has them');
  return reasons;
}

/** A text that holds all marks has so many characters at least. */
function leastLength({ claims, passages = [], conflicts, agreements = [] }: Answer): number {
  const citing = [
    ...assertedOf(claims),
    ...passages,
    ...conflicts.flatMap(({ positions }) => positions),
    ...agreements,
  ];
  const repeated = agreements.flatMap(({ claim }) => claims[claim - 1] ?? []);
  return [...citing, ...repeated].reduce((length, { citations }) => length + '[1]'.length * citations.length, 0);
}

/** Where a text is not that of its claims, conflicts and parts. */
async function placesThatDiffer(answer: Answer, others: () => Promise<void> | undefined): Promise<string[]> {
  const reasons: string[] = [];
  const isAbstention = answer.claims.length === 0;
  const opening = isAbstention ? abstentionOpening(answer) : answerOpening(answer);
  if (!answer.answer.startsWith(opening)) reasons.push('closest-passages-untold');
  let rest = answer.answer.startsWith(opening) ? answer.answer.slice(opening.length) : answer.answer;
  for (const claim of isAbstention ? (answer.passages ?? []) : assertedOf(answer.claims)) {
    await others();
    const at = rest.indexOf(claim.text);
    if (at < 0) {
      reasons.push(`claim-not-in-answer: ${claim.text.slice(0, 60)}`);
      continue;
    }
    const before = rest.slice(0, at);
    rest = rest.slice(at + claim.text.length);
    const marks = ` ${marksOf(claim.citations).text}`;
    if (rest.startsWith(marks)) rest = rest.slice(marks.length);
    else reasons.push(`marks-differ: “${rest.slice(0, 20)}” is “${marks.slice(0, 60)}”`);
    const told = before.replace(headingOf(claim), '');
    if (/[\p{L}\p{N}]/u.test(told)) reasons.push(`text-without-claim: ${told.trim().slice(0, 60)}`);
  }
  for (const agreement of answer.agreements ?? []) {
    await others();
    const note = agreementNote(agreement, answer.claims).text;
    if (rest.trimStart().startsWith(note)) rest = rest.trimStart().slice(note.length);
    else reasons.push(`agreement-not-in-answer: claim ${agreement.claim}`);
  }
  // Beside claims an answer says what its conflicts say, each in the one sentence that it has.
  for (const conflict of answer.conflicts) {
    await others();
    const note = noteOf(conflict).text;
    if (rest.trimStart().startsWith(note)) rest = rest.trimStart().slice(note.length);
    else reasons.push(`conflict-not-in-answer: ${conflict.about.slice(0, 60)}`);
  }
  const notice = missingNotice(answer.parts);
  if (rest.endsWith(notice)) rest = rest.slice(0, rest.length - notice.length);
  if (/[\p{L}\p{N}]/u.test(rest)) reasons.push(`text-without-claim: ${rest.trim().slice(0, 60)}`);
  return reasons;
}
