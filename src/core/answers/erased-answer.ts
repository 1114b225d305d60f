// An answer without what was erased: claims that cite a deleted document go, with their quotes, titles and addresses, and the answer
// says so. Invariant: what is left is an answer of the same id whose text is its claims with their marks, so that it can be checked
// like any other.
import type { Answer, AnswerPart, AnswerSection, Citation, Claim, Conflict } from '../answer.ts';
import { answerText } from './answer-text.ts';
import { abstentionOpening } from './closest-passages.ts';

/** A place in a document; the chunk is absent where only the document is named. */
export interface CitedPlace {
  readonly documentId: string;
  readonly chunkId?: string;
}

const nothingLeft = 'The documents that this answer rested on were deleted, and what it said of them with them.';
const deleted = 'The documents that answered it were deleted.';

/** Undefined where nothing of the answer was erased. */
export const eraseFromAnswer = (
  answer: Answer,
  isErased: (place: CitedPlace) => boolean,
  at: string,
): Answer | undefined =>
  answer.passages && answer.claims.length === 0
    ? eraseFromPassages(answer, answer.passages, { isErased, at })
    : eraseFromClaims(answer, isErased, at);

/** All documents that an answer names as places. */
export const documentsOf = ({ citations, sources }: Answer): readonly string[] =>
  [...citations, ...sources, ...citations.flatMap(({ alsoIn }) => alsoIn)].map(({ documentId }) => documentId);

/** The answer without these documents, erased at this time; as it is where it names none of them. */
export const withoutDocuments = (answer: Answer, missing: ReadonlySet<string>, at: string): Answer =>
  missing.size === 0 ? answer : (eraseFromAnswer(answer, ({ documentId }) => missing.has(documentId), at) ?? answer);

function eraseFromClaims(answer: Answer, isErased: (place: CitedPlace) => boolean, at: string): Answer | undefined {
  const gone = answer.citations.filter(isErased);
  const sources = answer.sources.filter((source) => !isErased(source));
  const hadOther = answer.citations.some(({ alsoIn }) => alsoIn.some(isErased));
  if (gone.length === 0 && sources.length === answer.sources.length && !hadOther) return undefined;
  const lost = new Set(gone.map(({ index }) => index));
  const rests = ({ citations }: { readonly citations: readonly number[] }): boolean =>
    citations.some((index) => lost.has(index));
  const kept = answer.claims.filter((claim) => !rests(claim));
  const conflicting = answer.conflicts.filter(({ positions }) => !positions.some(rests));
  const agreeing = (answer.agreements ?? []).flatMap(({ claim, citations }) => {
    const place = kept.findIndex((one) => one === answer.claims[claim - 1]) + 1;
    const left = citations.filter((index) => !lost.has(index));
    return place > 0 && left.length > 0 ? [{ claim: place, citations: left }] : [];
  });
  const isEmpty = answer.claims.length > 0 && kept.length === 0;
  // Without the sentence that it led with an answer shows no further passage, and cites none.
  const chosen = isEmpty ? [] : (answer.passages ?? []).filter((passage) => !rests(passage));
  const { citations, placeOf } = renumber(answer.citations, [
    ...kept,
    ...chosen,
    ...agreeing,
    ...(kept.length === 0 ? [] : conflicting.flatMap(({ positions }) => positions)),
  ]);
  const claims = kept.map((claim) => ({ ...claim, citations: claim.citations.map(placeOf) }));
  const documents = new Set([...gone, ...answer.sources.filter(isErased)].map(({ documentId }) => documentId));
  const { erased: before, closestPassages, agreements: _, passages: __, ...rest } = answer;
  const agreements = agreeing.map((one) => ({ ...one, citations: one.citations.map(placeOf) }));
  const parts = answer.parts?.map((part) => withoutLost(part, answer.claims, kept));
  const sections = answer.sections?.map((section) => withoutLost(section, answer.claims, kept));
  const conflicts = isEmpty ? [] : conflicting.map((conflict) => renumbered(conflict, placeOf));
  const { text, marks } = isEmpty
    ? { text: nothingLeft, marks: [] }
    : answerText({ claims, conflicts, agreements, closestPassages, parts, sections, version: answer.version });
  const passages = chosen.map((one) => ({ ...one, citations: one.citations.map(placeOf) }));
  return {
    ...rest,
    ...(lost.size > 0 && { answer: text, marks: [...marks] }),
    claims,
    ...(passages.length > 0 && { passages }),
    citations: citations.map((citation) => ({
      ...citation,
      alsoIn: citation.alsoIn.filter((place) => !isErased(place)),
    })),
    conflicts,
    ...(agreements.length > 0 && { agreements }),
    ...(parts && { parts }),
    ...(sections && { sections }),
    sources,
    ...(closestPassages === true && !isEmpty && { closestPassages }),
    ...(isEmpty && { abstained: true, abstainReason: nothingLeft, confidence: 0, coverage: 0 }),
    erased: noteOf(before, { at, documents, claims: answer.claims.length - claims.length, citations: gone.length }),
  };
}

