// What a question to the archive has read so far. Invariant: whoever looks and reads through it, rules or a model, never reads more turns and
// never more tokens than allowed, all together; a turn that was read is read once.
import type { ArchiveChatEvent, ArchiveChatUsage, Peek, PeekRequest, ReadTurn } from '../../core/archive.ts';
import type { Archive } from '../../memory/archive/archive.ts';
import { countTokens } from '../../text/tokens/tokens.ts';

export interface ExploreLimits {
  readonly maxHydrations: number;
  readonly maxTokens: number;
  readonly turnMaxTokens: number;
}

export type ReadableArchive = Pick<Archive, 'peek' | 'turn' | 'during'>;

export type ReadOutcome =
  | { readonly turn: ReadTurn; readonly tokens: number; readonly isNew: boolean }
  /** Which limit leaves no room for it. */
  | { readonly refused: 'hydrations' | 'tokens' | 'too-long' };

export interface WantedTurn {
  readonly id: string;
  readonly conversationId?: string | undefined;
  /** What a summary should keep. */
  readonly query: string;
}

export interface Reading {
  /** `shown`: what is searched for, as people are told it. */
  peek(request: PeekRequest, reason: string, shown?: string): Promise<Peek>;
  /** Throws what the archive throws: `not-found` for a turn that is not there. */
  read(wanted: WantedTurn): Promise<ReadOutcome>;
  /** Takes the tokens of something else that is shown of the archive; false where there is no room. */
  take(tokens: number): boolean;
  /** Tokens that may still be read. */
  room(): number;
  /** Turns that may still be read. */
  left(): number;
  /** In the order of their reading. */
  turns(): readonly ReadTurn[];
  usage(): ArchiveChatUsage;
  /** Ids of conversations of which something was shown. */
  conversations(): readonly string[];
  /** What was left out, and why. */
  degraded(): readonly string[];
}

export interface ReadingPorts {
  readonly archive: ReadableArchive;
  readonly limits: ExploreLimits;
  readonly signal: AbortSignal;
  tell(event: ArchiveChatEvent): void;
}

/** Less than this is not worth reading a turn for. */
const leastTokens = 50;

export const tokensOfTurn = ({ messages }: Pick<ReadTurn, 'messages'>): number =>
  messages.reduce((sum, { text }) => sum + countTokens(text), 0);

/** Ids of turns are their conversation's. */
export const keyOf = (turn: Pick<ReadTurn, 'conversation_id' | 'turn_id'>): string =>
  JSON.stringify([turn.conversation_id, turn.turn_id]);

export function createReading({ archive, limits, signal, tell }: ReadingPorts): Reading {
  const { maxHydrations, maxTokens, turnMaxTokens } = limits;
  const turns = new Map<string, { readonly turn: ReadTurn; readonly tokens: number }>();
  const conversations = new Set<string>();
  const degraded = new Set<string>();
  let [peeks, tokens] = [0, 0];
  const room = (): number => Math.max(0, maxTokens - tokens);
  const refuse = (refused: 'hydrations' | 'tokens'): ReadOutcome => {
    degraded.add(
      refused === 'hydrations'
        ? `Only ${maxHydrations} turns were read (CHAT_MAX_HYDRATIONS).`
        : `Only ${maxTokens} tokens were read (CHAT_MAX_TOKENS).`,
    );
    return { refused };
  };
  const known = ({ id, conversationId }: WantedTurn) =>
    turns
      .values()
      .find(
        ({ turn }) => turn.turn_id === id && (conversationId === undefined || turn.conversation_id === conversationId),
      );
  return {
    async peek(request, reason, shown = request.query) {
      signal.throwIfAborted();
      peeks += 1;
      const found = await archive.peek(request);
      for (const { conversation_id } of found.snippets) conversations.add(conversation_id);
      const bins = found.histogram.filter(({ count }) => count > 0);
      tell({
        type: 'peek',
        reason,
        query: shown,
        time_range: request.time_range,
        hits: found.total.hits,
        peaks: found.histogram.flatMap((bin) => (bin.peak ? [bin.label] : [])),
        bin: found.bin,
        histogram: bins.map(({ label, count, peak }) => ({ label, count, peak })),
      });
      return found;
    },
    async read(wanted) {
      signal.throwIfAborted();
      const present = known(wanted);
      if (present) return { ...present, isNew: false };
      if (turns.size >= maxHydrations) return refuse('hydrations');
      if (room() < leastTokens) return refuse('tokens');
      const { id, conversationId, query } = wanted;
      const turn = await archive.turn(id, { conversationId, maxTokens: Math.min(turnMaxTokens, room()), query });
      // By whichever of its ids it was asked for, or while it was being read for somebody else.
      const same = turns.get(keyOf(turn));
      if (same) return { ...same, isNew: false };
      const used = tokensOfTurn(turn);
      if (turns.size >= maxHydrations) return refuse('hydrations');
      if (used > room()) return { refused: 'too-long' };
      tokens += used;
      turns.set(keyOf(turn), { turn, tokens: used });
      conversations.add(turn.conversation_id);
      tell({ type: 'turn', turn_id: turn.turn_id, content_used: turn.content_used, tokens: used });
      return { turn, tokens: used, isNew: true };
    },
    take(more) {
      if (more > room()) return false;
      tokens += more;
      return true;
    },
    room,
    left: () => maxHydrations - turns.size,
    turns: () => [...turns.values()].map(({ turn }) => turn),
    usage: () => ({
      peeks,
      hydrations: turns.size,
      max_hydrations: maxHydrations,
      tokens,
      max_tokens: maxTokens,
    }),
    conversations: () => [...conversations],
    degraded: () => [...degraded],
  };
}
