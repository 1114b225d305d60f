// Which kinds of source a question needs, and why: by what it says (cues.ts), by the names of the sources that are there, and by a model
// where one judges. Invariants: never none; where nothing speaks for a kind, all; a decision that is not certain leaves nothing out, it only
// says what to prefer. Pure.
import type { SourceType } from '../../core/document.ts';
import { certain, cues } from './cues.ts';
import { everydayCues } from './everyday-cues.ts';
import { plainQuestion } from './plain-question.ts';

export interface RoutedSource {
  readonly name: string;
  readonly type: SourceType;
}

export interface RouteDecision {
  /** What the question needs, most needed first; empty where nothing tells. */
  readonly types: readonly SourceType[];
  /** The first kinds may be asked alone. */
  readonly isCertain: boolean;
  /** What is not needed is hardly wanted. */
  readonly isPlain?: true;
  /** In words. */
  readonly reason: string;
}

/** Kinds that have at least this share of the best one's weight are needed as well. */
const alsoNeeded = 0.8;
/** Less than this says nothing. */
const leastWeight = 0.7;
const allCues = [...cues, ...everydayCues];
/** Words that name many a source and say nothing in a question. */
const plainNames: ReadonlySet<string> = new Set(
  'code docs doc guide guides qa web textbook textbooks conversation conversations workspace uploads corpus default main data files documents test source sources'.split(
    ' ',
  ),
);

interface Weighed {
  readonly type: SourceType;
  weight: number;
  best: number;
  reason: string;
  isPlain?: true;
}

/** What the question says by itself. */
export function decideRoute(question: string, sources: readonly RoutedSource[] = []): RouteDecision {
  const weighed = new Map<SourceType, Weighed>();
  const add = (type: SourceType, weight: number, reason: string, isPlain?: true): void => {
    const present = weighed.get(type) ?? { type, weight: 0, best: 0, reason };
    present.weight += weight;
    if (isPlain) present.isPlain = true;
    if (weight > present.best) {
      present.best = weight;
      present.reason = reason;
    }
    weighed.set(type, present);
  };
  const asked = plainQuestion(question.slice(0, 2_000));
  for (const { type, weight, reason, pattern, isPlain } of allCues)
    if (pattern.test(asked)) add(type, weight, reason, isPlain);
  const saidWords = ` ${asked.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  for (const { name, type } of sources) {
    const spoken = name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (spoken.length < 4 || plainNames.has(spoken)) continue;
    if (saidWords.includes(` ${spoken} `)) add(type, 2, `names the source ${name}`);
  }
  // Whoever names a pattern that decides is not to be outvoted by words.
  const deciding = [...weighed.values()].filter(({ best }) => best >= certain);
  const order = (deciding.length > 0 ? deciding : [...weighed.values()]).sort(
    (left, right) => right.weight - left.weight || (left.type < right.type ? -1 : 1),
  );
  const [first, second] = order;
  if (!first || first.weight < leastWeight)
    return { types: [], isCertain: false, reason: 'nothing in the question tells one kind of source from another' };
  const needed = order.filter(({ weight }) => weight >= alsoNeeded * first.weight).slice(0, 3);
  return {
    types: needed.map(({ type }) => type),
    isCertain:
      first.weight >= certain && (second === undefined || second.weight < first.weight / 2 || deciding.length > 0),
    ...(first.isPlain && { isPlain: true as const }),
    reason: needed.map(({ type, reason }) => `${type}: the question ${reason}`).join('; '),
  };
}
