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
  const found: Restriction[] = [];
  for (const phrase of degrees) {
    const at = quote.findIndex((_, from) => phrase.every((word, place) => quote[from + place]?.lower === word));
    if (at < 0 || said.includes(phrase.join(' '))) continue;
    const next = quote.findIndex((token, place) => place >= at + phrase.length && token.content);
    if (next >= 0 && next < at + phrase.length + 3 && isUsed(next))
      found.push({ kind: 'modifier', text: phrase.join(' ') });
  }
  // "One of the pupils", "two of the counts".
  for (const [at, token] of quote.entries()) {
    if (isUsed(at) || quote[at + 1]?.lower !== 'of' || !(token.type === 'number' || token.quantifier || isOne(token)))
      continue;
    const next = quote.findIndex((other, place) => place > at + 1 && other.content);
    if (next >= 0 && next < at + 5 && isUsed(next)) found.push({ kind: 'modifier', text: `${token.lower} of` });
  }
  // "The rebels' lawyer": none of the rebels.
  for (const [at, token] of quote.entries()) {
    const [mark, owned] = [quote[at + 1], quote[at + 2]];
    if (!isUsed(at) || !owned?.content || isUsed(at + 2) || !/s$/u.test(token.lower) || mark?.type !== 'mark') continue;
    const isQuoted = quote.slice(0, at).some(({ text }) => apostrophe.test(text));
    if (apostrophe.test(mark.text) && !isQuoted) found.push({ kind: 'head', text: owned.text });
  }
  // "It was the tallest tower": what was so need not be so now.
  const isMore = (form: RegExp, here: readonly Token[], there: readonly Token[]): boolean =>
    countOf(form, here) > countOf(form, there);
  if (isMore(now, claim, quote) && isMore(then, quote, claim)) found.push({ kind: 'clause', text: 'was' });
  const view = views.exec(textOf(quote))?.[0].trim();
  if (view !== undefined && !said.includes(view)) found.push({ kind: 'phrase', text: view });
  const share = shares.exec(textOf(quote))?.[0].trim();
  if (share !== undefined && !said.includes(share)) found.push({ kind: 'phrase', text: share });
  return found;
}

const apostrophe = /^['’‘]$/u;
const now = /^(?:is|are)$/u;
const then = /^(?:was|were)$/u;
const countOf = (form: RegExp, tokens: readonly Token[]): number =>
  tokens.filter(({ lower }) => form.test(lower)).length;
const isOne = ({ lower }: Token): boolean => /^(?:one|none|some|several|part|half)$/u.test(lower);
const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ lower, possessive }) => (possessive ? `${lower} s` : lower)).join(' ');
