// Phrases of small words that take away more than their words tell: "all but unanimous" is not unanimous, and what is so "in the view of the insurer" is the
// insurer's word. Pure.
import type { Token } from '../tokens.ts';
import type { Restriction } from './words.ts';

/** They bind to the word that follows. */
const degrees: readonly (readonly string[])[] = [
  'all but',
  'anything but',
  'far from',
  'close to',
  'as good as',
  'more or less',
  'short of',
  'next to',
  'just under',
  'just over',
].map((phrase) => phrase.split(' '));
/** The whole statement is somebody's. */
const views =
  /(?:^|\s)(?:in|by|to) (?:the|his|her|their|its|my|our|some|one|many|several|\S{2,20} s) (?:own )?(?:views?|opinions?|eyes|judge?ment|estimation|account|accounts|telling|words|reckoning|mind)(?=\s|$)/u;

/** The whole statement holds so far. */
const shares =
  /(?:^|\s)(?:in (?:all but name|name only|name alone)|for the most part|to (?:some|a certain|a large|a great) (?:extent|degree)|up to a point|so to speak|on paper|at least (?:in part|on paper))(?=\s|$)/u;

/** What the quote has of these beside words that the claim took over, and the claim has not. */
export function phrasesRemoved(
  claim: readonly Token[],
  quote: readonly Token[],
  isUsed: (at: number) => boolean,
): readonly Restriction[] {
  const said = textOf(claim);
  const told = textOf(quote);
  const whole = [views, shares].flatMap((form): readonly Restriction[] => {
    const phrase = form.exec(told)?.[0].trim();
    return phrase === undefined || said.includes(phrase) ? [] : [{ kind: 'phrase', text: phrase }];
  });
  return [
    ...degreesRemoved(said, quote, isUsed),
    ...sharesRemoved(quote, isUsed),
    ...ownedRemoved(quote, isUsed),
    ...timeRemoved(claim, quote),
    ...whole,
  ];
}

function degreesRemoved(
  said: string,
  quote: readonly Token[],
  isUsed: (at: number) => boolean,
): readonly Restriction[] {
  return degrees.flatMap((phrase): readonly Restriction[] => {
    const at = quote.findIndex((_, from) => phrase.every((word, place) => quote[from + place]?.lower === word));
    if (at < 0 || said.includes(phrase.join(' '))) return [];
    const next = quote.findIndex((token, place) => place >= at + phrase.length && token.content);
    const binds = next >= 0 && next < at + phrase.length + 3 && isUsed(next);
    return binds ? [{ kind: 'modifier', text: phrase.join(' ') }] : [];
  });
}

/** "One of the pupils", "two of the counts". */
function sharesRemoved(quote: readonly Token[], isUsed: (at: number) => boolean): readonly Restriction[] {
  return quote.flatMap((token, at): readonly Restriction[] => {
    if (isUsed(at) || quote[at + 1]?.lower !== 'of' || !(token.type === 'number' || token.quantifier || isOne(token)))
      return [];
    const next = quote.findIndex((other, place) => place > at + 1 && other.content);
    return next >= 0 && next < at + 5 && isUsed(next) ? [{ kind: 'modifier', text: `${token.lower} of` }] : [];
  });
}

/** "The rebels' lawyer": none of the rebels. */
function ownedRemoved(quote: readonly Token[], isUsed: (at: number) => boolean): readonly Restriction[] {
  return quote.flatMap((token, at): readonly Restriction[] => {
    const [mark, owned] = [quote[at + 1], quote[at + 2]];
    if (!isUsed(at) || !owned?.content || isUsed(at + 2) || !/s$/u.test(token.lower) || mark?.type !== 'mark')
      return [];
    const isQuoted = quote.slice(0, at).some(({ text }) => apostrophe.test(text));
    return apostrophe.test(mark.text) && !isQuoted ? [{ kind: 'head', text: owned.text }] : [];
  });
}

/** "It was the tallest tower": what was so need not be so now. */
function timeRemoved(claim: readonly Token[], quote: readonly Token[]): readonly Restriction[] {
  const isMore = (form: RegExp, here: readonly Token[], there: readonly Token[]): boolean =>
    countOf(form, here) > countOf(form, there);
  return isMore(now, claim, quote) && isMore(then, quote, claim) ? [{ kind: 'clause', text: 'was' }] : [];
}

const apostrophe = /^['’‘]$/u;
const now = /^(?:is|are)$/u;
const then = /^(?:was|were)$/u;
const countOf = (form: RegExp, tokens: readonly Token[]): number =>
  tokens.filter(({ lower }) => form.test(lower)).length;
const isOne = ({ lower }: Token): boolean => /^(?:one|none|some|several|part|half)$/u.test(lower);
const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ lower, possessive }) => (possessive ? `${lower} s` : lower)).join(' ');
