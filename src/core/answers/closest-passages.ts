// What an answer says where it does not assert that its claims answer the question. Invariant: the sentence follows from one field alone, so that
// whoever checks an answer can tell it from words that nobody cited.
import type { Answer } from '../answer.ts';

/** It opens the text, on a line of its own; empty where the answer asserts. */
export const closestOpening = ({ closestPassages }: Pick<Answer, 'closestPassages'>): string =>
  closestPassages === true ? 'It is not sure that these documents answer this. The closest passages say:\n' : '';
