// How much a turn says beyond the words that it shares with a query: a question is no answer, and "when" is answered by who speaks of a time.
// Factors of a rank, chosen like its weights (bench locomo).
import type { ArchiveMessage } from '../../core/archive.ts';

/** A turn that only asks counts so much less. */
const asking = 0.3;
/** A turn that speaks of a time counts so much more for a question about time. */
const timed = 0.3;

const timeQuestion =
  /^\s*(?:when|since when|until when|how long|what (?:date|day|month|year|time)|wann|seit wann|wie lange)\b/iu;
const timeWords =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|recently|since|just|this (?:week|weekend|month|year|morning|spring|summer|autumn|fall|winter)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|gestern|heute|morgen|vor|letzte[nrsm]?|nächste[nrsm]?|(?:19|20)\d\d)\b/iu;

/** Longer messages are judged by their beginning. */
const readCharacters = 4000;

export function createTelling(query: string): (messages: readonly ArchiveMessage[]) => number {
  const isAboutTime = timeQuestion.test(query);
  return (messages) => {
    const text = messages
      .map((message) => message.text.slice(0, readCharacters))
      .join('\n')
      .slice(0, readCharacters);
    const asked = [...text.matchAll(/(?<![^.?!\n])[^.?!\n]*\?/gu)].reduce(
      (sum, [sentence]) => sum + sentence.length,
      0,
    );
    const factor = 1 - (asking * asked) / Math.max(1, text.length);
    return isAboutTime && timeWords.test(text) ? factor * (1 + timed) : factor;
  };
}
