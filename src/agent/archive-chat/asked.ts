// What a question to the archive asks for beside its topic: the first or the last time, a decision, whether a mind was changed, how often, the
// words of one person. Expressions of English, some of German, each linear.
import type { ReadTurn } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';

export type Edge = 'first' | 'last';

const firstPattern = /\b(?:first|earliest|originally|begin|began|start(?:ed)?)\b(?! (?:half|quarter|name))/iu;
const lastPattern =
  /\b(?:last time|latest|most recent(?:ly)?|lately|last (?:talk|talked|speak|spoke|mention|mentioned|discuss|discussed|say|said|ask|asked|hear|heard|write|wrote))\b/iu;

export const edgeAsked = (question: string): Edge | undefined =>
  lastPattern.test(question) ? 'last' : firstPattern.test(question) ? 'first' : undefined;

const person = '(?:i|we)';
const decisionAsked =
  /\b(?:decid|decision|choose|chose|agree|conclu|settle|pick(?:ed)?\b|go with|went with|entschieden|beschlossen|entscheidung)/iu;
/** Asked of the end of something: "what did we do in the end?". */
const endAsked = /\b(?:in the end|finally|eventually|ultimately|after all|end(?:ed)? up|am ende|schließlich)\b/iu;
/** What people do once, having decided it: as it is asked for, and as it is told. */
const deeds: readonly (readonly [asked: string, told: RegExp])[] = [
  ['buy|bought|gekauft', /\b(?:bought|buying|got|gekauft|kaufen)\b/iu],
  ['order|ordered|bestellt', /\b(?:order(?:ed|ing)?|bestellt)\b/iu],
  ['book|booked|gebucht', /\b(?:book(?:ed|ing)?|gebucht)\b/iu],
  ['hire|hired', /\b(?:hired|hiring)\b/iu],
  ['rent|rented|gemietet', /\b(?:rent(?:ed|ing)?|leased|gemietet)\b/iu],
  ['sell|sold|verkauft', /\b(?:sold|selling|verkauft)\b/iu],
  ['sign|signed', /\bsign(?:ed|ing)\b/iu],
  ['cancel|cancelled|canceled|gekündigt', /\b(?:cancel\p{L}{0,6}|gekündigt)\b/iu],
  ['return|returned', /\b(?:return(?:ed|ing)|sen[dt](?:ing)? (?:it|them) back|sent back)\b/iu],
  ['switch|switched', /\b(?:switch\p{L}{0,4}|moved|migrated|changed)\b/iu],
  ['join|joined', /\bjoin(?:ed|ing)\b/iu],
  ['adopt|adopted', /\badopt(?:ed|ing)\b/iu],
  ['reject|rejected', /\b(?:reject\p{L}{0,4}|declined|refused|turned (?:it |them )?down)\b/iu],
  ['accept|accepted', /\baccept(?:ed|ing)\b/iu],
];
const deedAsked = new RegExp(
  String.raw`\b(?:did|have|had) ${person} (?:\p{L}{1,12} )?(${deeds.map(([asked]) => asked).join('|')})\b|\b(?:habe ich|haben wir)\b.{0,80}\b(gekauft|bestellt|gebucht|gemietet|verkauft|gekündigt)\b`,
  'iu',
);
const deedOf = (question: string): string | undefined => {
  const found = deedAsked.exec(question);
  return found?.[1] ?? found?.[2];
};
/** What was done about something, or what became of it. */
const outcomeAsked =
  /\bwhat (?:did (?:i|we) do (?:about|with)|(?:happened|became|has become) (?:to|with|of) (?:my|our|the)\b)/iu;

/** Who asks for these asks for what was decided. */
export const asksForDecision = (question: string): boolean =>
  decisionAsked.test(question) ||
  endAsked.test(question) ||
  deedOf(question) !== undefined ||
  outcomeAsked.test(question);

/** The question without the deed that it asks for, which is told by many words; and what tells it. */
export function readDeed(question: string): { readonly rest: string; readonly told?: RegExp } {
  const deed = deedOf(question)?.toLowerCase();
  if (deed === undefined) return { rest: question };
  const told = deeds.find(([asked]) => asked.split('|').includes(deed))?.[1];
  const rest = question.replace(/\p{L}+/gu, (word) => (word.toLowerCase() === deed ? ' ' : word));
  return { rest, ...(told && { told }) };
}

export const asksWhy = (question: string): boolean => /^\s*(?:why|what made|how come|warum|wieso)\b/iu.test(question);

/** It asks for something of those who ask. */
export const isOfAsker = (question: string): boolean =>
  /\b(?:i|we|my|our|mine|ours|ich|wir|mein\p{L}{0,2}|unser\p{L}{0,2})\b/iu.test(question);

