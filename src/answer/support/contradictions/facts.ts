// Figures, dates and names of a claim that its quotes do not have. A figure that follows from theirs by arithmetic is theirs; a name
// may stand in another form ("Chinese" for "China"), as its letters, or in a title. A small count in words ("these two reports") says
// nothing of the quotes, unless they count the same things otherwise.

import { knownWord } from '../../../text/words/known-word.ts';
import { isAcronym, isInitialism } from '../../../text/words/names.ts';
import { areSynonyms } from '../../../text/words/synonyms.ts';
import { romanValue, similarity } from '../align.ts';
import { type Figure, licenceOf, listsIn } from '../figures.ts';
import type { Token } from '../tokens.ts';
import type { Comparison } from './comparison.ts';

export const isFigure = ({ quantity, date, text }: Token): boolean =>
  quantity !== undefined || date !== undefined || /\d/u.test(text);

export interface Facts {
  /** Reasons of the form `kind: detail`. */
  readonly foreign: readonly string[];
  /** Figures of the claim that the quotes do not state, with the computation that gives them. */
  readonly computed: ReadonlyMap<string, string>;
}

export function factsOf(comparison: Comparison): Facts {
  const computed = new Map<string, string>();
  return { foreign: [...foreignFigures(comparison, computed), ...foreignNames(comparison)], computed };
}

function foreignFigures({ claim, quote, match, anchor }: Comparison, computed: Map<string, string>): string[] {
  const { tokens: quoted, sentence } = quote;
  const figures: Figure[] = quoted.flatMap((token, at) => (isFigure(token) ? endsOf(at, token) : []));
  const drawnOn = new Set([...match.to].flatMap((there) => (there < 0 ? [] : [sentence[there] as number])));
  const nextContent = (tokens: readonly Token[], at: number): Token | undefined =>
    tokens.slice(at + 1, at + 4).find((token) => token.content);
  const countedAs = (token: Token, next: Token): Token[] =>
    quoted.filter((other, at) => {
      const there = isFigure(other) && isComparable(token, other) ? nextContent(quoted, at) : undefined;
      return there !== undefined && !isFigure(there) && similarity(next, there) > 0;
    });
  /** A count where the claim draws on, of which the claim says nothing. */
  const isLeftOut = (other: Token, at: number): boolean =>
    isSmallCount(other) &&
    drawnOn.has(sentence[at] as number) &&
    !claim.some((token) => isFigure(token) && isSameFigure(token, other));
  // oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
  return claim.flatMap((token, at) => {
    if (!isFigure(token)) return [];
    // "The late 19th century" is less than the century.
    const isPart = token.date !== undefined && /^(?:early|mid|late)$/u.test(claim[at - 1]?.lower ?? '');
    const isStated = quoted.some((other) =>
      isPart
        ? other.date?.precision === token.date?.precision && isSameFigure(token, other)
        : isSameFigure(token, other),
    );
    const licence = isStated ? undefined : licenceOf(at, { claim, quote: quoted, figures });
    if (licence?.derivation !== undefined) {
      computed.set(token.text, `${licence.derivation} = ${token.text}`);
      return [];
    }
    const [before, next] = [claim[at - 1], claim[at + 1]];
    const rivals = next?.content && !isFigure(next) && !next.name ? countedAs(token, next) : [];
    const [rival] = rivals;
    // The same things, counted otherwise wherever they are counted.
    if (rival && !rivals.some((other) => isSameFigure(token, other)))
      return [`number-changed: ${rival.text} → ${token.text}`];
    // "1781 May 3" is no way to write a day.
    const isTwice =
      isStated && before?.date && quoted.some((other) => isSameFigure(token, other) && isSameFigure(before, other));
    if (isTwice && token.date) return [`date-changed: ${before.text} ${token.text}`];
    if (isStated || licence) return [];
    // "By a third" is a share.
    const isSmall = isSmallCount(token) && !/^(?:an?|one|by)$/u.test(before?.lower ?? '');
    const listed = isSmall ? listedIn(quote, anchor) : undefined;
    if (listed !== undefined && listed !== token.quantity?.value)
      return [`number-changed: ${listed} listed → ${token.text}`];
    // Small counts that the quotes neither state nor deny.
    if (isSmall && !quoted.some(isLeftOut)) return [];
    return [`${token.date ? 'date' : 'number'}-missing: ${token.text}`];
  });
}

/** How many things the sentence lists, where it holds one list. */
function listedIn({ tokens, sentence }: Comparison['quote'], anchor: number): number | undefined {
  const from = sentence.indexOf(anchor);
  const lists = from < 0 ? [] : listsIn(tokens.slice(from, sentence.lastIndexOf(anchor) + 1));
  return lists.length === 1 ? lists[0]?.length : undefined;
}

/** Years are no counts, and nothing is counted in parts. */
const isComparable = (a: Token, b: Token): boolean =>
  (a.date === undefined) === (b.date === undefined) &&
  Number.isInteger(a.quantity?.value ?? 0) === Number.isInteger(b.quantity?.value ?? 0) &&
  a.quantity?.kind === b.quantity?.kind;

/** "Two", "third": written as a word, of nothing measured. */
const isSmallCount = ({ quantity, date, text }: Token): boolean =>
  quantity !== undefined &&
  quantity.kind !== 'fraction' &&
  date === undefined &&
  quantity.unit === undefined &&
  quantity.high === undefined &&
  quantity.value <= 10 &&
  !/\d/u.test(text);

export function isSameFigure(mine: Token, theirs: Token): boolean {
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

function foreignNames({ claim, quote, match, titles }: Comparison): string[] {
  const words = [...quote.tokens, ...titles].filter((token) => token.type === 'word');
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
    return (token.name || opensWithName) && !stands(token) ? [`name-missing: ${token.text}`] : [];
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
