// What is measured of a question, the first claim and what stands around it, as numbers for the model of confidence (confidence-weights.ts).
// The order of the names is the order of the numbers. Invariant: nothing here depends on the size of the collection.
import { channel } from 'node:diagnostics_channel';
import { periodsUntold } from '../question/account-periods.ts';
import type { Question } from '../question/question.ts';
import { typeFit } from '../question/typed-spans.ts';
import { isCompound, valuesOf } from './agreement.ts';
import { visibleFitOf } from './asked-for.ts';
import type { Candidate, CandidateSet } from './candidates.ts';
import type { Judgement } from './coverage.ts';
import type { RankedCandidate } from './rank.ts';

export const surenessNames = [
  'answerable',
  'piece',
  'window',
  'chunk',
  'names',
  'subject',
  'numbers',
  'lead',
  'strength',
  'length',
  'claim coverage',
  'claim before',
  'claim titled',
  'claim chunk',
  'claim score',
  'claim rank',
  'claim fit',
  'claim order',
  'claim density',
  'claim length',
  'claim opening',
  'gives what was asked',
  'asks for what can be seen',
  'margin',
  'margin over documents',
  'margin over what fits',
  'agreement',
  'crowd',
  'is a row',
  'is prose',
  'asks what',
  'asks why or how',
  'asks several',
  'missing names',
  'missing numbers',
  'missing weight',
  'best score',
  'fitting among five',
  'describes',
  'is put together',
  'names asked',
  'long',
  'left out',
  'nearly as good',
  'told elsewhere',
  'told beside',
  'figures in the claim',
  'breaks off',
  'words in the claim',
  'documents among ten',
  'is about the document',
  'rarest word missing',
  'margin over what says otherwise',
  'told by others',
  'account periods missing',
  'weighing untold',
] as const;

export interface MeasuredAnswer {
  readonly question: Question;
  /** The question once for each of its parts. */
  readonly parts: readonly Question[];
  readonly set: CandidateSet;
  readonly ranked: readonly RankedCandidate[];
  readonly judgement: Judgement;
  /** The chance that the evidence answers at all, 0..1. */
  readonly answerable: number;
  readonly first: Candidate;
  /** The text of each claim. */
  readonly texts: readonly string[];
}

/** Whoever fits the model listens here; nobody does in a running system. */
export const surenessChannel = channel('footnote:sureness');

const mostScore = 24;
/** So many candidates are looked at. */
const compared = 40;
/** Of the claim's score: what scores as much might as well have been said first. */
const nearly = 0.85;
/** Titles are known by how they begin: what follows tells editions and kinds apart. */
const titleStart = 12;

/** What has to be found by comparing or computing, unless a sentence says the outcome in such words. */
const weighs =
  /\b(?:highest|lowest|largest|biggest|smallest|greatest|best|worst|most|least|fastest|slowest|longest|shortest|oldest|youngest|grew|ratio|margin|average|total|versus|vs|compared|healthy|intensive|difference)\b|\b(?:improv|increas|decreas|declin|drop|chang|grow|reduc)/iu;

/** Where the period of a claim may be told: in itself, above its table, in the headings, in the title. */
export const toldPeriodIn = ({ text, block: { evidence } }: Candidate): string =>
  [text, evidence.above ?? '', ...evidence.headingPath, evidence.title].join('\n');

