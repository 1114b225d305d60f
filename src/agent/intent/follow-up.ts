// The question that a message of a conversation asks: its own words, or those with the question before them behind it in brackets. Both are looked for,
// and two numbers tell which is meant: how much surer the first passage answers with the question before, and how many words the message has. Their weights
// are fitted (follow-up.json, by scripts/fit-follow-ups.ts), and no word of any language is one of them. Invariant: only words that whoever asks wrote are added.
import { readFrame } from '../../passages/frame.ts';
import fitted from './follow-up.json' with { type: 'json' };

export interface FollowUp {
  /** A question that can be searched on its own. */
  readonly resolved: string;
  readonly reason: string;
}

/** The chance that the first passage found for a question answers it, 0..1; undefined where nobody could look. */
export type LookFor = (question: string) => Promise<number | undefined>;

/** Words of content that make one: the unit of the fit. */
const unitTerms = 10;

const trimMark = (question: string): string => question.trim().replace(/(?<![\s?!.。？！])[\s?!.。？！]+$/u, '');

/** A message with the question before it in brackets: its words count, and the own ones more (passages/frame.ts). */
export const withBefore = (content: string, before: string): string =>
  `${content.trim()} (${trimMark(before).replaceAll(/[()]/gu, ' ').trim()})`;

/** What the chance that a message goes on is told from: `gain` is the chance of an answer with the question before, less that without. */
export const followUpNumbers = (content: string, gain: number): readonly [gain: number, terms: number] => [
  gain,
  readFrame(content).terms.length / unitTerms,
];

/** 0..1, by the gain. */
function chanceOf(content: string): (gain: number) => number {
  const [, terms] = followUpNumbers(content, 0);
  return (gain) => 1 / (1 + Math.exp(-(fitted.bias + fitted.gain * gain + fitted.terms * terms)));
}

/** 0..1. */
export const followUpChance = (content: string, gain: number): number => chanceOf(content)(gain);

/** `before` is the question before it. Nobody looks where nothing that is found could change the outcome. Throws what `lookFor` throws. */
export async function resolveFollowUp(
  content: string,
  before: string | undefined,
  lookFor: LookFor,
): Promise<FollowUp> {
  if (before === undefined) return { resolved: content, reason: 'the first question of the session' };
  const together = withBefore(content, before);
  const chanceAt = chanceOf(content);
  const isOpen = chanceAt(-1) < 0.5 && chanceAt(1) >= 0.5;
  const [alone, added] = isOpen ? [await lookFor(content), await lookFor(together)] : [];
  const isUnseen = alone === undefined || added === undefined;
  const chance = chanceAt(isUnseen ? 0 : added - alone);
  const told = `chance ${chance.toFixed(2)}${isUnseen ? ' by its length alone' : ''}`;
  return chance < 0.5
    ? { resolved: content, reason: `stands alone: ${told} that it goes on` }
    : { resolved: together, reason: `goes on with the question before, which was added: ${told}` };
}
