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

const titleWords = 8;
const longestTitle = 200;
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** What a session is called that nobody named: the first words of its first question, on one line. */
export function titleOf(question: string): string {
  const line = question.slice(0, 1000).toWellFormed().replace(/\s+/gu, ' ').trim();
  let [counted, end] = [0, 0];
  for (const { index, segment, isWordLike } of words.segment(line)) {
    end = index + segment.length;
    if (isWordLike) counted += 1;
    if (counted === titleWords || end > longestTitle) break;
  }
  const cut = line.slice(0, Math.min(end, longestTitle)).toWellFormed();
  return line.length - cut.length > 1 ? `${cut}…` : line;
}

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
