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
type PeekSize = readonly [snippet: number, snippets: number, bins: number];
const peekSizes: readonly [PeekSize, ...PeekSize[]] = [
  [Number.POSITIVE_INFINITY, 100, Number.POSITIVE_INFINITY],
  ...[100, 20, 10, 5, 2].map((snippets) => [120, snippets, Math.min(80, 4 * snippets)] as const),
];

function peekShape(found: Peek, [length, best, bins]: PeekSize, items: number) {
  const { conversations, roles, ...rest } = found;
  const snippets = Math.min(best, items);
  // The fullest, in the order of time.
  const least = found.histogram.map(({ count }) => count).sort((a, b) => b - a)[bins - 1] ?? 0;
  const isThin = Number.isFinite(bins);
  const fullest = found.histogram.filter(({ count }) => count > 0 && count >= least).slice(0, bins);
  const histogram = isThin ? fullest : found.histogram;
  return {
    ...rest,
    ...(isThin
      ? { query: shortened(found.query, 200), terms: found.terms.slice(0, 20).map((term) => shortened(term, 20)) }
      : defined({ conversations, roles })),
    histogram,
    snippets: found.snippets.slice(0, snippets).map((one) => ({
      ...one,
      title: shortened(one.title, length),
      snippet: shortened(one.snippet, length),
    })),
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
    return {
      value: fitting(peekSizes, (size, items) => peekShape(found, size, items), {
        items: found.snippets.length,
      }) as never,
    };
  },
});

const textLengths = [Number.POSITIVE_INFINITY, 40_000, 20_000, 10_000, 5000, 2500, 1200, 600, 300, 120] as const;
/** Of a turn whose texts are cut. */
const mostAttachments = 5;

/** `items`: of the messages of the turn, and behind them of the turns on each side. */
function turnShape(turn: ReadTurn, [length, items]: readonly [length: number, items: number], more: string) {
  const cut = <Kept extends Pick<ReadTurn, 'messages'>>(one: Kept): Kept => ({
    ...one,
    messages: one.messages.map((message) => ({
      ...message,
      text: shortened(message.text, length),
      ...(message.attachments &&
        Number.isFinite(length) && {
          attachments: message.attachments.slice(0, mostAttachments).map((name) => shortened(name, length)),
        }),
    })),
  });
  const beside = Math.max(0, items - turn.messages.length);
  const previous = turn.previous?.slice(Math.max(0, turn.previous.length - beside));
  const next = turn.next?.slice(0, beside);
  const messages = turn.messages.slice(0, items);
  const [all, shown] = [
    [turn.previous, turn.next],
    [previous, next],
  ].map((sides) => sides.reduce((sum, side) => sum + (side?.length ?? 0), 0)) as [number, number];
  const isCut = [turn, ...(previous ?? []), ...(next ?? [])].some(({ messages }) =>
    messages.some(({ text }) => text.length > length),
  );
  return {
    ...cut({ ...turn, messages }),
    ...defined({ previous: previous?.map(cut), next: next?.map(cut) }),
    ...noteOf(
      isCut && `Long messages are cut: ask ${more}.`,
      messages.length < turn.messages.length &&
        `The first ${messages.length} of ${turn.messages.length} messages are shown: ask ${more}.`,
      shown < all && `${all - shown} of ${all} neighbours are left out: ask for them by their own ids.`,
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
    const more = isWhole ? 'for a summary with a query' : 'with content "full" for all of it';
    const most = isWhole ? 20_000 : mostTokens;
    return {
      value: fitting(textLengths, (length, items) => turnShape(found, [length, items], more), {
        items: found.messages.length + Math.max(found.previous?.length ?? 0, found.next?.length ?? 0),
        most,
      }) as never,
    };
  },
});
