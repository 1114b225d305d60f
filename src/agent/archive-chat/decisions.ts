// Whether a sentence of a chat tells that something was decided, by how people say it: in the past ("we chose"), by doing it as they speak ("I stay with
// Astro", "Decision: …"), or as what they are about to do ("we'll rent"). What is asked, denied, put under a condition, doubted or put off decides nothing. Pure.

const person = "(?:i|we)(?:['’](?:ve|m|re|ll|d))?";
const between = String.raw`(?:\s(?:have|am|are|will|now|then|so|both|all|finally|therefore|just|simply|definitely)){0,3}\s`;

/** Said afterwards. */
const past =
  /\b(?:decided|chose|chosen|agreed|settled|concluded|opted|picked|signed|ordered|bought|booked|hired|went (?:with|for)|made up (?:my|our) minds?)\b/iu;
/** What people do once and for all, told by whoever did it. */
const deed = new RegExp(
  String.raw`\b(?:${person}|(?:the|our|my) \p{L}{3,15})${between}(?:sold|postponed|resigned|withdrew|withdrawn|took (?:the|a|an)\b|got (?:the|a|an)\b|registered|signed up|rewrote|backed out|pulled out|returned|sent back|cancelled|canceled|dropped|ditched|quit|stopped|gave up|gave (?:it|them|\p{L}{2,12})|given up|switched|moved (?:\S{1,24} ){0,4}to|replaced|joined|adopted|rented|leased|accepted|rejected|declined|refused|renewed|extended|subscribed|unsubscribed|enrol?led|migrated|swapped|went back|changed (?:my|our) minds?|named|called (?:it|him|her|them))\b`,
  'iu',
);
/** What is taken back, or is not done after all. */
const takenBack = new RegExp(
  String.raw`\b${person}(?:['’]re|['’]m| am| are)?\s(?:(?:won['’]t|will not|(?:am |are )?not going to|not going (?:to|with|for)|(?:do not|don['’]t) want (?:it|them|that) any ?more|no longer|not|(?:aren['’]t|isn['’]t)(?: going)?)\b[^.?!]{0,60}?(?:\bafter all\b|\bany ?more\b|[.!]|$))`,
  'iu',
);
/** The choice alone: "Denmark then.", "so we repair it". */
const brief =
  /^\W{0,3}(?:(?:ok(?:ay)?|right|so|well|then),? )?\p{Lu}[\p{L}\p{N}-]{1,20}(?: [\p{L}\p{N}-]{1,20}){0,2} then\W{0,2}$|(?:^|[,;–-]\s?)so (?:i|we) (?!(?:have|need|can|could|should|must|may|might|think|thought|guess|hope|wonder|want|wanted|know|knew|see|do|did|was|were|am|are|feel|ask)\b)[a-z]{3,12} (?:it|them|that|this|the|a|an|to|for|with)\b|\bit(?:['’]s| is) going to be\b/iu;
/** Whoever did it is left out: "Sold the bicycle, got a tandem." */
const elliptical =
  /^\W{0,3}(?:(?:so|ok(?:ay)?|well|finally|right|just|then|today|yesterday),? )?(?:sold|bought|ordered|booked|cancelled|canceled|returned|switched|moved to|chose|picked|signed|dropped|ditched|quit|resigned|(?:went|going) (?:with|for)|settled (?:on|for)|got (?:a|an|the))\b/iu;
/** Said as what will be: "next year we rent", "fine, then Tuesdays", "no sabbatical". */
const set =
  /\b(?:next \p{L}{3,10}|from now on|from \p{L}{3,12} on|starting \p{L}{3,12}),? (?:i|we) \p{L}{2,12}|^\W{0,3}(?:fine|ok(?:ay)?|right|alright|all right),? then \p{L}|^\W{0,3}no (?!(?:idea|problem|worries|thanks|way|one|luck|clue|need|wonder|doubt|matter|chance|longer|news|answer|offence)\b)[\p{L}-]{3,20}(?: [\p{L}-]{2,20}){0,2}(?:[,!]| (?:after all|for (?:me|us)))|[,;] full stop\b|\b(?:i|we) compromise\b/iu;
/** Being done as it is told: "sending it back and getting the other instead". */
const instead = new RegExp(String.raw`\b${person}\b[^.?!]{1,80}\binstead\b`, 'iu');
/** German: the verb ends the sentence. */
const german =
  /\b(?:habe?n?|hab)\b(?:\s[^\s.?!]{1,30}){0,12}?\s(?:entschieden|beschlossen|gewählt|ausgesucht|gekauft|bestellt|gebucht|gemietet|verkauft|gekündigt|unterschrieben|geeinigt|angemeldet|abgemeldet|genommen|abgesagt|gewechselt|behalten)\b|\b(?:wir|ich) (?:nehmen?|bleiben?|kaufen?|bestellen?|buchen?) (?!.{0,60}\b(?:vielleicht|eventuell|oder)\b)/iu;
const germanOpen = /\b(?:nicht|noch nicht|ob|wenn|falls|vielleicht|nie|kein(?:e[nrms]?)?)\b/iu;
/** Said is done: verbs of choosing, of staying and changing, of buying somewhere. */
const present = new RegExp(
  String.raw`\b${person}${between}(?:choose|pick|decide|settle (?:on|for)|opt for|go(?:ing)? (?:with|for)|take|stay(?:ing)? with|stick(?:ing)? (?:with|to)|keep(?:ing)?|switch(?:ing)? (?:\S{1,24} ){0,3}to|mov(?:e|ing) (?:\S{1,24} ){0,3}to|migrat(?:e|ing) (?:\S{1,24} ){0,3}to|(?:selling|taking|rewriting|getting|buying|giving up|going back|postponing|withdrawing|cancel(?:l)?ing|dropping|ditching|replacing|returning|quitting|sending (?:it|them) back|getting rid of)|(?:buy|order|rent|hire)(?:ing)? (?:from|at)|(?:would )?rather)\b`,
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

const doubt = /\b(?:sure|certain|know|yet|if|whether|maybe|perhaps|might|think|decided|afraid|sorry|happy)\b/iu;
/** It says that something else held before. */
const change =
  /\b(?:instead|after all|no longer|any ?more|chang(?:e|ed|ing)|switch(?:ed|ing)?|replac(?:e|ed|ing)|migrat(?:ed|ing)|mov(?:ed|ing) (?:\S{1,24} ){0,4}(?:to|from)|back|update|sold|return(?:ed|ing)?|cancel(?:led|ed)?|drop(?:ped|ping)?|ditch(?:ed|ing)?|quit|stopped|gave up|given up|postpon(?:ed|ing)|withdr[ae]wn?|rewr(?:ote|iting)|resigned|doch|statt(?:dessen)?)\b/iu;

export const tellsChange = (sentence: string): boolean => change.test(sentence);

/** Begins anew what was open before it: "never used it, so I gave it away". */
const consequence = /[,;] (?:so|therefore|hence|and so|but)\s/iu;

const isOpen = (sentence: string, at: number): boolean =>
  open.test(
    sentence
      .slice(Math.max(0, at - reach), at)
      .split(consequence)
      .at(-1) ?? '',
  );

/** A person says in the sentence that something was decided. */
export function tellsDecision(sentence: string): boolean {
  if (/\?\s*$/u.test(sentence)) return false;
  if (named.test(sentence)) return true;
  for (const form of [past, present, ending, deed, instead, brief, elliptical, set]) {
    const found = form.exec(sentence);
    if (!found || isOpen(sentence, found.index) || open.test(found[0])) continue;
    if ((form === present || form === brief) && habit.test(sentence)) continue;
    return true;
  }
  const back = takenBack.exec(sentence);
  if (back && !doubt.test(sentence) && !habit.test(sentence)) return true;
  if (german.test(sentence) && !germanOpen.test(sentence)) return true;
  const next = future.exec(sentence);
  return next !== null && !isOpen(sentence, next.index) && !deferring.has((next[1] ?? '').toLowerCase());
}
