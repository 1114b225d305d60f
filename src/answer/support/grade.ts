// How far a claim that is not its quotes' own words is carried by them: a logistic function of a few measured numbers (features.ts), fitted by
// `node scripts/fit-support.ts` on sentences that people judged. Invariants: nothing here passes what a veto forbids, which is asked before; a near copy
// of a sentence is held to every difference, since one exchanged word makes it false.
import { isFieldLine, isTabular } from '../tables/rows.ts';
import { similarity } from './align.ts';
import type { Comparison } from './comparison.ts';
import { isFigure, isSameOtherwise } from './facts.ts';
import { type Features, featureNames, featuresOf, likenessOf, strangeWords } from './features.ts';
import type { Token } from './tokens.ts';
import fitted from './weights.json' with { type: 'json' };

/** `confirmed`: at most three of a hundred such claims are not carried. `reworded`: it may be carried. `unlike`: only a judge can tell. */
export type Degree = 'confirmed' | 'reworded' | 'unlike';

export interface Grade {
  readonly degree: Degree;
  /** The chance that the quotes carry the claim, 0..1. */
  readonly chance: number;
  readonly reasons: readonly string[];
}

export interface Graded {
  /** Of the comparison word by word, which refused the claim. */
  readonly reasons: readonly string[];
  /** Codes of the claim that stand in the question alone. */
  readonly askedCodes: readonly string[];
  /** Of the features; absent: no encoder is there. */
  readonly leastMatch?: number | undefined;
}

/** The claim is in this way a copy of the sentence that carries most, or a piece of it. */
const copied = { alike: 0.6, contained: 0.95 };
/** A word that the sentence lacks has to stand over the quotes or in the question, but for words that a judge may still admit (`mayAdd`). */
const added = 'not-in-quote';
const inPlace = /^(?:name-missing: |not-in-quote: |word-changed: .* → )/u;
/** A figure has to stand over the quotes: one of the question may be what it asks for another of. */
const figureOver = /^(?:number|date)-missing: /u;

/** Where the quotes have less of what the question does not ask, an encoder alone speaks for the claim: a judge has to confirm it. */
const leastTold = 0.5;

const asking = /[?？]$/u;
/** In what stands before the first mark: "No fee is charged" decides nothing, nor does "Si pleut". "No." may be read as one word. */
const yesOrNo = /^(?:(?:yes|ja|nein|oui|s[íì])(?!\p{L})|no\.(?! ?\d)|(?:no|non|si|はい|いいえ|是的?|不是的?)$)/iu;

function openingOf(claim: readonly Token[]): string {
  const end = claim.findIndex(({ type, text }) => type === 'mark' && text !== '-');
  const opening = end < 0 ? claim : claim.slice(0, end);
  return opening
    .map(({ text, type }) => (type === 'character' ? text : `${text} `))
    .join('')
    .trimEnd();
}

export function gradeOf(comparison: Comparison, { reasons, askedCodes, leastMatch }: Graded): Grade {
  const hasEncoder = leastMatch !== undefined;
  const features = featuresOf(comparison, leastMatch);
  const chance = chanceOf(features, hasEncoder);
  const changes = changesOfCopy(comparison, reasons, { leastAlike: copied.alike, mayAdd: false });
  const unheard = [
    ...strangeWords(comparison).flatMap((token) =>
      token.name || isFigure(token) ? [`name-missing: ${token.text}`] : [],
    ),
    ...miscastFigures(comparison).map((text) => `figure-as-other: ${text}`),
    ...askedCodes.map((code) => `only-asked: ${code}`),
  ];
  // What a cell is of, its column alone says: rows are read as such (rows.ts), or by a judge.
  if (isTabular(comparison.sentence) || isFieldLine(comparison.sentence)) unheard.push('read-as-prose');
  if (asking.test(comparison.claim.at(-1)?.text ?? '')) unheard.push('question-as-statement');
  if (yesOrNo.test(openingOf(comparison.claim))) unheard.push('yes-or-no');
  if (unheard.length > 0)
    return { degree: 'unlike', chance: Math.min(chance, 0.49), reasons: [...unheard, ...changes] };
  const { confirmed, shown } = hasEncoder ? fitted.withEncoder : fitted.withoutEncoder;
  const isShown = chance >= shown;
  const isConfirmed = chance >= confirmed && features.told >= leastTold && changes.length === 0;
  return {
    degree: isConfirmed ? 'confirmed' : isShown ? 'reworded' : 'unlike',
    chance: changes.length === 0 ? chance : Math.min(chance, 0.49),
    reasons: [`carried-by-chance: ${chance.toFixed(2)}`, ...changes],
  };
}

/** A year is no count: "opened in 1872" tells of no 1,872 visitors. */
const miscastFigures = ({ claim, quote }: Comparison): readonly string[] =>
  claim.flatMap((token) => {
    const same = isFigure(token) ? quote.tokens.filter((other) => similarity(token, other) > 0) : [];
    return same.length > 0 && same.every(({ type }) => type !== token.type) ? [token.text] : [];
  });

/** What the comparison word by word names in a claim that is so much like its sentence, or a piece of it. */
export function changesOfCopy(
  comparison: Comparison,
  reasons: readonly string[],
  { leastAlike, mayAdd }: { readonly leastAlike: number; readonly mayAdd: boolean },
): readonly string[] {
  const { alike, contained, containing } = likenessOf(comparison);
  const changed = reasons.filter((reason) => !isSameOtherwise(reason, comparison));
  if (contained >= copied.contained) return changed;
  if (alike < leastAlike && containing < copied.contained) return [];
  const { titles, question } = comparison;
  const isIn = (word: string, over: readonly Token[]): boolean =>
    comparison.claim.some((token) => token.text === word && over.some((other) => similarity(token, other) > 0));
  const isAdded = (reason: string): boolean =>
    (mayAdd && reason.startsWith(added)) ||
    (inPlace.test(reason) && isIn(reason.replace(inPlace, ''), [...titles, ...question])) ||
    (figureOver.test(reason) && isIn(reason.replace(figureOver, ''), titles));
  return changed.filter((reason) => !isAdded(reason));
}

/** The chance that the quotes carry a claim with these features. */
export function chanceOf(features: Features, hasEncoder: boolean): number {
  const { bias, weights } = hasEncoder ? fitted.withEncoder : fitted.withoutEncoder;
  const sum = featureNames.reduce((total, name) => total + (weights[name] ?? 0) * features[name], bias);
  return Math.round(1000 / (1 + Math.exp(-sum))) / 1000;
}
