// Writes the text that a reranker reads for a piece of evidence: title, headings and text; of a long chunk, the run of sentences that
// shares most with the query. Most cross-encoders read 512 tokens, and an answer deep in a chunk would be cut off unread. Pure; the
// share of answers that survive the cut is in bench/retrieval/rerank.ts, and the weights were chosen on its English questions.
import type { Evidence } from '../core/search.ts';
import { analyzeQuery, analyzeWords } from '../text/analyze.ts';
import { guessLanguage } from '../text/language/language.ts';
import { segmentSentences } from '../text/sentences.ts';
import { countTokens } from '../text/tokens/tokens.ts';

/** In o200k_base, about; with a query of 40 it is about 512 tokens of the word pieces that cross-encoders read. */
export const longestRerankTextTokens = 384;
/** A title cannot crowd out the text under it. */
const longestHeadingCharacters = 200;

type Rerankable = Pick<Evidence, 'title' | 'headingPath' | 'text'>;

export function toRerankTexts(
  query: string,
  evidence: readonly Rerankable[],
  longestTokens: number = longestRerankTextTokens,
): readonly string[] {
  const passages = toPassages(
    query,
    evidence.map(({ text }) => text),
    longestTokens,
  );
  return evidence.map(({ title, headingPath }, place) => {
    const heading = [...new Set([title, ...headingPath])].filter((part) => part !== '').join(' > ');
    const shown =
      heading.length <= longestHeadingCharacters
        ? heading
        : `${heading.slice(0, longestHeadingCharacters).toWellFormed()}…`;
    return shown === '' ? (passages[place] ?? '') : `${shown}\n${passages[place] ?? ''}`;
  });
}

function toPassages(query: string, texts: readonly string[], longestTokens: number): readonly string[] {
  // No token is longer than its text, so that most need no count.
  const tokens = texts.map((text) => (text.length <= longestTokens ? 0 : countTokens(text)));
  if (tokens.every((count) => count <= longestTokens)) return texts;
  const languages = texts.map((text) => guessLanguage(text));
  const wanted = new Set(analyzeQuery(query, { languages: [...new Set(languages)] }));
  const places = texts.map((text, at) => placesOf(text, wanted, languages[at] ?? 'en'));
  const rarity = rarityOf(wanted, places);
  return texts.map((text, at) => {
    const count = tokens[at] ?? 0;
    if (count <= longestTokens) return text;
    const longest = Math.floor((text.length * longestTokens) / count);
    return bestPassage(text, longest, { places: places[at] ?? [], rarity });
  });
}

/** A word of the query in a text. */
interface Place {
  readonly term: string;
  readonly start: number;
}

const placesOf = (text: string, wanted: ReadonlySet<string>, language: string): readonly Place[] =>
  analyzeWords(text, { language }).filter(({ term }) => wanted.has(term));

type Rarity = ReadonlyMap<string, number>;

/** How rare each term of the query is among the texts, as in BM25's idf. */
function rarityOf(wanted: ReadonlySet<string>, texts: readonly (readonly Place[])[]): Rarity {
  const counts = new Map([...wanted].map((term) => [term, 0]));
  for (const places of texts)
    for (const term of new Set(places.map((place) => place.term))) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map(
    [...counts].map(([term, count]) => [term, Math.log(1 + (texts.length - count + 0.5) / (count + 0.5))]),
  );
}

/** Of the runs of sentences that are no longer than so many characters, the first that is worth most. */
function bestPassage(
  text: string,
  longest: number,
  { places, rarity }: { readonly places: readonly Place[]; readonly rarity: Rarity },
): string {
  const sentences = segmentSentences(text);
  const own = sentences.map((sentence) => weightOf(places, sentence, rarity));
  let best = { worth: -1, start: 0, end: text.length };
  for (let from = 0, to = 0; from < sentences.length; from++) {
    const start = sentences[from]?.start ?? 0;
    while (to < sentences.length && (to <= from || (sentences[to]?.end ?? 0) - start <= longest)) to++;
    const end = sentences[to - 1]?.end ?? text.length;
    const together = weightOf(places, { start, end: Math.min(end, start + longest) }, rarity);
    const worth = together + worthOf(own.slice(from, to));
    if (worth > best.worth) best = { worth, start, end };
    // The end of the text was reached: what follows is less of the same.
    if (to === sentences.length && end - start <= longest) break;
  }
  const kept = text.slice(best.start, Math.min(best.end, best.start + longest)).toWellFormed();
  return `${best.start > 0 ? '… ' : ''}${kept}${best.start + kept.length < text.length ? ' …' : ''}`;
}

/**
 * What the sentences of a run add to the words that it holds together: the best of them, half as much again the nearer it stands to
 * the middle, so that what explains it is read too, and a fifth of all.
 */
function worthOf(weights: readonly number[]): number {
  const most = Math.max(0, ...weights);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const nearMiddle = weights.length < 2 ? 1 : 1 - Math.abs((2 * weights.indexOf(most)) / (weights.length - 1) - 1);
  return most * (1 + 0.5 * nearMiddle) + 0.2 * sum;
}

function weightOf(
  places: readonly Place[],
  span: { readonly start: number; readonly end: number },
  rarity: Rarity,
): number {
  const found = new Set<string>();
  let weight = 0;
  for (const { term, start } of places) {
    if (start < span.start || start >= span.end || found.has(term)) continue;
    found.add(term);
    weight += rarity.get(term) ?? 0;
  }
  return weight;
}