/** What was taken out, with what was before. */
const noteOf = (
  before: Answer['erased'],
  {
    at,
    documents,
    claims,
    citations,
  }: Omit<NonNullable<Answer['erased']>, 'documents'> & { readonly documents: ReadonlySet<string> },
): NonNullable<Answer['erased']> => ({
  at,
  documents: [...new Set([...(before?.documents ?? []), ...documents])],
  claims: (before?.claims ?? 0) + claims,
  citations: (before?.citations ?? 0) + citations,
});

/** What a conflict is about may be told in the words of either side: it goes with any of them. */
const renumbered = (conflict: Conflict, placeOf: (index: number) => number): Conflict => ({
  ...conflict,
  positions: conflict.positions.map((position) => ({ ...position, citations: position.citations.map(placeOf) })),
});

/** What is left of a part, or of a section. */
function withoutLost<Part extends AnswerPart | AnswerSection>(
  part: Part,
  claims: readonly Claim[],
  kept: readonly Claim[],
): Part {
  const left = part.claims.flatMap((place) => {
    const claim = claims[place - 1];
    return claim && kept.includes(claim) ? [kept.indexOf(claim) + 1] : [];
  });
  return left.length > 0 || part.claims.length === 0
    ? { ...part, claims: left }
    : { ...part, claims: [], missing: deleted };
}

/** Of an abstention: its passages go as claims do, its reason stays. */
function eraseFromPassages(
  { passages: _, ...answer }: Answer,
  claims: readonly Claim[],
  { isErased, at }: { readonly isErased: (place: CitedPlace) => boolean; readonly at: string },
): Answer | undefined {
  const left = eraseFromClaims({ ...answer, claims: [...claims] }, isErased, at);
  if (!left) return undefined;
  const { abstainReason, version } = answer;
  const passages = left.claims.length > 0 ? { passages: left.claims } : {};
  const { text, marks } =
    left.claims.length > 0
      ? answerText({ claims: [], conflicts: [], abstainReason, version, ...passages })
      : { text: abstentionOpening({ abstainReason, version }), marks: [] };
  return { ...left, claims: [], ...passages, abstainReason, answer: text, marks: [...marks] };
}

/** The citations that claims and conflicts use, numbered from one in their order; others have no place: 0. */
function renumber(citations: readonly Citation[], claims: readonly Pick<Claim, 'citations'>[]) {
  const used = new Set(claims.flatMap((claim) => claim.citations));
  const left = citations.filter(({ index }) => used.has(index));
  const places = new Map(left.map(({ index }, at) => [index, at + 1]));
  return {
    citations: left.map((citation, at) => ({ ...citation, index: at + 1 })),
    placeOf: (index: number): number => places.get(index) ?? 0,
  };
}
