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
import { noteSchema } from './document-tools.ts';
import { fitting, mostTokens, noteOf, shortened } from './size.ts';
import { tool } from './tool.ts';

const peekSizes = [
  { snippet: Number.POSITIVE_INFINITY, snippets: 100 },
  { snippet: 200, snippets: 100, withoutEmpty: true },
  ...[20, 10, 5, 2].map((snippets) => ({ snippet: 120, snippets, bins: 4 * snippets, withoutEmpty: true })),
];

function peekShape(
  found: Peek,
  {
    snippet,
    snippets,
    bins,
    withoutEmpty = false,
  }: { snippet: number; snippets: number; bins?: number; withoutEmpty?: boolean },
) {
  const filled = withoutEmpty ? found.histogram.filter(({ count }) => count > 0) : found.histogram;
  const most = bins ?? filled.length;
  // The fullest, in the order of time.
  const least = filled.map(({ count }) => count).sort((a, b) => b - a)[most - 1] ?? 0;
  const histogram = filled.filter(({ count }) => count >= least).slice(0, most);
  const { conversations, roles, ...rest } = found;
  const breakdowns = bins === undefined && { ...(conversations && { conversations }), ...(roles && { roles }) };
  return {
    ...rest,
    ...breakdowns,
    histogram,
    snippets: found.snippets.slice(0, snippets).map((one) => ({ ...one, snippet: shortened(one.snippet, snippet) })),
    ...noteOf(
      histogram.length < found.histogram.length &&
        'Bins without hits, and of many the smaller ones, are left out: give a shorter time_range or a coarser bin.',
      snippets < found.snippets.length &&
        `The best ${snippets} of ${found.snippets.length} snippets are shown: give a shorter time_range for others.`,
      breakdowns === false && (conversations !== undefined || roles !== undefined) && 'Breakdowns are left out.',
      found.snippets.some((one) => one.snippet.length > snippet) && 'Snippets are cut: read their turns with `turn`.',
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
    return { value: fitting(peekSizes.values().map((size) => peekShape(found, size))) as never };
  },
});

/** A whole turn may be read; clients refuse results of more than 25,000 tokens. */
const mostOfWhole = 20_000;
const textLengths = [Number.POSITIVE_INFINITY, 40_000, 20_000, 10_000, 5000, 2500, 1200, 600, 300, 120];

function turnShape(turn: ReadTurn, length: number, isWhole: boolean) {
  const cut = <Kept extends Pick<ReadTurn, 'messages'>>(one: Kept): Kept => ({
    ...one,
    messages: one.messages.map((message) => ({ ...message, text: shortened(message.text, length) })),
  });
  const { previous, next } = turn;
  const messages = [turn, ...(previous ?? []), ...(next ?? [])].flatMap((one) => one.messages);
  const isCut = messages.some(({ text }) => text.length > length);
  return {
    ...cut(turn),
    ...(previous && { previous: previous.map(cut) }),
    ...(next && { next: next.map(cut) }),
    ...noteOf(
      isCut &&
        (isWhole
          ? 'Long messages are cut, since clients refuse longer results: ask for neighbours one by one, or for a summary with a query.'
          : 'Long messages are cut: ask with content "full" for all of them.'),
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
    const shapes = textLengths.values().map((length) => turnShape(found, length, isWhole));
    return { value: fitting(shapes, undefined, isWhole ? mostOfWhole : mostTokens) as never };
  },
});
