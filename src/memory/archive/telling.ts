// How much a turn says beyond the words that it shares with a query: a question is no answer, "when" is answered by who speaks of a time, and
// what is asked of June was mostly said in June.
// Factors of a rank, chosen like its weights (bench locomo).
import type { ArchiveMessage } from '../../core/archive.ts';

/** A turn that only asks counts so much less. */
const asking = 0.3;
/** A turn that speaks of a time counts so much more for a question about time. */
const timed = 0.3;
/** A turn of a month that the question names counts so much more. */
const ofMonth = 0.5;

const timeQuestion =
  /^\s*(?:when|since when|until when|how long|what (?:date|day|month|year|time)|wann|seit wann|wie lange)\b/iu;
const timeWords =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|recently|since|just|this (?:week|weekend|month|year|morning|spring|summer|autumn|fall|winter)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|gestern|heute|morgen|vor|letzte[nrsm]?|nächste[nrsm]?|(?:19|20)\d\d)\b/iu;

const months = 'january february march april may june july august september october november december'.split(' ');
const germanMonths = 'januar februar märz april mai juni juli august september oktober november dezember'.split(' ');
const namedMonth = new RegExp(
  String.raw`\b(?:in|im|during|of|on|for|by|early|late|mid|anfang|mitte|ende)[ -](?:\d{1,2}\.? )?(${[...months, ...germanMonths].join('|')})(?!\p{L})(?:,? (20\d\d))?`,
  'giu',
);

/** Whether an instant is of a month that a question names. */
function monthsOf(query: string): ((ms: number) => boolean) | undefined {
  const named = [...query.matchAll(namedMonth)].map(([, name = '', year]) => {
    const word = name.toLowerCase();
    return { month: Math.max(months.indexOf(word), germanMonths.indexOf(word)), year: year && Number(year) };
  });
  if (named.length === 0) return undefined;
  return (ms) => {
    const at = new Date(ms);
    return named.some(({ month, year }) => month === at.getUTCMonth() && (!year || year === at.getUTCFullYear()));
  };
}

/** Longer messages are judged by their beginning. */
const readCharacters = 4000;

export const isAboutTime = (query: string): boolean => timeQuestion.test(query);

interface ToldTurn {
  readonly messages: readonly ArchiveMessage[];
  readonly atMs?: number;
}

export function createTelling(query: string): (turn: ToldTurn) => number {
  const asksForTime = isAboutTime(query);
  const isOfMonth = monthsOf(query);
  return ({ messages, atMs }) => {
    const text = messages
      .map((message) => message.text.slice(0, readCharacters))
      .join('\n')
      .slice(0, readCharacters);
    const asked = [...text.matchAll(/(?<![^.?!\n])[^.?!\n]*\?/gu)].reduce(
      (sum, [sentence]) => sum + sentence.length,
      0,
    );
    const isThen = atMs !== undefined && isOfMonth?.(atMs) === true;
    const factor = (1 - (asking * asked) / Math.max(1, text.length)) * (isThen ? 1 + ofMonth : 1);
    return asksForTime && timeWords.test(text) ? factor * (1 + timed) : factor;
  };
}
