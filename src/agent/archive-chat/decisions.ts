// Sentences that tell what people did or settled, by one table of words, and the turns with such sentences in the conversations that speak of a
// topic: whoever decides seldom names the topic again. What was decided may not be told by any of these words: then nothing is marked.
import type { PeekSnippet, TimeRange } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import type { Reading } from './reading.ts';
import { type TopicWord, weightIn } from './topic.ts';

const told =
  'decided decision chose chosen settled agreed concluded picked bought ordered booked hired rented sold signed cancelled returned switched switching replaced joined dropped postponed instead entschieden beschlossen gekauft bestellt gebucht gemietet verkauft gekündigt';
const words = new RegExp(
  String.raw`(?<![\p{L}])(?:${told.replaceAll(' ', '|')}|went with|going with|go with|went for)(?![\p{L}])`,
  'iu',
);

export const tellsDecision = (sentence: string): boolean => words.test(sentence) && !sentence.trimEnd().endsWith('?');

export interface DecisionLook {
  readonly query: string;
  readonly words: readonly TopicWord[];
  readonly timeRange: TimeRange | undefined;
}

/** A conversation speaks of the topic where a turn of it speaks of so much of what the best one does. */
const leastOfBest = 0.75;
const mostConversations = 4;
const shownTurns = 10;

/** Turns of people that tell a decision, the newest first. */
export async function lookForDecisions(
  { query, words: topic, timeRange }: DecisionLook,
  found: readonly PeekSnippet[],
  peek: Reading['peek'],
): Promise<readonly PeekSnippet[]> {
  const weighed = found
    .filter(({ hit }) => hit)
    .map(({ snippet, title, conversation_id }) => ({
      conversation_id,
      weight: weightIn(
        topic,
        new Set([...analyzeText(snippet, { language: guessLanguage(snippet) }), ...analyzeText(title)]),
      ),
    }));
  const best = Math.max(0, ...weighed.map(({ weight }) => weight));
  const close = weighed.filter(({ weight }) => weight > 0 && weight >= leastOfBest * best);
  const conversations = [...new Set(close.map(({ conversation_id }) => conversation_id))];
  const telling: PeekSnippet[] = [];
  for (const conversation of conversations.slice(0, mostConversations)) {
    const request = {
      query: `${query} ${told}`,
      conversation_id: conversation,
      top_n_snippets: shownTurns,
      ...(timeRange && { time_range: timeRange }),
    };
    const { snippets } = await peek(request, 'a look for what was decided there', query);
    telling.push(...snippets.filter(({ role, snippet }) => role === 'user' && tellsDecision(snippet)));
  }
  const at = ({ timestamp }: PeekSnippet): number => (timestamp === undefined ? 0 : Date.parse(timestamp));
  return telling.sort((left, right) => at(right) - at(left));
}
