// Who did something: which deed a question asks for, whether a text says that deed at all, and whether it says it of the very thing. A sentence that only names
// people where the thing is spoken of tells of no deed. Rules over the words. Pure.
import { likeness, termSet, termsOf } from '../../../answer/question/terms.ts';
import { bareOf } from '../../plan/phrases.ts';

/** "Who founded X", "who runs X", "who has built X", "who came up with X". */
const active =
  /^who(?: (?:has|have|had|also|first|originally|currently|really|helped|helps|(?:tried|began|started|wanted) to))* (?<verb>(?!(?:is|are|was|were|has|have|had|can|could|may|might|must|shall|should|will|would|do|does|did|else|works?|lives?|came?|comes?|took|takes?|gets?|got)\b)\p{Ll}{3,20})(?: (?:up|out|off|over|down))? (?<object>\S[^,;:]{0,160})$/iu;
/** "By whom was X founded". */
const passive =
  /^by whom (?:is|was|were|are|has been|have been) (?<object>[^,;:]{1,160}?) (?<verb>\p{Ll}{3,20}(?:ed|en|lt|wn|ng|de|ld|nt|ht|un|ut))$/iu;
/** Words for a deed that are none of its synonyms, or several words. */
const otherWords: readonly (readonly [verb: RegExp, said: RegExp])[] = [
  [
    /^(?:found|establish|start|creat|form)/iu,
    /\b(?:set|sets|started) (?:it |them )?up\b|\bbrainchild\b|\bgoes back to\b/iu,
  ],
  [
    /^(?:runs?|ran|operat\w*|manag\w*|head\w*|lead\w*|led)$/iu,
    /\b(?:manag|operat|edit|direct|head|own|oversee|in charge|responsible)\w*/iu,
  ],
  [/^(?:owns?|owned)$/iu, /\b(?:own|purchas|acquir|bought|belong|subsidiar|parent)\w*/iu],
  [/^audit/iu, /\baudit|\baccounting firm\b|\bLLP\b/iu],
  [
    /^(?:handles?|handled|deals?|keeps?|kept|answers?)$/iu,
    /\b(?:handl|deal|kept|keep|responsible|in charge|contact|go|address|write)\w*/iu,
  ],
  [/^(?:signs?|signed)$/iu, /\/ ?s ?\/|\bsign\w*|^for the \p{L}+: /imu],
  [/^(?:sponsor\w*|financ\w*|fund\w*|pays?|paid)$/iu, /\b(?:sponsor|financ|fund|support|paid|pay|borne|expense)\w*/iu],
  [
    /^(?:makes?|made|produc\w*|build\w*|built|manufactur\w*|develop\w*)$/iu,
    /\b(?:made|mak|produc|buil|manufactur|develop)\w*|\bby \p{Lu}/u,
  ],
  [/^(?:wrote|writes?|authored|posted|published)$/iu, /\bby \p{Lu}|\b(?:post|author|copyright|publish|edit)\w*|©/u],
  [
    /^(?:sang|sings?|perform\w*|play\w*|recorded)$/iu,
    /\b(?:s[iau]ng|sing|perform|play|record|vocal|star|cast)\w*|\bby \p{Lu}/u,
  ],
  [/^(?:organi[sz]e[sd]?|hosts?|hosted)$/iu, /\borgani[sz]\w*|\b(?:host|held)\w*|\bby \p{Lu}/u],
];

export interface Deed {
  readonly verb: string;
  readonly object: string;
}

/** Undefined where a question asks for nobody's deed. */
export function deedAsked(question: string): Deed | undefined {
  const bare = bareOf(question);
  const { verb, object } = (active.exec(bare) ?? passive.exec(bare))?.groups ?? {};
  return verb === undefined || object === undefined ? undefined : { verb, object };
}

/** "Led the attack": what was done is said by the noun behind these. */
const light = /^(?:led|made|gave|took|had|held|launched|carried|conducted|committed|performed|delivered|caused|won)$/iu;

/** `said`: the claim, with its columns and what stands over it. */
export function saysDeed({ verb, object }: Deed, said: string): boolean {
  const [noun] = light.test(verb) ? termsOf(object) : [];
  if (noun && [...termSet(said)].some((term) => likeness(noun.term, term) >= 0.5)) return true;
  if (otherWords.some(([asked, words]) => asked.test(verb) && words.test(said))) return true;
  const [wanted, ...more] = termsOf(verb);
  // A verb that no content word is made of cannot be looked for.
  if (!wanted || more.length > 0) return true;
  return [...termSet(said)].some((term) => likeness(wanted.term, term) >= 0.5);
}

/** "Set up in 1978 by eleven fishing families": whoever did it, though nobody has a name. */
const doneBy =
  /\b(?:set up|\p{Ll}{2,20}(?:ed|en|lt|wn|ld|un)|made)(?: (?:in|on|at|during) [^,.;:]{1,40}?)? by (?:an? |the |(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{Nd}{1,3}) |(?:his|her|its|their|some|several|local|former) )\p{Ll}/u;
export const saysDoer = (said: string): boolean => doneBy.test(said);

/** Whether the deed is said of the very thing: it is the subject of the sentence, or stands right behind the verb. A pronoun in front stands for it. */
export function isOfThing({ verb, object }: Deed, text: string): boolean {
  const name = object.replace(/^(?:the|an?|its?) /iu, '').toLowerCase();
  const said = text.toLowerCase().replace(/^(?:the|an?) /u, '');
  return said.startsWith(name) || /^(?:it|its|they)\b/u.test(said) || said.includes(`${verb.toLowerCase()} ${name}`);
}

/** "When was X appointed chair", "when did the board approve it". */
const happened =
  /^(?:when|on (?:what|which) (?:date|day)|in (?:what|which) year) (?:(?:was|were) .{2,160}? (?<done>\p{Ll}{2,20}(?:ed|en|lt|wn|ld|ght|ft))|did .{2,160}? (?<did>(?!(?:come|take|get|go|have|do|be)\b)\p{Ll}{3,20}))(?: .{1,120})?$/iu;
/** Whether a date is told together with the event that a question asks the time of; undefined where it asks for none. */
export function tellsEvent(question: string, text: string): boolean | undefined {
  const bare = bareOf(question);
  const { done, did: verb = done } = happened.exec(bare)?.groups ?? {};
  return verb === undefined ? undefined : /\p{Nd}/u.test(text) && saysDeed({ verb, object: '' }, text);
}
