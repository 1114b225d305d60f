// What kinds of value a question asks for, part by part, and whether what is said gives them: a number for "how many", a date for "when",
// both for "who … and when …". What fits is said first; where nothing fits, confidence says so.

import { askedUnitOf } from '../question/asked-unit.ts';
import type { AnswerType, Question } from '../question/question.ts';
import { analyzeQuestion } from '../question/question.ts';
import { typeFit } from '../question/typed-spans.ts';
import type { RankedCandidate } from './rank.ts';

/** A form of these kinds can be seen in a text; of the others it can only be guessed. */
const visible: ReadonlySet<AnswerType> = new Set(['number', 'quantity', 'date', 'person']);
/** A text that fits no better gives nothing of the kind asked for. */
export const leastFit = 0.5;
/** What fits comes first where it scores at least this share of the best, and covers as much of the question. */
const leastShare = 0.75;
/** A value in the unit asked for tells more than its kind: there half of the best score will do. */
const leastUnitShare = 0.5;
/** A field that the question wants, if it scores so much of the best and covers as much. */
const leastFieldShare = 0.9;
/** What counts the thing asked for covers at least this share of what the best covers. */
const leastCounted = 0.4;

const secondPart =
  /,?\s{1,8}(?:and|und)\s{1,8}(?=(?:(?:in|on|at|for|by|from|to|with)\s{1,8})?(?:what|which|who|whom|whose|when|where|why|how|wer|wann|wo|wie|warum)\b)/iu;

/** The question once for each of its parts, with the kind of value that the part asks for. */
export function partsOf(question: Question): readonly Question[] {
  const parts = question.text.split(secondPart).filter((part) => /\p{L}{2}/u.test(part));
  if (parts.length < 2) return [question];
  return parts.map((part) => ({ ...question, type: analyzeQuestion(part).type }));
}

/** How well the texts together give what every part asks for, 0..1; 1 where no part asks for what can be seen. */
export const fitOf = (parts: readonly Question[], texts: readonly string[]): number => visibleFitOf(parts, texts) ?? 1;

/** The same; undefined where no part asks for what can be seen. */
export function visibleFitOf(parts: readonly Question[], texts: readonly string[]): number | undefined {
  const seen = parts.filter(({ type }) => visible.has(type));
  if (seen.length === 0) return undefined;
  return Math.min(...seen.map((part) => Math.max(0, ...texts.map((text) => typeFit(part, text)))));
}

const toFront = (one: RankedCandidate, ranked: readonly RankedCandidate[]): readonly RankedCandidate[] => [
  one,
  ...ranked.filter((other) => other !== one),
];

/** Best first; where the best one gives nothing of the kind asked for, one that does and is nearly as good comes before it. */
export function fittingFirst(
  parts: readonly Question[],
  ranked: readonly RankedCandidate[],
): readonly RankedCandidate[] {
  const [best] = ranked;
  const first = parts.slice(0, 1);
  if (!best) return ranked;
  const measured = fieldFirst(first, ranked) ?? measuredFirst(first[0]?.text ?? '', ranked);
  if (measured) return measured;
  if (fitOf(first, [best.candidate.text]) >= leastFit) return ranked;
  const { score, candidate } = best;
  // What counts the thing asked for tells more than what speaks of all else that the question names.
  const counting =
    first[0]?.type === 'number' && fitOf(first, [candidate.text]) === 0
      ? ranked.find(
          (other) =>
            other.score >= leastUnitShare * score &&
            other.candidate.features.coverage >= leastCounted * candidate.features.coverage &&
            fitOf(first, [other.candidate.text]) === 1,
        )
      : undefined;
  if (counting) return toFront(counting, ranked);
  const fitting = ranked.find(
    (other) =>
      other.score >= leastShare * score &&
      other.candidate.features.coverage >= leastShare * candidate.features.coverage &&
      fitOf(first, [other.candidate.text]) >= leastFit,
  );
  return fitting ? toFront(fitting, ranked) : ranked;
}

/** "Number of employees: 221" tells how many they are, and a sentence on some of them does not, though it holds as many words of the question. */
function fieldFirst(
  parts: readonly Question[],
  ranked: readonly RankedCandidate[],
): readonly RankedCandidate[] | undefined {
  const [best] = ranked;
  if (!best || best.candidate.features.sought > 0 || visibleFitOf(parts, ['']) === undefined) return undefined;
  const field = ranked.find(
    (other) =>
      other.candidate.features.sought > 0 &&
      other.score >= leastFieldShare * best.score &&
      covers(other) >= covers(best) &&
      fitOf(parts, [other.candidate.text]) >= leastFit,
  );
  return field && toFront(field, ranked);
}

/** Share of the question in what is said, with the sentence before and the headings. */
const covers = ({ candidate: { features } }: RankedCandidate): number =>
  features.coverage + features.titled + features.before;

/** The first value in the unit asked for, where the best sentence has none; undefined where there is none to prefer. */
function measuredFirst(question: string, ranked: readonly RankedCandidate[]): readonly RankedCandidate[] | undefined {
  const [best] = ranked;
  const isMeasured = best && askedUnitOf(question);
  // The unit of a row stands in the head of its column.
  if (!isMeasured || best.candidate.kind === 'row' || isMeasured(best.candidate.text)) return undefined;
  const given = ranked.find(
    (other) =>
      other.score >= leastUnitShare * best.score &&
      covers(other) >= leastShare * covers(best) &&
      isMeasured(other.candidate.text),
  );
  return given && toFront(given, ranked);
}
