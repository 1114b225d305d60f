// What a question to the archive asks for beside its topic: the first or the last time, a decision, the words of one person. Expressions of
// English, each linear.
import type { ReadTurn } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';

export type Edge = 'first' | 'last';

const firstPattern = /\b(?:first|earliest|originally|begin|began|start(?:ed)?)\b(?! (?:half|quarter|name))/iu;
const lastPattern =
  /\b(?:last time|latest|most recent(?:ly)?|lately|last (?:talk|talked|speak|spoke|mention|mentioned|discuss|discussed|say|said|ask|asked|hear|heard|write|wrote))\b/iu;

export const edgeAsked = (question: string): Edge | undefined =>
  lastPattern.test(question) ? 'last' : firstPattern.test(question) ? 'first' : undefined;

const decisionAsked = /\b(?:decid|decision|choose|chose|agree|conclu|settle|end(?:ed)? up|pick(?:ed)?\b|go with)/iu;
export const asksForDecision = (question: string): boolean => decisionAsked.test(question);

const partsOf = (author: string): readonly string[] => author.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Those who speak in the turns and whom the question names. */
export function namedAuthors(question: string, turns: readonly Pick<ReadTurn, 'messages'>[]): ReadonlySet<string> {
  const words = new Set(question.toLowerCase().match(/\p{L}+/gu));
  const authors = new Set(turns.flatMap(({ messages }) => messages.flatMap(({ author }) => author ?? [])));
  return new Set([...authors].filter((author) => partsOf(author).some((part) => part.length > 2 && words.has(part))));
}

const saidBy =
  /\b(?:did|does|has|had)\s(\p{L}{1,40})(?:\s\p{L}{1,40})?\s(?:say|said|tell|told|write|written|wrote|think|thought|want|wanted|ask|asked|propose|proposed|suggest|suggested|mention|mentioned|offer|offered)\b|\baccording to\s(\p{L}{1,40})|\b(\p{L}{1,40})(?:\s\p{L}{1,40})?\s(?:said|told|wrote|thought|proposed|suggested|mentioned)\b/iu;

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
