// Judges single answers by rules anyone can repeat: containment of a gold answer as whole words, right document and page,
// supporting sentences. Text is compared in NFKC, lower case, without punctuation, as SQuAD's evaluation does; an answer
// of punctuation alone is compared as it stands.
import type { Answer, Citation } from '../../core/answer.ts';

const articles = /(?:^|\s)(?:a|an|the)(?=\s|$)/gu;

/** Lower case, no punctuation, no articles, single spaces. */
export function normaliseAnswer(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .replace(articles, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Does `text` hold `answer` as whole words (in scripts without spaces: as characters)? */
export function containsAnswer(text: string, answer: string): boolean {
  const wanted = normaliseAnswer(answer);
  if (wanted === '') return answer.trim() !== '' && text.includes(answer.trim());
  const held = normaliseAnswer(text);
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(wanted))
    return held.replaceAll(' ', '').includes(wanted.replaceAll(' ', ''));
  return ` ${held} `.includes(` ${wanted} `);
}

/** Is the citation into this document, given by id, uri, file name or title? */
export function citesDocument(citation: Citation, document: string): boolean {
  return (
    citation.documentId === document ||
    citation.uri === document ||
    citation.uri.endsWith(`/${document}`) ||
    citation.title === document
  );
}

/** Citations of the claim at `position`, from 0. */
export function citationsOfClaim(answer: Answer, position: number): Citation[] {
  const indexes = answer.claims[position]?.citations ?? [];
  return answer.citations.filter((citation) => indexes.includes(citation.index));
}

/** A sentence that an answer should rest on; without a document it may be found anywhere. */
export interface SupportingSentence {
  readonly document?: string;
  readonly text: string;
}

/** A supporting sentence counts as found when a claim's quote holds it or is held by it, or shares most of its words. */
export function findsSentence(answer: Answer, sentence: SupportingSentence): boolean {
  const wanted = normaliseAnswer(sentence.text);
  if (wanted === '') return false;
  return answer.citations.some((citation) => {
    if (sentence.document !== undefined && !citesDocument(citation, sentence.document)) return false;
    const quote = normaliseAnswer(citation.quote);
    if (quote === '') return false;
    if (` ${quote} `.includes(` ${wanted} `)) return true;
    return ` ${wanted} `.includes(` ${quote} `) && quote.length >= wanted.length / 2;
  });
}
