// The part of a conversation that is held: a conversation may have ten thousand turns, and a page never does. Pure.
import type { ReadTurn } from '../shared/contract.ts';

export interface ThreadWindow {
  readonly turns: readonly ReadTurn[];
  /** Leads on from the last turn; absent where its neighbours do. */
  readonly cursor?: string;
  readonly hasEarlier: boolean;
  readonly hasLater: boolean;
}

export const pageTurns = 50;
/** Turns beside one that can be asked for at once. */
export const mostNeighbours = 20;
export const mostHeld = 4 * pageTurns;

interface Page {
  readonly data: readonly ReadTurn[];
  readonly nextCursor?: string;
}

export const fromStart = ({ data, nextCursor }: Page): ThreadWindow => ({
  turns: data,
  ...(nextCursor && { cursor: nextCursor }),
  hasEarlier: false,
  hasLater: nextCursor !== undefined,
});

export const around = ({ previous = [], next = [], ...turn }: ReadTurn): ThreadWindow => ({
  turns: [...previous, turn, ...next],
  hasEarlier: previous.length === mostNeighbours,
  hasLater: next.length === mostNeighbours,
});

/** What lies behind; of what is held then too much, the first turns go. */
export function withLater(held: ThreadWindow, { data, nextCursor }: Page): ThreadWindow {
  const all = [...held.turns, ...data];
  return {
    turns: all.slice(-mostHeld),
    ...(nextCursor && { cursor: nextCursor }),
    hasEarlier: held.hasEarlier || all.length > mostHeld,
    hasLater: nextCursor !== undefined || (held.cursor === undefined && data.length === mostNeighbours),
  };
}

/** What lies before; the last turns go where it is too much, and with them the way on that began there. */
export function withEarlier(held: ThreadWindow, previous: readonly ReadTurn[]): ThreadWindow {
  const all = [...previous, ...held.turns];
  const isCut = all.length > mostHeld;
  return {
    turns: all.slice(0, mostHeld),
    ...(held.cursor && !isCut && { cursor: held.cursor }),
    hasEarlier: previous.length === mostNeighbours,
    hasLater: held.hasLater || isCut,
  };
}