const changeAsked =
  /\bchang(?:e|ed|ing) (?:my|our|his|her|their) minds?\b|\b(?:do|did|have|am|are) (?:i|we) (?:still|stick|stuck|stay|stayed|keep|kept)\b|\breconsider|\b(?:go|went|gone) back on\b/iu;
/** Whether a mind was changed, or whether what was decided still stands. A time that is told by it is no question for it. */
export const asksForChange = (question: string): boolean =>
  changeAsked.test(question) && !/\b(?:before|after|when|until|since) (?:i|we) change/iu.test(question);

const opinionAsked =
  /\b(?:do|did) (?:i|we) (?:\p{L}{1,10} )?(?:think|feel|like|love|hate|prefer|enjoy)\b|\b(?:my|our) (?:opinion|view|take|stance|feelings?)\b/iu;
export const asksForOpinion = (question: string): boolean => opinionAsked.test(question);

const often = /\bhow (?:often|frequently|many (?:times|turns|messages|chats|conversations))\b|\bwie (?:oft|häufig)\b/iu;
const ofSpeech =
  /\b(?:mention|talk|speak|spoke|discuss|bring up|brought up|ask|say|said|tell|told|write|wrote|complain|come up|came up|refer|chat|erwähnt|gesprochen|geredet|gefragt|gesagt|geschrieben)/iu;
/** How often something was said. How often something is done is told by what was said of it. */
export const asksForCount = (question: string): boolean => often.test(question) && ofSpeech.test(question);

/** It asks for what was said or asked, by whomever and whenever. */
export const asksOfSpeech = (question: string): boolean =>
  ofSpeech.test(question) || edgeAsked(question) !== undefined || speakerAsked(question) !== undefined;

export type Turning = 'start' | 'stop';
const turningAsked =
  /\b(?:when|since when|how long ago)\b (?:did|have|has) (?:\p{L}{1,20} ){1,3}(?:(start|began|begin|take up|took up|get into|got into)|(stop|quit|give up|gave up|drop|cancel))\b/iu;
/** When something was begun or ended, which is not when it was first spoken of. */
export function turningOf(question: string): Turning | undefined {
  const found = turningAsked.exec(question);
  if (!found) return undefined;
  const isOfSpeech = ofSpeech.test(question.slice(found.index + found[0].length, found.index + found[0].length + 15));
  if (isOfSpeech) return undefined;
  return found[1] === undefined ? 'stop' : 'start';
}

const turningWords =
  /\b(?:start|begin|take up|get into|stop|quit|give up|gave up)(?: (?:learning|doing|taking|playing|using|having|going to|going|working on|practising|practicing|studying|with))?(?= )/iu;
/** The question without the verb of its beginning or end. */
export const withoutTurning = (question: string): string => question.replace(turningWords, ' ');

const partsOf = (author: string): readonly string[] => author.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Those who speak in the turns and whom the question names. */
export function namedAuthors(question: string, turns: readonly Pick<ReadTurn, 'messages'>[]): ReadonlySet<string> {
  const words = new Set(question.toLowerCase().match(/\p{L}+/gu));
  const authors = new Set(turns.flatMap(({ messages }) => messages.flatMap(({ author }) => author ?? [])));
  return new Set([...authors].filter((author) => partsOf(author).some((part) => part.length > 2 && words.has(part))));
}

const saidBy =
  /\b(?:did|does|has|had)\s(\p{L}{1,40})(?:\s\p{L}{1,40})?\s(?:say|said|tell|told|write|written|wrote|think|thought|want|wanted|ask|asked|propose|proposed|suggest|suggested|mention|mentioned|offer|offered|decide|decided|recommend|recommended)\b|\baccording to\s(\p{L}{1,40})|\b(\p{L}{1,40})(?:\s\p{L}{1,40})?\s(?:said|told|wrote|thought|proposed|suggested|mentioned|recommended)\b/iu;

/** The name whose own words the question asks for: "what did Ana say about the budget?". */
export function speakerAsked(question: string): string | undefined {
  const [, first, second, third] = saidBy.exec(question.replace(/\s+/gu, ' ')) ?? [];
  const name = first ?? second ?? third;
  return name !== undefined && !/^(?:i|we|you|they|he|she|it|the|who|what|anyone|anybody|someone)$/iu.test(name)
    ? name.toLowerCase()
    : undefined;
}

export const isOfSpeaker = (author: string | undefined, speaker: string): boolean =>
  author !== undefined && partsOf(author).includes(speaker);

/** Terms that a name gives: whoever speaks seldom says their own. */
export const termsOfName = (name: string): ReadonlySet<string> => new Set(analyzeText(name, { language: 'en' }));
