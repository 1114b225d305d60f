// Tells passages that answer from passages that are only about the same: where most of the documents found fit a question
// equally well, the ones that answer it name the same value, and the ones beside the point each name another. Says nothing
// where one document stands out, and about questions that want no single value.

import type { AnswerType, Question } from '../question/question.ts';
import { typeFit } from '../question/typed-spans.ts';
import { leastFit } from './asked-for.ts';
import type { Candidate } from './candidates.ts';
import type { RankedCandidate } from './rank.ts';

export interface Agreement {
  /** Documents that cover the question about as well as the best one, itself included. */
  readonly rivals: number;
  /** Their share of the other documents read, 0..1. */
  readonly crowd: number;
  /** Share of the rivals that name the value which most of them name, 0..1; 1 where there is no rival, or none that could name another one. */
  readonly agreement: number;
}

/** A piece covers what the question names from here on. */
const wholly = 0.9;
/** A document is a rival that covers at least this share of what the best one covers. */
const rivalCoverage = 0.8;
/** Passages scatter where so many documents, and such a share of all, agree no more than this. */
const scatter = { rivals: 3, crowd: 0.3, agreement: 0.5 };
/** Who, when and where have one answer that any passage about the same names; a "what" may be said in many ways. */
const singleValued: ReadonlySet<AnswerType> = new Set(['person', 'date', 'place']);

/**
 * A long question that describes instead of naming, or that no single passage covers, is put together from several;
 * `coverage` is that of the best chunk.
 */
export function isCompound(question: Question, coverage: number): boolean {
  return question.terms.length >= 8 && (question.nested || coverage < 0.8);
}

/** Do the passages name about as many answers as there are passages, where one answer is wanted? */
export function isScattered(
  question: Question,
  { chunk }: { readonly chunk: number },
  { rivals, crowd, agreement }: Agreement,
): boolean {
  if (question.several || !singleValued.has(question.type) || isCompound(question, chunk)) return false;
  return rivals >= scatter.rivals && crowd >= scatter.crowd && agreement <= scatter.agreement;
}

/** How far the documents agree; `coverage` is that of each block, 0..1, in the order of the context. */
export function agreementOf(
  question: Question,
  ranked: readonly RankedCandidate[],
  coverage: readonly number[],
): Agreement {
  const leaders = new Map<string, Candidate>();
  const covered = new Map<string, number>();
  for (const { candidate } of ranked) {
    const { documentId } = candidate.block.evidence;
    if (!leaders.has(documentId)) leaders.set(documentId, candidate);
    covered.set(documentId, Math.max(covered.get(documentId) ?? 0, coverage[candidate.blockIndex] ?? 0));
  }
  const best = Math.max(0, ...covered.values());
  const rivals = [...leaders].filter(([id]) => (covered.get(id) ?? 0) >= rivalCoverage * best);
  const naming = namingOf(question, ranked, rivals);
  // Without capitals names cannot be told from other words.
  const readable = question.type === 'date' || rivals.every(([, { text }]) => /\p{Lu}/u.test(text));
  if (rivals.length < 2 || !readable) return { rivals: rivals.length, crowd: 0, agreement: 1 };
  if (isAboutSubject(question, ranked, rivals)) return { rivals: 1, crowd: 0, agreement: 1 };
  const named = new Map<string, number>();
  for (const [, candidate] of naming)
    for (const value of valuesOf(question, candidate.text)) named.set(value, (named.get(value) ?? 0) + 1);
  const most = Math.max(0, ...named.values());
  return {
    rivals: rivals.length,
    crowd: (rivals.length - 1) / (leaders.size - 1),
    agreement: naming.length < 2 ? 1 : Math.max(0, most - 1) / (naming.length - 1),
  };
}

/**
 * The rivals that can name another answer than the best one: where a date is asked for and the piece that fits best says it of all that the
 * question names, those that name one too ("X is released under the MIT licence" gives no other day); else all.
 */
function namingOf(
  question: Question,
  [best]: readonly RankedCandidate[],
  rivals: readonly (readonly [string, Candidate])[],
): readonly (readonly [string, Candidate])[] {
  const isDated = ({ text }: Candidate): boolean => typeFit(question, text) >= leastFit;
  if (question.type !== 'date' || !best || !isDated(best.candidate)) return rivals;
  return best.candidate.features.coverage < wholly ? rivals : rivals.filter(([, candidate]) => isDated(candidate));
}

/** The piece that fits best is of the one document that is called like what the question names: the others only mention it. */
function isAboutSubject(
  question: Question,
  [best]: readonly RankedCandidate[],
  rivals: readonly (readonly [string, Candidate])[],
): boolean {
  if (!best || question.names.length === 0) return false;
  const isCalled = ({ block }: Candidate): boolean => {
    const title = block.evidence.title.toLowerCase();
    return question.names.every((name) => title.includes(name.toLowerCase()));
  };
  const called = rivals.filter(([, candidate]) => isCalled(candidate)).map(([id]) => id);
  return called.length === 1 && called[0] === best.candidate.block.evidence.documentId;
}

const dateWords = /\d+|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/gi;
const calendar = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;
/** Words that open sentences and labels with a capital and name nothing. */
const openers = new Set(
  'the this that these those there here what when where who how it its he she they his her their our we you in on at for from to by and or but if as is are was were not no yes new more most all official home news see read get find live watch update updates est pm am edt et cet utc'.split(
    ' ',
  ),
);

/** What a piece names of the kind asked for, as far as the question does not name it: parts of dates, words with a capital. */
export function valuesOf(question: Question, text: string): ReadonlySet<string> {
  const { type } = question;
  const asked = question.text.toLowerCase();
  const values =
    type === 'date'
      ? [...text.matchAll(dateWords)].map(([value]) => value.toLowerCase())
      : [...text.matchAll(/\p{Lu}[\p{L}\p{M}’'-]+/gu)]
          .map(([value]) => value.toLowerCase().replace(/['’]s$/u, ''))
          .filter((value) => !calendar.test(value) && !openers.has(value));
  return new Set(values.filter((value) => !asked.includes(value)));
}
