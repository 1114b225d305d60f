// Values of a form that cannot be mistaken, where a question asks for one: a time of day, the digits of a telephone number, a sum of money, the name of
// somebody's daughter. What holds none of that form is not the answer. Rules over the words. English. Pure.
import type { Question } from './question.ts';
import { typeFit } from './typed-spans.ts';

const asksClock =
  /\b(?:at |by )?what time (?:of day )?(?:does|do|did|is|are|will|can|should|must)\b|\bwhat (?:is|are) the (?:arrival|departure|start|starting|closing|opening) times?\b/iu;
const clock =
  /\b\d{1,2}[:.h]\d{2}\b|\b\d{1,2}\s?(?:[ap]\.?\s?m\b|o['’]clock)|\b(?:noon|midday|midnight|dawn|dusk|sunrise|sunset|morning|afternoon|evening|hours?)\b/iu;

const asksForDigits =
  /\bwhat (?:is|was|are|were)\b[^?]{0,60}\b(?:(?:tele)?phone|fax|mobile|account|serial|order|invoice|tracking|room|flight|policy|registration|article|part|licen[cs]e) numbers?\b/iu;

const asksForMoney =
  /\bhow much (?:money\b|(?:do|does|did|has|have|had|will|would|was|were) [^?]{1,80}\b(?:costs?|pays?|paid|sell|sold|earn(?:ed)?|charged?|spend|spent|owed?)\b)/iu;
/** Neither in the unit asked for nor any new number. */
const noAmount = 0.3;

const asksForName = /\bnames? of\b/iu;

/** Whether the claim lacks what an answer cannot lack. */
export function lacksValue(asked: Question, claim: string): boolean {
  const { text, type } = asked;
  if (asksClock.test(text)) return !clock.test(claim);
  if (asksForDigits.test(text)) return !/\d/u.test(claim);
  if (asksForMoney.test(text)) return typeFit({ ...asked, type: 'quantity' }, claim) <= noAmount;
  return type === 'person' && asksForName.test(text) && typeFit(asked, claim) === 0;
}
