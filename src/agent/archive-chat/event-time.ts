// When something happened that a question names ("before the move"): told by what was said of it. Whoever says that it happened on a day knows
// best; whoever only says "before the move" does not know it at all.
import type { PeekSnippet } from '../../core/archive.ts';
import { calendarOf } from '../../memory/archive/time/calendar.ts';
import { readWhen } from '../../memory/archive/time/when.ts';
import { analyzeText } from '../../text/analyze.ts';

interface Told {
  readonly atMs: number;
  readonly rank: number;
}

const leaning = /\b(?:before|after|until|since|during|for)\s+(?:(?:the|my|our|we|i)\s+)?$/iu;
const past = /\b(?:was|were|went|left|began|came|got|took|had|has been|\p{L}{2,20}ed)\b/iu;
const wished = /\b(?:want|plan|would|will|going to|could|might|if|thinking|should)\b/iu;

/** The instant, from the best places that speak of the event; undefined where none of them does. */
export function eventTimeOf(event: string, snippets: readonly PeekSnippet[]): string | undefined {
  const terms = new Set(analyzeText(event, { language: 'en' }));
  let best: Told | undefined;
  for (const snippet of snippets) {
    if (snippet.timestamp === undefined || !snippet.hit) continue;
    const told = toldBy(snippet.snippet, Date.parse(snippet.timestamp), terms);
    if (told && (best === undefined || told.rank > best.rank)) best = told;
  }
  return best && new Date(best.atMs).toISOString();
}

function toldBy(text: string, saidMs: number, terms: ReadonlySet<string>): Told | undefined {
  let best: Told | undefined;
  for (const [sentence] of text.matchAll(/[^.?!\n]+[.?!]?/gu)) {
    const words = [...sentence.matchAll(/\p{L}+/gu)].filter(([word]) =>
      analyzeText(word, { language: 'en' }).some((term) => terms.has(term)),
    );
    const [first] = words;
    if (!first) continue;
    const found = new Set(words.flatMap(([word]) => analyzeText(word, { language: 'en' })));
    const share = found.size / Math.max(1, terms.size);
    const when = readWhen(sentence, { calendar: calendarOf('UTC'), nowMs: saidMs, lastMs: saidMs });
    const { fromMs, toMs } = when ?? {};
    // Of what is said of today the hour is known, too.
    const isNow = fromMs !== undefined && fromMs <= saidMs && (toMs === undefined || saidMs < toMs);
    const atMs = fromMs === undefined || isNow ? saidMs : fromMs;
    const isLeaning = leaning.test(sentence.slice(Math.max(0, first.index - 30), first.index));
    const rank =
      (isLeaning || sentence.endsWith('?') ? 0 : 4) * share +
      (past.test(sentence) ? 1 : 0) +
      (fromMs === undefined ? 0 : 1) -
      (wished.test(sentence) ? 1 : 0);
    if (best === undefined || rank > best.rank) best = { atMs, rank };
  }
  return best;
}
