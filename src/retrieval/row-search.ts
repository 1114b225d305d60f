// Searches chunks that stand in no store, by BM25 over themselves alone: files that a request brought along, pages that were found for it.
// Nothing of them is kept when the request ends. Work is done in pieces, so that others are served meanwhile.
import { inPieces } from '../core/waiting/pieces.ts';
import { analyzeQuery, analyzeText } from '../text/analyze.ts';
import { guessLanguage } from '../text/language/language.ts';
import type { RankedRow } from './rank.ts';

export interface RowSearch {
  /** Best first, with how much of the query the best answers, 0..1. */
  search(query: string, limit: number): Promise<{ readonly hits: readonly RowHit[]; readonly reach: number }>;
}

export interface RowHit {
  readonly row: RankedRow;
  readonly score: number;
}

const [k1, b] = [1.2, 0.75];
const mostTerms = 128;

interface Indexed {
  readonly row: RankedRow;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

export function createRowSearch(rows: readonly RankedRow[]): RowSearch {
  let indexing: Promise<{ readonly entries: readonly Indexed[]; readonly languages: readonly string[] }> | undefined;

  async function index() {
    const others = inPieces();
    const entries: Indexed[] = [];
    const languages = new Set<string>();
    for (const row of rows) {
      const { document, chunk } = row;
      const language = document.language ?? guessLanguage(chunk.text);
      const counts = new Map<string, number>();
      const all = [
        ...analyzeText(document.title, { language, keepStopWords: true }),
        ...analyzeText(`${chunk.headingPath.join(' ')} ${chunk.text}`, { language }),
      ];
      for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
      languages.add(language);
      entries.push({ row, counts, length: all.length });
      await others();
    }
    return { entries, languages: [...languages] };
  }

  return {
    async search(query, limit) {
      indexing ??= index();
      const { entries, languages } = await indexing;
      const asked = new Map<string, number>();
      for (const term of analyzeQuery(query, { languages }).slice(0, mostTerms))
        asked.set(term, (asked.get(term) ?? 0) + 1);
      const terms = [...asked].map(([term, weight]) => ({ term, weight }));
      const mean = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length);
      const weighed = terms.map(({ term, weight }) => {
        const found = entries.filter(({ counts }) => counts.has(term)).length;
        return { term, weight: weight * Math.log(1 + (entries.length - found + 0.5) / (found + 0.5)) };
      });
      const hits = entries.flatMap(({ row, counts, length }): RowHit[] => {
        const norm = k1 * (1 - b + (b * length) / Math.max(1, mean));
        let score = 0;
        for (const { term, weight } of weighed) {
          const count = counts.get(term) ?? 0;
          if (count > 0) score += (weight * count * (k1 + 1)) / (count + norm);
        }
        return score > 0 ? [{ row, score }] : [];
      });
      hits.sort((left, right) => right.score - left.score || (left.row.chunk.id < right.row.chunk.id ? -1 : 1));
      const best = entries.find(({ row }) => row === hits[0]?.row);
      const total = terms.reduce((sum, { weight }) => sum + weight, 0);
      const said = terms.reduce((sum, { term, weight }) => sum + (best?.counts.has(term) ? weight : 0), 0);
      return { hits: hits.slice(0, limit), reach: total > 0 ? said / total : 0 };
    },
  };
}