// oxlint-disable-next-line complexity, max-lines-per-function -- Each number of the model is measured once, in the order of its weights.
export function surenessOf(measured: MeasuredAnswer): number[] {
  const { question, parts, set, ranked, judgement, answerable, first, texts } = measured;
  const { signals, agreement } = judgement;
  const { features } = first;
  const own = ranked.find(({ candidate }) => candidate === first)?.score ?? 0;
  const rival = (differs: (other: Candidate) => boolean): number => {
    const other = ranked.find(({ candidate }) => candidate !== first && differs(candidate));
    return other ? Math.max(-0.5, Math.min(1, (own - other.score) / Math.max(1, own))) : 1;
  };
  const asked = parts[0] ?? question;
  const fits = (text: string): boolean => typeFit(asked, text) >= 0.5;
  const lacks = (counts: (at: number) => boolean): number => {
    const chosen = question.terms.flatMap((_, at) => (counts(at) ? [1 - (first.matches[at] ?? 0)] : []));
    return chosen.length === 0 ? 0 : chosen.reduce((sum, lack) => sum + lack, 0) / chosen.length;
  };
  const untold = first.matches.map((match) => Math.max(0, 1 - match));
  /** The most that one other candidate tells of what the claim leaves out, each word by its rarity. */
  const gain = (isMeant: (other: Candidate) => boolean): number =>
    ranked.slice(0, compared).reduce((most, { candidate: other }) => {
      if (other === first || !isMeant(other)) return most;
      const told = untold.reduce(
        (sum, lack, at) => sum + Math.min(lack, other.matches[at] ?? 0) * (set.weights[at] ?? 0),
        0,
      );
      return Math.max(most, told);
    }, 0);
  const isElsewhere = ({ block }: Candidate): boolean => block.evidence.documentId !== first.block.evidence.documentId;
  const rarest = set.weights.indexOf(Math.max(...set.weights));
  const title = first.block.evidence.title.toLowerCase().slice(0, titleStart);
  const visible = visibleFitOf(parts, parts.length > 1 ? texts : texts.slice(0, 1));
  const five = ranked.slice(0, 5);
  const values = valuesOf(question, first.text);
  const same = new Map<Candidate, boolean>();
  /** It names something that the claim names and the question does not. */
  const saysSame = (other: Candidate): boolean => {
    const known = same.get(other) ?? (values.size > 0 && !valuesOf(question, other.text).isDisjointFrom(values));
    same.set(other, known);
    return known;
  };
  const othersSaying = new Set(
    ranked
      .slice(0, compared)
      .flatMap(({ candidate: other }) =>
        isElsewhere(other) && saysSame(other) ? [other.block.evidence.documentId] : [],
      ),
  ).size;
  return [
    answerable,
    signals.piece,
    signals.window,
    signals.chunk,
    signals.names,
    signals.subject,
    signals.numbers,
    signals.lead,
    signals.strength,
    signals.length,
    features.coverage,
    features.before,
    features.titled,
    features.chunk,
    features.score,
    features.rank,
    features.fit,
    features.order,
    features.density,
    features.length,
    features.opening,
    visible ?? 0.5,
    visible === undefined ? 0 : 1,
    rival(() => true),
    rival(({ block }) => block.evidence.documentId !== first.block.evidence.documentId),
    rival(({ text }) => fits(text)),
    agreement.agreement,
    agreement.crowd,
    first.kind === 'row' || first.kind === 'entry' ? 1 : 0,
    first.kind === 'sentence' ? 1 : 0,
    question.type === 'name' || question.type === 'other' || question.type === 'list' ? 1 : 0,
    question.type === 'reason' || question.type === 'how-to' || question.type === 'definition' ? 1 : 0,
    question.several || parts.length > 1 ? 1 : 0,
    lacks((at) => question.named[at] === true),
    lacks((at) => /^\d/u.test(question.terms[at]?.term ?? '')),
    question.terms.reduce((sum, _, at) => sum + (1 - (first.matches[at] ?? 0)) * (set.needs[at] ?? 0), 0),
    Math.max(0, Math.min(1, own / mostScore)),
    five.filter(({ candidate }) => fits(candidate.text)).length / Math.max(1, five.length),
    question.nested ? 1 : 0,
    isCompound(question, signals.chunk) ? 1 : 0,
    Math.min(1, question.names.length / 4),
    Math.min(1, question.text.split(/\s+/u).length / 30),
    1 - Math.min(1, features.coverage + features.before + features.titled),
    ranked.slice(0, compared).filter(({ score }) => score >= nearly * own).length / 10,
    gain(isElsewhere),
    gain((other) => !isElsewhere(other)),
    (first.text.match(/\p{Nd}/gu)?.length ?? 0) / Math.max(1, first.text.length),
    /[.!?]["”)\]]{0,3}$/u.test(first.text.trimEnd()) ? 0 : 1,
    Math.min(1, first.text.split(/\s+/u).length / 60),
    new Set(ranked.slice(0, 10).map(({ candidate: { block } }) => block.evidence.documentId)).size / 10,
    title !== '' && question.text.toLowerCase().includes(title) ? 1 : 0,
    untold[rarest] ?? 0,
    rival((other) => !saysSame(other)),
    Math.min(1, othersSaying / 3),
    periodsUntold(question.text, toldPeriodIn(first)),
    weighs.test(question.text) && !weighs.test(first.text) ? 1 : 0,
  ];
}
