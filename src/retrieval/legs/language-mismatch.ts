// Sees that a question is asked in a language that hardly any document is written in: then words match by names and numbers at
// best, and the reader should know. Only function words and script decide, in microseconds, so an unclear question is never accused.
import type { Degradation } from '../../core/search.ts';
import { guessLanguage } from '../../text/language/language.ts';

export interface LanguageMismatch {
  /** ISO 639-1. */
  readonly question: string;
  /** Those of most documents, most frequent first. */
  readonly documents: readonly string[];
  /** Nothing at all is known to be in the question's language, and more than half is in those named: only then is it told. */
  readonly isSure: boolean;
}

interface LanguageCount {
  readonly language: string;
  readonly chunks: number;
}

/** With this share of the chunks a language counts as one of the collection's: its documents can answer. */
const leastShare = 0.02;
/** Languages that the message names. */
const mostNamed = 2;
const mismatchCode = 'language-mismatch';
/** What `guessLanguage` is told to fall back to: no language. */
const unclear = 'und';

/** Alphabets that several languages share and function words of few of them are known: told apart from others, not among themselves. */
const sharedScripts: readonly (readonly [first: string, pattern: RegExp, languages: readonly string[]])[] = [
  ['ar', /\p{Script=Arabic}/gu, ['ar', 'fa', 'ur', 'ps', 'ckb', 'ug', 'sd', 'ku']],
  ['ru', /\p{Script=Cyrillic}/gu, ['ru', 'uk', 'bg', 'sr', 'mk', 'be', 'kk', 'ky', 'mn', 'tg', 'tt']],
];
/** Short questions in Japanese may have no kana: such are not told from Chinese. */
const hanAlone: readonly string[] = ['zh', 'ja'];

/** The language of a question where it is clear. */
export function clearLanguage(question: string): string | undefined {
  const guessed = guessLanguage(question, [unclear]);
  if (guessed !== unclear) return guessed;
  const letters = question.match(/\p{L}/gu)?.length ?? 0;
  const script = sharedScripts.find(([, pattern]) => (question.match(pattern)?.length ?? 0) * 2 > letters);
  return script?.[0];
}

/**
 * Undefined where the question's language is one of the collection's, or where either is unclear. A document or two in it are too few for words to say
 * how good meaning is, and enough for an answer.
 */
export function findMismatch(
  question: string | undefined,
  languages: readonly LanguageCount[],
): LanguageMismatch | undefined {
  const total = languages.reduce((sum, { chunks }) => sum + chunks, 0);
  if (question === undefined || total === 0) return undefined;
  const shared = question === 'zh' ? hanAlone : sharedScripts.find(([, , members]) => members.includes(question))?.[2];
  const kin = shared ?? [question];
  const own = languages.reduce((sum, { language, chunks }) => sum + (kin.includes(language) ? chunks : 0), 0);
  if (own / total >= leastShare) return undefined;
  const named = languages
    .filter(({ language, chunks }) => language !== unclear && chunks / total >= leastShare)
    .slice(0, mostNamed);
  if (named.length === 0) return undefined;
  const isSure = own === 0 && named.reduce((sum, { chunks }) => sum + chunks, 0) * 2 > total;
  return { question, documents: named.map(({ language }) => language), isSure };
}

/** What is to be told under an answer: no mismatch where it cites what is written in the question's own language. */
export function withoutMetMismatch(
  degraded: readonly Degradation[],
  question: string,
  quotes: readonly string[],
): Degradation[] {
  const others = degraded.filter(({ code }) => code !== mismatchCode);
  if (others.length === degraded.length) return others;
  const asked = clearLanguage(question);
  const isMet = asked !== undefined && quotes.some((quote) => clearLanguage(quote) === asked);
  return isMet ? others : [...degraded];
}

let names: Intl.DisplayNames | undefined;
function nameOf(language: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
  return names.of(language) ?? language;
}

/** What the mismatch means for a search by words, by a model learned from the documents, or by a fixed one. */
export function toDegradation(
  { question, documents }: Pick<LanguageMismatch, 'question' | 'documents'>,
  meaning: 'none' | 'corpus' | 'fixed',
): Degradation {
  const effect = {
    none: 'Words of one language hardly match those of another: only names and numbers may be found. Ask in the language of the documents.',
    corpus:
      'Neither words nor what was learned from the documents cross languages: only names and numbers may be found. Ask in the language of the documents, or use a multilingual model.',
    fixed:
      'Words hardly match across languages, so meaning was given its whole weight; it helps as far as the model knows both languages.',
  }[meaning];
  return {
    component: 'language',
    code: mismatchCode,
    detail: `The question is in ${nameOf(question)}; most documents are in ${documents.map(nameOf).join(' and ')}.`,
    effect,
  };
}
