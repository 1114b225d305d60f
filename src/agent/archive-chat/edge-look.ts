// The first, or the last, turn that speaks of a topic: looked for from the best turns outwards, until nothing beyond them speaks of as much of it.
import type { Peek, PeekSnippet, TimeRange } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import type { Edge } from './asked.ts';
import type { Reading } from './reading.ts';
import { type TopicWord, weightIn } from './topic.ts';

export interface EdgeLook {
  readonly edge: Edge;
  readonly query: string;
  readonly words: readonly TopicWord[];
  readonly timeRange: TimeRange | undefined;
  readonly reading: Pick<Reading, 'peek'>;
}

/** So often it is looked beyond what was found. */
const mostLooks = 5;
const shownTurns = 30;
/** A turn is of the topic when it speaks of so much of what the best one does. */
const leastOfBest = 0.7;
const mostLeading = 3;

const dated = (snippets: readonly PeekSnippet[]): readonly (PeekSnippet & { timestamp: string })[] =>
  snippets.flatMap((one) => (one.hit && one.timestamp !== undefined ? { ...one, timestamp: one.timestamp } : []));

export async function lookAtEdge(
  { edge, query, words, timeRange, reading }: EdgeLook,
  from: Peek,
): Promise<readonly PeekSnippet[]> {
  const sign = edge === 'first' ? 1 : -1;
  const weightOf = ({ snippet, title }: PeekSnippet): number =>
    weightIn(words, new Set([...analyzeText(snippet, { language: guessLanguage(snippet) }), ...analyzeText(title)]));
  const known = new Map<string, PeekSnippet & { timestamp: string }>();
  const take = (view: Peek): void => {
    for (const one of dated(view.snippets)) known.set(JSON.stringify([one.conversation_id, one.turn_id]), one);
  };
  const outermost = (): readonly (PeekSnippet & { timestamp: string })[] => {
    const weights = new Map([...known.values()].map((one) => [one, weightOf(one)] as const));
    const best = Math.max(0, ...weights.values());
    return [...weights]
      .filter(([, weight]) => weight > 0 && weight >= leastOfBest * best)
      .map(([one]) => one)
      .sort((left, right) => sign * (Date.parse(left.timestamp) - Date.parse(right.timestamp)));
  };
  take(from);
  let view = from;
  for (let step = 0; step < mostLooks; step++) {
    // Where a look shows all of its hits there is nothing beyond them.
    if (view.total.hits <= view.snippets.filter(({ hit }) => hit).length) break;
    const [end] = outermost();
    const bins = view.histogram.filter(({ count }) => count > 0);
    const bin = edge === 'first' ? bins[0] : bins.at(-1);
    if (!bin) break;
    const at = end && Date.parse(end.timestamp);
    const isInside = at !== undefined && at >= Date.parse(bin.from) && at < Date.parse(bin.to);
    // Into the outermost bin where something of the topic stands in it, else to all that lies beyond what was found.
    const range: TimeRange =
      isInside || at === undefined
        ? { from: bin.from, to: bin.to }
        : edge === 'first'
          ? { ...timeRange, to: new Date(at).toISOString() }
          : { ...timeRange, from: new Date(at + 1).toISOString() };
    if (timeRange?.from !== undefined && range.to !== undefined && Date.parse(range.to) <= Date.parse(timeRange.from))
      break;
    const label =
      isInside || at === undefined
        ? bin.label
        : `${edge === 'first' ? 'before' : 'after'} ${new Date(at).toISOString().slice(0, 10)}`;
    view = await reading.peek({ query, time_range: range, top_n_snippets: shownTurns }, `the ${edge} time: ${label}`);
    take(view);
    if (view.total.hits === 0) break;
  }
  return outermost().slice(0, mostLeading);
}
