// The two tools with which a model explores the archive: `retrieval_peek` looks from above, `retrieval_turn` reads. Invariants: nothing that
// the model writes widens what the caller may read; all that is shown is data, and what does not fit the limits is refused with a sentence.
import { z } from 'zod';
import { fence } from '../../answer/context/evidence.ts';
import { binUnits, type Peek, type PeekSnippet, type ReadTurn } from '../../core/archive.ts';
import { isFootnoteError } from '../../core/errors.ts';
import type { ToolForm } from '../../models/language/tools/read-call.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { Reading } from './reading.ts';
import { titleOf, toDay } from './turn-spans.ts';

export interface ArchiveTool<Arguments = unknown> {
  readonly form: ToolForm<Arguments>;
  /** What the model is told; at most so many tokens. */
  run(given: Arguments, roomTokens: number): Promise<string>;
}

const longestQuery = 1_000;
const longestId = 600;
const mostSnippets = 20;
const shownBins = 60;

const time = z.string().max(64).nullish();
const peekSchema = z.object({
  query: z.string().min(1).max(longestQuery).describe('A few words of the conversations'),
  time_range: z
    .object({ from: time, to: time })
    .nullish()
    .describe('Half open; days (2024-03-01), months, years or instants'),
  bin: z.enum(binUnits).nullish().describe('Unit of the histogram; auto by default'),
  conversation_id: z.string().max(longestId).nullish().describe('Only within this conversation'),
  top_n_snippets: z.int().min(0).max(mostSnippets).nullish().describe('Pieces of the best turns; 10 by default'),
});
const turnSchema = z.object({
  turn_id: z.string().min(1).max(longestId).describe('As a look showed it'),
  conversation_id: z.string().max(longestId).nullish(),
});

const label = (text: string): string => JSON.stringify(fence(text).slice(2).replace(/\s+/gu, ' '));

function renderPeek({ total, bin, histogram, zoom }: Peek, snippets: readonly PeekSnippet[]): string {
  if (total.hits === 0) return `0 hits among ${total.turns} turns.`;
  const bins = histogram.filter(({ count }) => count > 0);
  const shown = bins.length <= shownBins ? bins : bins.toSorted((a, b) => b.count - a.count).slice(0, shownBins);
  const order = shown.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const range =
    total.first_timestamp === undefined || total.last_timestamp === undefined
      ? ''
      : `, ${total.first_timestamp.slice(0, 10)} to ${total.last_timestamp.slice(0, 10)}`;
  return [
    `${total.hits} hits in ${total.conversations} conversations${range}, among ${total.turns} turns.`,
    ...(total.undated > 0 ? [`${total.undated} of them have no time.`] : []),
    `By ${bin} (* peak): ${order.map(({ label: name, count, peak }) => `${name} ${count}${peak ? '*' : ''}`).join(' · ')}`,
    ...(zoom ? [`Worth a closer look: ${zoom.time_range.from} to ${zoom.time_range.to}, by ${zoom.bin}.`] : []),
    ...snippets.map(renderSnippet),
  ].join('\n');
}

function renderSnippet({ turn_id, conversation_id, title, timestamp, role, author, snippet }: PeekSnippet): string {
  const at = timestamp === undefined ? '' : ` date="${timestamp.slice(0, 10)}"`;
  return `<snippet turn_id=${label(turn_id)} conversation_id=${label(conversation_id)}${at} said_by=${label(author ?? role)} title=${label(title)}>\n${fence(snippet)}\n</snippet>`;
}

function renderTurn(turn: ReadTurn): string {
  const { turn_id, conversation_id, timestamp, content_used, messages } = turn;
  const at = timestamp === undefined ? '' : ` date="${toDay(timestamp)}"`;
  return [
    `<turn turn_id=${label(turn_id)} conversation_id=${label(conversation_id)}${at} content_used="${content_used}">`,
    ...messages.map((message) => `${label(titleOf(turn, message))}\n${fence(message.text)}`),
    '</turn>',
  ].join('\n');
}

const refusals = {
  hydrations: 'Not read: no more turns may be read. Stop now.',
  tokens: 'Not read: no more tokens may be read. Stop now.',
  'too-long': 'Not read: this turn is too long for the tokens that are left.',
} as const;

export function createArchiveTools(reading: Reading, question: string): readonly ArchiveTool[] {
  const conversationOf = new Map<string, string>();
  const peek: ArchiveTool<z.infer<typeof peekSchema>> = {
    form: {
      name: 'retrieval_peek',
      description:
        'Looks at the archive from above: how many turns speak of something and when, and pieces of the best.',
      schema: peekSchema,
    },
    async run({ query, time_range, bin, conversation_id, top_n_snippets }, roomTokens) {
      const { from, to } = time_range ?? {};
      const range = { ...(from != null && { from }), ...(to != null && { to }) };
      const found = await reading.peek(
        {
          query,
          ...(Object.keys(range).length > 0 && { time_range: range }),
          ...(bin != null && { bin }),
          ...(conversation_id != null && { conversation_id }),
          top_n_snippets: top_n_snippets ?? 10,
        },
        'the model looks',
      );
      for (const one of found.snippets) conversationOf.set(one.turn_id, one.conversation_id);
      // The counts always, and as many of the best as there is room for.
      for (let shown = found.snippets.length; shown >= 0; shown = shown === 0 ? -1 : Math.floor(shown / 2)) {
        const text = renderPeek(found, found.snippets.slice(0, shown));
        const tokens = countTokens(text);
        if (tokens <= roomTokens && reading.take(tokens)) return text;
      }
      return 'Not shown: no more tokens may be read. Stop now.';
    },
  };
  const turn: ArchiveTool<z.infer<typeof turnSchema>> = {
    form: {
      name: 'retrieval_turn',
      description:
        'Reads a whole turn: what was asked and what was answered. A long one comes as its most telling sentences.',
      schema: turnSchema,
    },
    async run({ turn_id: id, conversation_id }, roomTokens) {
      const conversationId = conversation_id ?? conversationOf.get(id);
      const outcome = await reading.read({ id, conversationId, query: question });
      if (!('turn' in outcome)) return refusals[outcome.refused];
      const text = renderTurn(outcome.turn);
      return countTokens(text) <= roomTokens ? text : 'Read, and not shown here for want of room: it can be cited.';
    },
  };
  const told = <Arguments>({ form, run }: ArchiveTool<Arguments>): ArchiveTool => ({
    form,
    async run(given, roomTokens) {
      try {
        return await run(given as Arguments, roomTokens);
      } catch (thrown) {
        // A mistake of the model is told to the model.
        if (isFootnoteError(thrown) && thrown.code === 'not-found') return 'There is no such turn or conversation.';
        if (isFootnoteError(thrown) && thrown.code === 'invalid-request')
          return 'The arguments do not fit: look at the form of time_range and query.';
        throw thrown;
      }
    },
  });
  return [told(peek), told(turn)];
}
