// A question that names a time and nothing else ("What did we talk about in September?"): the conversations of that time with their first words.
import { toInert } from '../../core/answers/inert-text.ts';
import type { ArchiveCitation, TimeConversations, TimeRange } from '../../core/archive.ts';
import { marked, marksOf } from '../../core/marked-text.ts';
import { calendarOf } from '../../memory/archive/time/calendar.ts';
import { readWhen } from '../../memory/archive/time/when.ts';
import { toRange } from './explore.ts';
import { speaksOfSpeaking } from './meta-words.ts';
import type { AnswerPorts, ChatOutcome } from './outcome.ts';
import { toDay } from './turn-spans.ts';

const mostConversations = 10;

/** The conversations of the time that a question names, and nothing else. Undefined: it asks for something else. */
export async function conversationsOf(
  question: string,
  { archive, nowMs }: Pick<AnswerPorts, 'archive' | 'nowMs'>,
): Promise<(TimeConversations & { readonly phrase: string; readonly timeRange: TimeRange }) | undefined> {
  const calendar = calendarOf('UTC');
  const named = readWhen(question, { calendar, nowMs });
  if (!named || !speaksOfSpeaking(question.replace(named.phrase, ' '))) return undefined;
  const last = (await archive.during({ limit: 0 })).last_timestamp;
  const when = readWhen(question, { calendar, nowMs, ...(last && { lastMs: Date.parse(last) }) }) ?? named;
  const timeRange = toRange(when);
  const found = await archive.during({ time_range: timeRange, limit: mostConversations });
  return { ...found, phrase: named.phrase, timeRange };
}

/** Undefined: it asks for something else. */
export async function answerOfTime(
  question: string,
  { archive, nowMs, say }: Pick<AnswerPorts, 'archive' | 'nowMs' | 'say'>,
): Promise<ChatOutcome | undefined> {
  const found = await conversationsOf(question, { archive, nowMs });
  if (!found) return undefined;
  const { conversations, total, phrase, timeRange } = found;
  const told = { abstained: false, weak: false, coverage: 1, timeRange, degraded: [] };
  if (conversations.length === 0) {
    say(marked`${toInert(`The archive has no conversation of that time (${phrase}).`)}`);
    return { ...told, citations: [], abstained: true, weak: true, coverage: 0 };
  }
  const citations = conversations.map(
    ({ turns: _, words, ...first }, at): ArchiveCitation => ({ ...first, index: at + 1, quote: words }),
  );
  const more = total - conversations.length;
  say(
    marked`${toInert(
      `${total === 1 ? 'One conversation' : `${total} conversations`} of that time${more > 0 ? `; the ${conversations.length} with most turns` : ''}:`,
    )}\n`,
  );
  for (const [at, { timestamp, title, turns, words }] of conversations.entries()) {
    const line = `On ${toDay(timestamp)}, ${title === '' ? 'without a title' : `“${title}”`} (${turns === 1 ? '1 turn' : `${turns} turns`}), which begins: “${words}”`;
    say(marked`\n${toInert(line)} ${marksOf([at + 1])}`, [citations[at] as ArchiveCitation]);
  }
  return { ...told, citations };
}
