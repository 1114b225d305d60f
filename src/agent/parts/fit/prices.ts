// Whether the price that a sentence tells is that of something else: "The spare impeller costs twenty-nine pounds", where the price of the pump was asked for. Pure.
import { likeness, termSet } from '../../../answer/question/terms.ts';

const asksPrice =
  /^(?:how much|what) (?:do|does|did|will|would|can|is|are|was|were) .{1,200}\b(?:costs?|prices?)\b|\b(?:price|cost) of\b/iu;
/** What costs: the words in front of the verb. */
const priced =
  /^(?<subject>(?:the |an? |each |every |one )?[\p{L}][^,;:.()|]{1,60}?) (?:now |currently |only |also )?(?:costs?|sells for|is priced at|is sold for|can be had for)\b/iu;
const standsFor = /^(?:it|this|that|they|one|each|prices?|the (?:list |unit |retail )?price|all|both)$/iu;

/** `over`: what stands over the sentence, and names what it is about. */
export function isPriceOfAnother(
  question: string,
  { text, over }: { readonly text: string; readonly over: string },
): boolean {
  if (!asksPrice.test(question)) return false;
  const subject = priced.exec(text)?.groups?.['subject'];
  if (subject === undefined || standsFor.test(subject.trim())) return false;
  const own = termSet(subject);
  if (own.size === 0) return false;
  const known = [...termSet(`${question}\n${over}`)];
  return ![...own].some((term) => known.some((one) => likeness(term, one) >= 0.5));
}
