// What was said: a session is a chat with this server; a turn is one user message with its answer.
import type { Answer } from './answer.ts';

export interface Session {
  readonly id: string;
  readonly title?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly turnCount: number;
}

export interface Turn {
  readonly id: string;
  readonly sessionId: string;
  /** Position in the session, from 1. */
  readonly ordinal: number;
  readonly content: string;
  /** The question as it was searched: the content with references to earlier turns resolved. */
  readonly resolvedQuestion: string;
  readonly answer: Answer;
  readonly createdAt: string;
}

/** A turn as a model is told of it. */
export interface ToldTurn {
  readonly id: string;
  readonly said: string;
  readonly answered: string;
  /** Not word for word: the id says where the whole stands. */
  readonly isSummary?: true;
}

/** How the user's message of a turn is cited. */
export const turnPlace = ({ sessionId, ordinal }: Pick<Turn, 'sessionId' | 'ordinal'>) => ({
  title: `Message ${ordinal} of this conversation`,
  uri: `session:${sessionId}`,
  source: 'session',
});

/** The path under which the turns of a session are read; the fragment names the turn. */
export const sessionTurnPath = (sessionId: string, turnId: string): string =>
  `/v1/rag/sessions/${encodeURIComponent(sessionId)}/messages#${encodeURIComponent(turnId)}`;
