// Text that states nothing: headings, marks of prompts, and pieces of sentences that break off. It is no claim, whatever it is
// cited for. English rules; other languages are only looked at for marks.
import type { Language } from './tokens.ts';

/** What chat formats and prompts write around text. */
const promptMarks =
  /^\s*(?:‹|<\||\|(?!.*\|)|\[\/?(?:INST|SYS)\]|#{1,6}\s|(?:system|assistant|user|human|instruction|prompt)\s*[>›])|<\|?(?:im_start|im_end|endoftext|eot_id)\b|[‹<]\s*(?:\/\s*)?(?:system|assistant)\s*[›>]|\[\/?INST\]/iu;
/** No sentence ends with one of these. */
const dangling =
  /(?:^|\s)(?:the|a|an|and|or|but|nor|than|which|whose|because|although|unless|if|whether|very|its|their|his|my|our|your|namely|i\.e|e\.g|such as|equal to|defined as)[.\s,;:–—-]*$/iu;
/** Nor with one of these, unless a full stop says that it does ("what it is for."). */
const danglingOpen =
  /(?:^|\s)(?:is|are|was|were|am|be|been|of|that|with|from|into|onto|as|at|by|for|to|between|among|during|has been|have been|had been|will be|can be|may be)[\s,;:–—-]*$/iu;
const numbered =
  /^(?:\d+(?:\.\d+)+|\d+\.|[A-Z]\.|[IVX]+\.|§\s?\d+|Chapter \d+|Section \d+|Appendix [A-Z\d]+)\s+\p{Lu}[\p{L}\s,-]{2,60}$/u;
const verbal =
  /\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|must|will|would|shall|should)\b|(?<=\p{L}{2})(?:ed|es|[^s]s)\b/u;

const openBrackets = (text: string): number =>
  (text.match(/[([]/gu)?.length ?? 0) - (text.match(/[)\]]/gu)?.length ?? 0);
/** Words that a sentence ends with only where it was cut: "the market is largely.", "such as those.", "…, however." */
const cutBehind =
  /(?:\b(?:is|are|was|were) (?:largely|mostly|mainly|usually|often|also)|\bsuch as (?:those|these|this|that)|\bthis is|,\s{0,2}however|\bso (?:important|large|great|high|strong|low|small) has been)[.\s]*$/iu;

/** A claim that leaves off where its quote goes on: in the middle of a bracket, or behind a word that wants another one. */
export function breaksOff(claim: string, quote: string): boolean {
  const cut = claim.trim();
  if (openBrackets(cut) > 0 && openBrackets(quote) <= 0) return true;
  if (!cutBehind.test(cut)) return false;
  const bare = cut.replace(/(?<![.\s])[.\s]+$/u, '');
  const at = quote.indexOf(bare);
  return at >= 0 && /^\s*[\p{L}\p{N}(,–-]/u.test(quote.slice(at + bare.length));
}

/** Why `claim` states nothing, or undefined. */
export function fragmentOf(claim: string, language: Language): string | undefined {
  const text = claim.trim();
  if (promptMarks.test(text)) return 'prompt-mark';
  if (language !== 'en') return undefined;
  if (
    numbered.test(text) &&
    !verbal.test(
      text
        .replace(/^\S+\s+/u, '')
        .split(/\s+/u)
        .slice(1)
        .join(' '),
    )
  )
    return 'heading';
  const words = text.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  if (words.length < 3) return undefined;
  // A colon or a figure may stand where the sentence breaks off: "the variance is" before a formula.
  if (
    (dangling.test(text) || danglingOpen.test(text)) &&
    !/\d\s?[ap]\.?m\W*$/iu.test(text) &&
    !/[\p{Lu}\d"”’)]\s*[.,;:]*$/u.test(text) &&
    !/\?\s*$/u.test(text)
  )
    return 'breaks-off';
  return undefined;
}
