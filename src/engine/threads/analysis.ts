// Text of chunks to entries of the index: the one place that says which fields there are and how their terms are kept. The
// same on every thread, so that it does not matter where a chunk was analysed.
import { analyzeText } from '../../text/analyze.ts';
import { buildSegment, type Entry } from '../build-segment.ts';
import type { AnalyzedText, AnalyzeResult } from './protocol.ts';

export type EntryTerms = Pick<Entry, 'fields' | 'extra'>;

/** Analyses chunks of one document: title, headings and text, and the title again as extra weight. */
export function createChunkAnalysis(title: string, language: string): (headings: string, text: string) => EntryTerms {
  const terms = (text: string): string[] => analyzeText(text, { language, keepNames: true });
  // The title counts twice (measured), once with its stop words, so that a title of nothing else can be found.
  const titleTerms = terms(title);
  const extra = analyzeText(title, { language, keepStopWords: true });
  return (headings, text) => ({ fields: [titleTerms, terms(headings), terms(text)], extra });
}

/** As the log keeps them: a line for each field and one for the extra terms. */
export function printTerms({ fields, extra }: EntryTerms): string {
  return [...fields, extra]
    .map((terms) => terms.join(' '))
    .join('\n')
    .toWellFormed();
}

export function parseTerms(text: string): EntryTerms {
  const lines = text.split('\n').map((line) => (line === '' ? [] : line.split(' ')));
  return { fields: lines.slice(0, 3), extra: lines[3] ?? [] };
}

/** Terms of all chunks and a segment of them. */
export function analyzeTexts(texts: readonly AnalyzedText[]): AnalyzeResult {
  const terms: string[] = [];
  const entries: Entry[] = [];
  for (const { group, title, language, chunks } of texts) {
    const analyze = createChunkAnalysis(title, language);
    for (const { key, headings, text } of chunks) {
      const found = analyze(headings, text);
      terms.push(printTerms(found));
      entries.push({ row: entries.length + 1, key, group, ...found });
    }
  }
  return { terms, bytes: buildSegment(entries).bytes };
}
