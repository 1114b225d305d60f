// The tools of the archive of past conversations, as the API has them: look from above when something was spoken of, then read a turn.
import { z } from 'zod';
import {
  archiveIdSchema,
  type Peek,
  peekRequestSchema,
  peekSchema,
  type ReadTurn,
  readTurnSchema,
  turnQuerySchema,
} from '../core/archive.ts';
import { defined } from '../core/values/defined.ts';
import { noteSchema } from './document-tools.ts';
import { fitting, mostTokens, noteOf, shortened } from './size.ts';
import { tool } from './tool.ts';

/** What is shown: characters of a snippet, snippets, and bins. Breakdowns have a number for each bin, so they go where bins do. */
const peekSizes: readonly (readonly [snippet: number, snippets: number, bins: number])[] = [
  [Number.POSITIVE_INFINITY, 100, Number.POSITIVE_INFINITY],
  ...[100, 20, 10, 5, 2].map((snippets) => [120, snippets, Math.min(80, 4 * snippets)] as const),
];

function peekShape(found: Peek, [length, snippets, bins]: (typeof peekSizes)[number]) {
  const { conversations, roles, ...rest } = found;
  // The fullest, in the order of time.
  const least = found.histogram.map(({ count }) => count).sort((a, b) => b - a)[bins - 1] ?? 0;
  const isThin = Number.isFinite(bins);
  const fullest = found.histogram.filter(({ count }) => count > 0 && count >= least).slice(0, bins);
  const histogram = isThin ? fullest : found.histogram;
  return {
    ...rest,
    ...(!isThin && defined({ conversations, roles })),
    histogram,
    snippets: found.snippets.slice(0, snippets).map((one) => ({ ...one, snippet: shortened(one.snippet, length) })),
    ...noteOf(
      histogram.length < found.histogram.length &&
        'Bins without hits, and of many the smaller ones, are left out: give a shorter time_range or a coarser bin.',
      snippets < found.snippets.length &&
        `The best ${snippets} of ${found.snippets.length} snippets are shown: give a shorter time_range for others.`,
      isThin && (conversations ?? roles) !== undefined && 'Breakdowns are left out: ask for fewer bins.',
      found.snippets.some((one) => one.snippet.length > length) && 'Snippets are cut: read their turns with `turn`.',
    ),
  };
}

export const peek = tool({
  name: 'peek',
  title: 'When past conversations spoke of something',
  description:
    'Looks at the archive of past conversations from above: how often a query was spoken of over time (a histogram over all hits), and snippets of the best turns. Look closer with a shorter time_range; read a turn with `turn`.',
  input: z.object(peekRequestSchema.shape),
  output: peekSchema.extend({ note: noteSchema }),
  lane: 'questions',
  async run(request, { footnote }) {
    const found = await footnote.conversations.peek(request);
    return { value: fitting(peekSizes, (size) => peekShape(found, size)) as never };
  },
});

const textLengths = [Number.POSITIVE_INFINITY, 40_000, 20_000, 10_000, 5000, 2500, 1200, 600, 300, 120];

function turnShape(turn: ReadTurn, length: number, isWhole: boolean) {
  const cut = <Kept extends Pick<ReadTurn, 'messages'>>(one: Kept): Kept => ({
    ...one,
    messages: one.messages.map((message) => ({ ...message, text: shortened(message.text, length) })),
  });
  const { previous, next } = turn;
  const isCut = [turn, ...(previous ?? []), ...(next ?? [])].some(({ messages }) =>
    messages.some(({ text }) => text.length > length),
  );
  return {
    ...cut(turn),
    ...defined({ previous: previous?.map(cut), next: next?.map(cut) }),
    ...noteOf(
      isCut &&
        `Long messages are cut: ask ${isWhole ? 'for a summary with a query' : 'with content "full" for all of it'}.`,
      turn.content_used === 'summary' && 'This is a summary: ask with content "full" for the turn itself.',
    ),
  };
}

const { conversation_id, content, query } = turnQuerySchema.shape;

export const turn = tool({
  name: 'turn',
  title: 'Read a turn of a past conversation',
  description: 'One turn of the archive of past conversations, found with `peek`: what was said and what came back.',
  input: z.object({
    turn_id: archiveIdSchema,
    conversation_id,
    neighbours: z.int().min(0).max(20).optional().describe('Turns before and after it'),
    content: content.describe('`full`: all of a long turn; `summary`: its gist; `auto`: whole unless it is long'),
    query: query.describe('What a summary should keep'),
  }),
  output: readTurnSchema.extend({ note: noteSchema }),
  lane: 'questions',
  async run({ turn_id, ...request }, { footnote }) {
    const found = await footnote.conversations.turn(turn_id, request);
    const isWhole = request.content === 'full';
    // Clients refuse results of more than 25,000 tokens.
    const most = isWhole ? 20_000 : mostTokens;
    return { value: fitting(textLengths, (length) => turnShape(found, length, isWhole), { most }) as never };
  },
});
