// Whether a word is a common one: the tokenizer's vocabulary serves as a frequency list, in which some tens of thousands of frequent words
// of many languages, English above all, have a token of their own.
import { countTokens } from '../tokens/tokens.ts';

/** True for common words in lower case, in whatever inflected form: hardly ever for names, but for the commonest slips of the keyboard ("suport"). */
export const knownWord = (word: string): boolean => countTokens(` ${word}`) === 1 || countTokens(word) === 1;
