// Whether a sentence tells a time or a condition to a question that asks when: "when may one fly" is told by "except to the islands", and by no sum of money. Pure.
import { findQuantities } from '../../../text/quantities/quantities.ts';

/** Asks for what always holds: a condition answers it as well as a time. */
const asksRule =
  /^when (?:is|are|may|can|must|should|shall|does|do|will|could|would|need|needs)\b(?!.{0,200}\b(?:born|next|due|election|meeting)\b)/iu;
const condition =
  /\b(?:if|where|wherever|unless|except|exceptions?|excepting|provided|in case|as soon as|as long as|only|on condition|in the event|subject to|upon|whenever|by way of)\b/iu;
/** Tells a time without a date. */
const time =
  /\b(?:when|whenever|after|before|while|during|since|until|once|upon|ago|today|tomorrow|yesterday|currently|now|daily|weekly|monthly|annually|immediately)\b/iu;
/** Dimensions of quantities that say how long or how late. */
const ofTime: ReadonlySet<string> = new Set(['time', 'months']);

export function tellsWhen(question: string, text: string): boolean {
  if (time.test(text) || (asksRule.test(question) && condition.test(text))) return true;
  // "32 pounds" tells no time.
  const measured = findQuantities(text).filter(({ unit }) => unit !== undefined && !ofTime.has(unit.dimension));
  const rest = measured
    .toReversed()
    .reduce((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, text);
  // "The Corva 200" tells no time either.
  return (rest.match(/\p{Nd}[\p{Nd}.,]*/gu) ?? []).some((figure) => !question.includes(figure));
}
