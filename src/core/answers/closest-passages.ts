// How an answer opens: what it says of how sure it is. Invariant: the words follow from fields alone, so that whoever checks an answer can tell them
// from words that nobody cited. Answers before version 6 opened in other words.
import type { Answer } from '../answer.ts';

type Opened = Pick<Answer, 'closestPassages' | 'claims' | 'version'>;

const firstWithOpenings = 6;

/** It opens the text; empty where a sentence leads, or a model wrote. */
export function answerOpening({ closestPassages, claims: [first], version = 0 }: Opened): string {
  if (version < firstWithOpenings)
    return closestPassages === true
      ? 'It is not sure that these documents answer this. The closest passages say:\n'
      : '';
  if (closestPassages === true) return 'The closest passages (they may not answer this):\n\n';
  return first?.form !== undefined && first.form !== 'sentence' ? 'From the documents:\n\n' : '';
}

/** Opens the text of an abstention; its passages follow, where it shows any. */
export function abstentionOpening({
  abstainReason = '',
  passages = [],
  version = 0,
}: Pick<Answer, 'abstainReason' | 'passages' | 'version'>): string {
  if (version < firstWithOpenings)
    return `I cannot answer that from these documents. ${abstainReason}${passages.length > 0 ? '\n\nThe closest passages say:\n' : ''}`;
  return `The documents do not seem to say. ${abstainReason}${passages.length > 0 ? '\n\nThe closest passages:\n\n' : ''}`;
}
