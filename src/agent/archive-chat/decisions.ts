// Whether a sentence of a chat tells that something was decided, by how people say it: in the past ("we chose"), by doing it as they speak ("I stay with
// Astro", "Decision: …"), or as what they are about to do ("we'll rent"). What is asked, denied, put under a condition, doubted or put off decides nothing. Pure.

const person = String.raw`(?:i|we)(?:['’](?:ve|m|re|ll|d))?`;
const between = String.raw`(?:\s(?:have|am|are|will|now|then|so|both|all|finally|therefore|just|simply|definitely)){0,3}\s`;

/** Said afterwards. */
const past =
  /\b(?:decided|chose|chosen|agreed|settled|concluded|opted|picked|signed|ordered|bought|booked|hired|went (?:with|for)|made up (?:my|our) minds?)\b/iu;
/** Said is done: verbs of choosing, of staying and changing, of buying somewhere. */
const present = new RegExp(
  String.raw`\b${person}${between}(?:choose|pick|decide|settle (?:on|for)|opt for|go(?:ing)? (?:with|for)|take|stay(?:ing)? with|stick(?:ing)? (?:with|to)|keep(?:ing)?|switch(?:ing)? to|mov(?:e|ing) to|(?:buy|order|rent|hire)(?:ing)? (?:from|at)|(?:would )?rather)\b`,
  'iu',
);
const future = /\b(?:(?:i|we)['’]ll|(?:i|we) will|let us|let['’]s)\s(\p{L}{1,20})/iu;
const named =
  /^\W{0,4}(?:(?:final|my|our|the)\s){0,2}(?:decision|choice|verdict|conclusion|resolved|decided|winner)\s?(?::|\bis\b|\bwas\b)|\bfinal decision\b|\bit(?:['’]s| is) settled\b|\b(?:\p{L}{2,20}) it is[.!]?$/iu;
const ending =
  /\b(?:in the end|finally|after all|ultimately)\b,?(?:\s[^\s.?!]{1,20}){0,3}?\s(?:it (?:is|was|will be)|we|i)\b/iu;

/** What is done of habit is not decided now. */
const habit = /\b(?:every (?:day|week|month|year|morning|evening|time)|usually|always|often|sometimes|normally)\b/iu;
/** Comes before what would be decided, within some words of it. */
const open =
  /\b(?:if|whether|unless|until|before|when would|not|never|nobody|nothing|cannot|maybe|perhaps|might|may|could|should|would you|how|yet to|once)\b|n['’]t\b/iu;
/** Puts a decision off. */
const deferring: ReadonlySet<string> = new Set(
  'think sleep see check ask look consider let come get wait talk discuss say not decide try read have need be know find compare keep first hear call tell remember revisit postpone'.split(
    ' ',
  ),
);
const reach = 45;

const isOpen = (sentence: string, at: number): boolean => open.test(sentence.slice(Math.max(0, at - reach), at));

/** A person says in the sentence that something was decided. */
export function tellsDecision(sentence: string): boolean {
  if (/\?\s*$/u.test(sentence)) return false;
  if (named.test(sentence)) return true;
  for (const form of [past, present, ending]) {
    const found = form.exec(sentence);
    if (!found || isOpen(sentence, found.index) || open.test(found[0])) continue;
    if (form === present && habit.test(sentence)) continue;
    return true;
  }
  const next = future.exec(sentence);
  return next !== null && !isOpen(sentence, next.index) && !deferring.has((next[1] ?? '').toLowerCase());
}
