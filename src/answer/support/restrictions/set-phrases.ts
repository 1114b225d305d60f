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
  const view = views.exec(textOf(quote))?.[0].trim();
  if (view !== undefined && !said.includes(view)) found.push({ kind: 'phrase', text: view });
  return found;
}

const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ lower, possessive }) => (possessive ? `${lower} s` : lower)).join(' ');
