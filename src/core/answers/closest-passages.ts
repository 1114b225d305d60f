// What an answer says where it does not assert that its claims or passages answer the question. Invariant: the sentence follows from fields alone, so
// that whoever checks an answer can tell it from words that nobody cited.
import type { Answer } from '../answer.ts';

/** It opens the text, on a line of its own; empty where the answer asserts. */
export const closestOpening = ({ closestPassages }: Pick<Answer, 'closestPassages'>): string =>
  closestPassages === true ? 'It is not sure that these documents answer this. The closest passages say:\n' : '';

/** Opens the text of an abstention; its passages follow, where it shows any. */
export const abstentionOpening = ({
  abstainReason = '',
  passages = [],
}: Pick<Answer, 'abstainReason' | 'passages'>): string =>
  `I cannot answer that from these documents. ${abstainReason}${passages.length > 0 ? '\n\nThe closest passages say:\n' : ''}`;
