// The archive of conversations as a part of `ask`: a question for what was said before is answered out of it, too, and a model that says what to
// look up has its two tools. Invariants: turns are cited as turns and read back from the record; nothing more is read than allowed; a question
// that names its sources or filters gets nothing from here.
import type { DraftClaim, SpanReader } from '../../answer/claims/draft.ts';
import { type ArchiveChatEvent, archivePlace, type ReadTurn, type TimeConversations } from '../../core/archive.ts';
import type { RequestContext } from '../../core/context.ts';
import type { Evidence } from '../../core/search.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import type { AgentTool, Shown } from '../tools/palette.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import type { Gathering } from '../turn/turn-state.ts';
import { asksForConversations } from './about-conversations.ts';
import { createArchiveTools } from './archive-tools.ts';
import { weakBelow } from './by-rules.ts';
import { exploreArchive } from './explore.ts';
import { extractAnswer } from './extract.ts';
import { conversationsOf } from './of-time.ts';
import { createReading, type ExploreLimits, type ReadableArchive, type Reading } from './reading.ts';
import { openTurnPassages } from './turn-evidence.ts';
import { chunkIdOf, wholeTurns, withTurnSpans } from './turn-spans.ts';

export interface ArchivePort {
  /** Recorded. */
  readonly archive: ReadableArchive;
  readonly limits: ExploreLimits;
  readonly passageScorer?: PassageScorer | undefined;
  /** Opens a turn. */
  readonly urlOf: (turn: Pick<ReadTurn, 'turn_id' | 'conversation_id'>) => string;
}

export interface ArchiveInAnswers {
  /** Whoever gathers, and what the archive says where the question asks for it. */
  beside(gatherer: Gatherer): Gatherer;
  /** For a model; none where the archive is empty. */
  tools(question: string, shown: Shown): Promise<readonly AgentTool[]>;
  readSpan(others: SpanReader): SpanReader;
  /** The first words of the conversations of a time, where a question names that and nothing else; undefined where it does not, or there are none. */
  ofTime(question: string): Promise<OfTime | undefined>;
}

export interface OfTime {
  readonly drafts: readonly DraftClaim[];
  /** Conversations of that time that are not told of. */
  readonly others: number;
}

type FirstWords = TimeConversations['conversations'][number];

/** Of a look at the archive alone. */
const unasked: Omit<Gathering, 'evidence'> = {
  routing: { sources: [], reason: 'the question asks for what was said: the archive of conversations' },
  degraded: [],
  toolCalls: 1,
};
/** Turns that one question is answered from without a model. */
const mostTurns = 8;
/** Of what one call of a tool shows. */
const callTokens = 4_000;

export function createArchiveInAnswers(
  { archive, limits, passageScorer, urlOf }: ArchivePort,
  context: Pick<RequestContext, 'sink' | 'clock' | 'deadline' | 'budget'>,
): ArchiveInAnswers {
  const { sink, clock, deadline, budget } = context;
  const { signal } = deadline;
  const open = (maxHydrations: number): Reading => {
    const places = () => reading.conversations().map((conversation) => ({ documentId: archivePlace(conversation) }));
    const tell = (step: ArchiveChatEvent): void => sink({ type: 'archive', step, places: places() });
    const reading: Reading = createReading({ archive, limits: { ...limits, maxHydrations }, signal, tell });
    return reading;
  };
  const reading = open(limits.maxHydrations);
  const passagesOf = async (turns: readonly ReadTurn[]): Promise<readonly Evidence[]> =>
    (await openTurnPassages(turns, { archive, by: 'conversation', urlOf })).evidence;

  /** `isTold`: the turns speak of so much of what is asked that no document is read beside them. */
  async function explored(question: string): Promise<{ readonly said: readonly Evidence[]; readonly isTold: boolean }> {
    if (!asksForConversations(question)) return { said: [], isTold: false };
    const own = open(Math.min(mostTurns, limits.maxHydrations));
    const nowMs = Date.parse(clock.now());
    const found = await exploreArchive(question, { reading: own, archive, passageScorer, nowMs, signal });
    if (found.turns.length === 0) return { said: [], isTold: false };
    const { turns, coverage, isOfAnother } = await extractAnswer(question, found, {
      passageScorer,
      signal,
      reading: own,
    });
    return { said: await passagesOf(turns), isTold: coverage >= weakBelow && !isOfAnother };
  }

  const readTurn = wholeTurns(archive);
  /** The place of words in their turn; none where the turn is gone. */
  async function draftOf({ conversation_id, turn_id, role, words }: FirstWords): Promise<readonly DraftClaim[]> {
    const messages = (await readTurn({ conversation_id, turn_id }))?.messages ?? [];
    const at = messages.findIndex((message) => message.role === role && message.text.includes(words));
    if (at < 0) return [];
    const start = messages[at]?.text.indexOf(words) ?? 0;
    const chunkId = chunkIdOf({ conversationId: conversation_id, turnId: turn_id, at });
    const span = { documentId: archivePlace(conversation_id), chunkId, start, end: start + words.length };
    return [{ text: words, spans: [span], relevance: 1 }];
  }

  return {
    async ofTime(question) {
      if (!asksForConversations(question)) return undefined;
      const found = await conversationsOf(question, { archive, nowMs: Date.parse(clock.now()) });
      if (!found || found.conversations.length === 0) return undefined;
      const { conversations, total } = found;
      const drafts = await Promise.all(conversations.map(draftOf));
      return { drafts: drafts.flat(), others: total - conversations.length };
    },
    beside: (gatherer) => ({
      ...gatherer,
      async gather(state, own) {
        const { said, isTold } = await explored(state.request.content ?? state.request.question);
        if (isTold) return { ...unasked, evidence: said };
        const found = await gatherer.gather(state, own);
        if (said.length === 0) return found;
        return {
          ...found,
          evidence: [...said, ...found.evidence],
          routing: { ...found.routing, reason: `${found.routing.reason}; ${unasked.routing.reason}` },
          toolCalls: found.toolCalls + 1,
        } satisfies Gathering;
      },
    }),
    async tools(question, shown) {
      const { total } = await archive.peek({ query: question, top_n_snippets: 0 });
      if (total.turns === 0) return [];
      return createArchiveTools(reading, question).map((tool) => ({
        form: tool.form,
        async run(given) {
          budget.takeToolCall();
          const before = new Set(reading.turns());
          const text = await tool.run(given, callTokens);
          const fresh = reading.turns().filter((turn) => !before.has(turn));
          if (fresh.length > 0)
            shown.show({
              evidence: await passagesOf(fresh),
              routing: { sources: [], reason: '' },
              degraded: [],
              toolCalls: 1,
            });
          return { text };
        },
      }));
    },
    readSpan: (others) => withTurnSpans(others, { readTurn, urlOf }),
  };
}
