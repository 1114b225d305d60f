// What was said: a session is a chat with this server; a turn is one user message with its answer.
import { z } from 'zod';
import { answerSchema } from './answer.ts';

export const sessionSchema = z
  .object({
    id: z.string(),
    title: z.string().exactOptional(),
    createdAt: z.string(),
    updatedAt: z.string(),
    turnCount: z.int(),
  })
  .meta({ id: 'Session' });
export type Session = Readonly<z.output<typeof sessionSchema>>;

export const turnSchema = z
  .object({
    id: z.string(),
    sessionId: z.string(),
    /** Position in the session, from 1. */
    ordinal: z.int(),
    content: z.string(),
    /** The question as it was searched: the content with references to earlier turns resolved. */
    resolvedQuestion: z.string(),
    answer: answerSchema,
    createdAt: z.string(),
  })
  .meta({ id: 'Turn' });
export type Turn = Readonly<z.output<typeof turnSchema>>;

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
