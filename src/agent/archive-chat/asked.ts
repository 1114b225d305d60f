// Tells what a question to the archive asks for beside its topic: the first or the last time, a decision, the words of one person. Expressions of
// English, some of German, each linear.
import type { ReadTurn } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';

export type Edge = 'first' | 'last';

const firstPattern = /\b(?:first|earliest|originally|begin|began|start(?:ed)?)\b(?! (?:half|quarter|name))/iu;
const lastPattern =
  /\b(?:last time|latest|most recent(?:ly)?|lately|last (?:talk|talked|speak|spoke|mention|mentioned|discuss|discussed|say|said|ask|asked|hear|heard|write|wrote))\b/iu;

export const edgeAsked = (question: string): Edge | undefined =>
  lastPattern.test(question) ? 'last' : firstPattern.test(question) ? 'first' : undefined;

const decisionAsked =
  /\b(?:decid|decision|choose|chose|agree|conclu|settle|pick(?:ed)?\b|go with|went with|in the end|finally|eventually|chang(?:e|ed) (?:my|our|his|her|their) minds?|entschieden|beschlossen|entscheidung)/iu;
/** What was decided last holds: such a question is answered by the latest first. */
export const asksForDecision = (question: string): boolean => decisionAsked.test(question);

/** It asks for something of those who ask. */
export const isOfAsker = (question: string): boolean =>
  /\b(?:i|we|my|our|mine|ours|ich|wir|mein\p{L}{0,2}|unser\p{L}{0,2})\b/iu.test(question);

const ofSpeech =
  /\b(?:mention|talk|speak|spoke|discuss|bring up|brought up|ask|say|said|tell|told|write|wrote|complain|come up|came up|refer|chat|erwähnt|gesprochen|geredet|gefragt|gesagt|geschrieben)/iu;
/** It asks for what was said or asked, by whomever and whenever. */
export const asksOfSpeech = (question: string): boolean =>
  ofSpeech.test(question) || edgeAsked(question) !== undefined || speakerAsked(question) !== undefined;

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
