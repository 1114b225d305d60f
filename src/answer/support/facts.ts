// Figures, dates and names of a claim that stand nowhere in its quotes, over them or in the question. A figure that follows from theirs by
// arithmetic is theirs; a name may stand in another form ("Chinese" for "China") or as its letters. A small count in words ("these two
// reports") says nothing of the quotes.

import { knownWord } from '../../text/words/known-word.ts';
import { isAcronym, isInitialism } from '../../text/words/names.ts';
import { areSynonyms } from '../../text/words/synonyms.ts';
import { romanValue, similarity } from './align.ts';
import type { Comparison } from './comparison.ts';
import { type Figure, followsFrom } from './figures.ts';
import type { Token } from './tokens.ts';

export const isFigure = ({ quantity, date, text }: Token): boolean =>
  quantity !== undefined || date !== undefined || /\d/u.test(text);

/** Reasons of the form `kind: detail`: what the claim says and neither its quotes, nor what stands over them, nor the question has. */
export const foreignTo = (comparison: Comparison): string[] => [
  ...foreignFigures(comparison),
  ...foreignNames(comparison),
];

export const changedFigure = /^(?:number|unit|date)-changed: /u;
/** The figure that a reason names is the one in its place in another unit: `number-changed: 5 miles → 8 km`. */
export function isSameOtherwise(reason: string, { claim, quote }: Comparison): boolean {
  if (!changedFigure.test(reason)) return false;
  const [theirs, mine] = reason.replace(changedFigure, '').split(' → ');
  const at = claim.findIndex(({ text }) => text === mine);
  const place = quote.tokens.findIndex(({ text }) => text === theirs);
  const units = [claim[at], quote.tokens[place]].map((token) => token?.quantity?.unit?.name);
  const isRounded = (claim[at]?.quantity?.bound ?? 'exact') !== 'exact';
  if (at < 0 || place < 0 || (units[0] === units[1] && !isRounded)) return false;
  return followsFrom(at, { claim, quote: quote.tokens, figures: endsOf(place, quote.tokens[place] as Token) });
}

function foreignFigures({ claim, quote, titles, question }: Comparison): string[] {
  const known = [...quote.tokens, ...titles, ...question];
  const figures: Figure[] = quote.tokens.flatMap((token, at) => (isFigure(token) ? endsOf(at, token) : []));
  return claim.flatMap((token, at) => {
    if (!isFigure(token) || known.some((other) => isSameFigure(token, other))) return [];
    if (followsFrom(at, { claim, quote: quote.tokens, figures })) return [];
    // Small counts in words, which quotes seldom state.
    if (isSmallCount(token) && !/^(?:an?|one|by)$/u.test(claim[at - 1]?.lower ?? '')) return [];
    return [`${token.date ? 'date' : 'number'}-missing: ${token.text}`];
  });
}

/** "Two", "third": written as a word, of nothing measured. */
const isSmallCount = ({ quantity, date, text }: Token): boolean =>
  quantity !== undefined &&
  quantity.kind !== 'fraction' &&
  date === undefined &&
  quantity.unit === undefined &&
  quantity.high === undefined &&
  quantity.value <= 10 &&
  !/\d/u.test(text);

function isSameFigure(mine: Token, theirs: Token): boolean {
  if (similarity(mine, theirs) > 0) return true;
  const [a, b] = [mine.quantity, theirs.quantity];
  const isPlain = [a, b].every((quantity) => quantity?.unit === undefined || quantity.unit.name === 'yr');
  // "The seventh year running" is seven years.
  if (a && b && a.value === b.value && isPlain && a.value < 100 && (a.kind === 'ordinal') !== (b.kind === 'ordinal'))
    return true;
  // "A 15-year-old", "aged 15": what is counted stands elsewhere.
  const isYears =
    [a, b].some((quantity) => quantity?.unit?.name === 'yr') && (a?.unit === undefined || b?.unit === undefined);
  if (a && b && a.value === b.value && a.kind === b.kind && isYears) return true;
  // "The 2007–08 season", "'08".
  const digits = (token: Token): string => token.text.replace(/\D+/gu, ' ').trim();
  const [said, there] = [digits(mine), digits(theirs)];
  if (said === '' || there === '') return false;
  if (/^\d{2}$/u.test(said) && mine.date && there.split(' ').some((part) => part.endsWith(said) && part.length === 4))
    return true;
  return theirs.text.length > mine.text.length && /^\d{4}$/u.test(said) && there.split(' ').includes(said);
}

/** "From $60 to $45" is two figures. */
function endsOf(at: number, token: Token): Figure[] {
  const { quantity } = token;
  if (quantity?.high === undefined) return [{ at, token }];
  const { high, ...low } = quantity;
  return [
    { at, token },
    { at, token: { ...token, quantity: low } },
    { at, token: { ...token, quantity: { ...low, value: high } } },
  ];
}

function foreignNames({ claim, quote, match, titles, question }: Comparison): string[] {
  const words = [...quote.tokens, ...titles, ...question].filter((token) => token.type === 'word');
  // "Aquila" of "L'Aquila".
  const known = new Set(words.flatMap(({ lower, keys }) => [lower, ...keys, ...lower.split(/[-'’.]/u)]));
  const initials = initialsOf(words);
  const stands = (token: Token): boolean => {
    const plain = token.lower.replace(/'s?$/u, '');
    if (known.has(plain) || token.keys.some((key) => known.has(key)) || romanValue(token.text) !== undefined)
      return true;
    if (plain.includes('-') && plain.split('-').every((part) => part === '' || known.has(part))) return true;
    if (isAcronym(token.text) && (initials.includes(plain) || plain.length < 3)) return true;
    return words.some(
      (other) =>
        areSynonyms(plain, other.lower) ||
        isForm(plain, other.lower) ||
        (other.name && isAcronym(other.text) && isInitialism(other.text, [token.text])),
    );
  };
  return claim.flatMap((token, at) => {
    if (!token.content || token.type !== 'word' || (match.to[at] as number) >= 0) return [];
    const opensWithName =
      at === 0 &&
      /^\p{Lu}\p{Ll}/u.test(token.text) &&
      (claim[1]?.name === true || !(knownWord(token.lower) || /^thanks$|(?:ly|ing|ed)$/u.test(token.lower)));
    // A common word with a capital may only be written like a name.
    const isSure = /^\p{Lu}{2}/u.test(token.text) || !knownWord(token.lower);
    return isSure && (token.name || opensWithName) && !stands(token) ? [`name-missing: ${token.text}`] : [];
  });
}

/** The first letters of runs of words, joined: an acronym of words that stand there is found in it. */
const initialsOf = (words: readonly Token[]): string =>
  words.map(({ text, content }) => (content ? (text[0]?.toLowerCase() ?? '') : '')).join('');

/** "Chinese" and "China", "Peruvian" and "Peru": one name with the ending of those who live there. */
function isForm(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < 4) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return (
    same >= 4 &&
    same >= short.length - 2 &&
    /^(?:v?i?ans?|ese|ish|is?|ic|ns?|eans?|ers?|ism|ists?|s|e|ed|y)$/u.test(long.slice(same))
  );
}
