// What a person wrote in a message before which a program put words of its own: what it found for the question, or which files hang on it. None of that is
// the question, and none of it is evidence here.

import { task } from './housekeeping.ts';

const context = ['<context>\n', '\n</context>'] as const;
/** What stands for the question alone, or before it. */
const question = ['<user_query>', '</user_query>'] as const;
const files = ['<attached_files>', '</attached_files>'] as const;
const numbered = /<source id="\d/u;

export interface OwnWords {
  readonly words: string;
  /** The program numbers sources of its own, at which it would open a mark of ours. */
  readonly hasSources: boolean;
}

const behind = (text: string, end: string): string => text.slice(text.lastIndexOf(end) + end.length).trim();

/** `text` as it is where nothing stands before the words, or there are no words behind. */
export function ownWordsIn(text: string): OwnWords {
  let words = text.trim();
  let hasSources = false;
  const [opens, closes] = [words.indexOf(context[0]), words.lastIndexOf(context[1])];
  if (words.startsWith(task) && opens !== -1 && closes > opens) {
    hasSources = numbered.test(words.slice(opens, closes));
    words = behind(words, context[1]);
  }
  if (words.startsWith(files[0]) && words.includes(files[1])) words = behind(words, files[1]);
  if (words.startsWith(question[0]) && words.includes(question[1]))
    words = words.slice(question[0].length, words.indexOf(question[1])).trim();
  return words === '' || words === text.trim() ? { words: text, hasSources: false } : { words, hasSources };
}
