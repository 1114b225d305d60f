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
