// The sentence, item, row or line of a passage that answers: what is marked in it. Four numbers of each part have weights (pinpoint.json, fitted by
// scripts/fit-pinpoint.ts), one set with the sentence encoder and one without. Invariant: a pinpoint is one part of the passage, exactly.
import type { SourceSpan } from '../core/document.ts';
import { withSingleBlanks } from '../text/one-line.ts';
import { termSet } from '../text/terms.ts';
import { isTableRule } from './blocks.ts';
import { coverOf, type Frame } from './frame.ts';
import type { Passage, PassagePart } from './passage.ts';
import fitted from './pinpoint.json' with { type: 'json' };

export interface Pinpoint {
  readonly part: PassagePart;
  /** Offsets into the text of the passage. */
  readonly span: SourceSpan;
  /** The chance that this part answers, where one of the passage does: 0..1. */
  readonly chance: number;
}

/** What a part is chosen by; `cosine` is 0 without the encoder. */
export const pinpointNumbers = ['own', 'telling', 'figure', 'cosine'] as const;
export type PinpointNumbers = Readonly<Record<(typeof pinpointNumbers)[number], number>>;

/**
 * A part is marked from this chance on: of questions over encyclopaedia paragraphs 93 of 100 get a mark, 86 of these right; over folders of
 * technical documents, of which nothing was learned, 65 and 65 where the passage answers.
 */
export const markedFrom = 0.4;

/** Cover of the question by the part, by what of the part does not stand over it already, whether it holds a figure that is asked for, and its nearness in meaning. */
export function pinpointNumbersOf(
  { terms, kinds }: Frame,
  passage: Passage,
  cosines: readonly number[] = [],
): (part: PassagePart, at: number) => PinpointNumbers {
  const { text, start } = passage;
  const over = termSet(standingOver(passage).join('\n'));
  const wantsFigure = kinds.has('value') || kinds.has('time');
  // Parts that the encoder did not read are as near as those that it read, on average.
  const usual = cosines.reduce((sum, cosine) => sum + cosine, 0) / Math.max(1, cosines.length);
  return (part, at) => {
    const said = text.slice(part.start - start, part.end - start);
    const held = termSet(said);
    return {
      own: coverOf(terms, held),
      telling: coverOf(terms, held.difference(over)),
      figure: wantsFigure && /\d/u.test(said) ? 1 : 0,
      cosine: cosines[at] ?? usual,
    };
  };
}

/**
 * Undefined where no part says anything of the question. `cosines` are those of the parts, in their order, as far as the encoder read
 * them: none, where it read none.
 */
export function pinpointOf(frame: Frame, passage: Passage, cosines: readonly number[] = []): Pinpoint | undefined {
  const { text, start } = passage;
  const weights = cosines.length > 0 ? fitted.encoder : fitted.words;
  const numbersOf = pinpointNumbersOf(frame, passage, cosines);
  const headings = new Set(standingOver(passage).map(withSingleBlanks));
  const scored = passage.parts.flatMap((part, at) => {
    const span = { start: part.start - start, end: part.end - start };
    if (part.form === 'label' || headings.has(withSingleBlanks(text.slice(span.start, span.end)))) return [];
    const numbers = numbersOf(part, at);
    if (numbers.own === 0 && numbers.cosine === 0) return [];
    const score = pinpointNumbers.reduce((sum, name) => sum + weights[name] * numbers[name], 0);
    return [{ part, span, odds: Math.exp(score) }];
  });
  const [best] = scored.toSorted((a, b) => b.odds - a.odds);
  if (!best) return undefined;
  const { part, span, odds } = best;
  return { part, span, chance: odds / scored.reduce((sum, other) => sum + other.odds, 0) };
}

/** What says of what all parts are: the headings, the label that it opens with, the names of the columns. */
const standingOver = (passage: Passage): readonly string[] => [
  ...passage.headingPath,
  ...(passage.label === undefined ? [] : [passage.label]),
  ...columnsOf(passage),
];

/** The first row of a table that has a rule below it. */
function columnsOf({ text, start, parts: [first, second] }: Passage): readonly string[] {
  if (first?.form !== 'row' || !second) return [];
  return isTableRule(text.slice(first.end - start, second.start - start))
    ? [text.slice(first.start - start, first.end - start)]
    : [];
}

/** A figure in digits or words, in English, German, Spanish, French or signs of Chinese. */
export const holdsFigure = (text: string): boolean => /\p{N}/u.test(text) || figureWords.test(text);

const figureWords =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|none|free|unlimited|infinity|daily|weekly|monthly|yearly|eine?[rnsm]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|keine?|un[oae]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix|aucune?)\b|[一二三四五六七八九十百千万两]/iu;
