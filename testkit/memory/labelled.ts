// Labelled sentences that the models of long-term memory are fitted on (`taught`) and measured by (`sealed`, of the same author, put aside before any
// figure was taken): what takes the place of what (`S`) and what stands beside it (`C`), what is asked about the user (1) or about anything else
// (0), and questions that share no telling word with the memory that answers them.
import { readFileSync } from 'node:fs';

export type Part = 'taught' | 'sealed';

const linesOf = (name: string, part: Part): readonly string[] =>
  readFileSync(new URL(`./${name}-${part}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

export interface SayingPair {
  readonly before: string;
  readonly after: string;
  readonly isSuperseding: boolean;
}
export const sayingPairs = (part: Part): readonly SayingPair[] =>
  linesOf('superseding', part).map((line) => {
    const [kind, before = '', after = ''] = line.split('|');
    return { before, after, isSuperseding: kind === 'S' };
  });

export const askedQuestions = (part: Part): readonly { readonly question: string; readonly isAboutUser: boolean }[] =>
  linesOf('asked', part).map((line) => ({ question: line.slice(2), isAboutUser: line.startsWith('1') }));

export const paraphrases = (part: Part): readonly { readonly memory: string; readonly question: string }[] =>
  linesOf('paraphrases', part).map((line) => {
    const [memory = '', question = ''] = line.split('|');
    return { memory, question };
  });

/** What somebody said, what they said later in its place, and what they ask months after. */
export interface Reversal {
  readonly before: string;
  readonly after: string;
  readonly question: string;
}
export const reversals = (part: Part): readonly Reversal[] =>
  linesOf('reversals', part).map((line) => {
    const [before = '', after = '', question = ''] = line.split('|');
    return { before, after, question };
  });
