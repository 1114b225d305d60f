// What a quantity is, the bounds that words put on it ("at least", "up to", "about"), and when one quantity states another:
// equal after exact conversion of units, with a bound that is weakened but never sharpened.
import type { SourceSpan } from '../../core/document.ts';
import type { Unit } from './units.ts';

export type Bound = 'exact' | 'about' | 'at-least' | 'at-most' | 'more-than' | 'less-than';

export interface Quantity extends SourceSpan {
  readonly text: string;
  /** With its magnitude word, without its unit: "5 million km" is 5,000,000 (and unit km). */
  readonly value: number;
  /** Upper end of a range. */
  readonly high?: number;
  readonly unit?: Unit;
  readonly kind: 'cardinal' | 'ordinal' | 'fraction' | 'multiple';
  readonly bound: Bound;
  /** Where the bound words begin, if there are any before the number. */
  readonly boundStart: number;
  /** True for "one", "half" … as words that are often not counts. */
  readonly word: boolean;
}

const before: readonly (readonly [RegExp, Bound])[] = [
  [
    /(?:no|not) (?:more|greater|higher) than $|at (?:the )?most $|up to $|(?:a )?maximum of $|as (?:many|much) as $|höchstens $|maximal $|bis zu $|[≤] ?$|至多$|最多$/iu,
    'at-most',
  ],
  [
    /(?:no|not) (?:less|fewer|lower) than $|at (?:the )?least $|(?:a )?minimum of $|mindestens $|wenigstens $|[≥] ?$|至少$/iu,
    'at-least',
  ],
  [
    /(?:more|greater|higher|larger|longer|bigger|older) than $|(?:^|[ (])(?:over|above|exceed(?:s|ing|ed)?|mehr als|über|upwards of) $|> ?$|超过$|超過$|多于$/iu,
    'more-than',
  ],
  [
    /(?:less|fewer|lower|smaller|shorter|younger) than $|(?:^|[ (])(?:under|below|weniger als|unter) $|< ?$|少于$|不到$/iu,
    'less-than',
  ],
  [
    /(?:^|[ (~])(?:about|approximately|around|roughly|some|circa|ca\.?|c\.|approx\.?|nearly|almost|an estimated|estimated|close to|just (?:over|under)|etwa|rund|ungefähr|zirka|fast|knapp) $|[~≈] ?$|大约$|大約$|约$|約$|حوالي $/iu,
    'about',
  ],
];
const after: readonly (readonly [RegExp, Bound])[] = [
  [/^(?:\+(?!\d)| or (?:more|above|older|greater|higher|longer|over)(?!\p{L}))/iu, 'at-least'],
  [/^ or (?:less|fewer|below|under|younger|lower|shorter)(?!\p{L})/iu, 'at-most'],
  [/^ or so(?!\p{L})/iu, 'about'],
];

/** The bound in front of or behind the number at `start..end`; `boundStart` and `end` take its words in. */
export function boundAt(text: string, start: number, end: number): { bound: Bound; boundStart: number; end: number } {
  const lead = text.slice(Math.max(0, start - 24), start).replace(/\s/gu, ' ');
  let bound: Bound = 'exact';
  let boundStart = start;
  for (const [form, kind] of before) {
    const hit = form.exec(lead);
    if (hit) {
      bound = kind;
      boundStart = start - (lead.length - hit.index - (/^[ (]/u.test(hit[0]) ? 1 : 0));
      break;
    }
  }
  const tail = text.slice(end, end + 14);
  for (const [form, kind] of after) {
    const hit = form.exec(tail);
    if (hit) return { bound: kind, boundStart, end: end + hit[0].length };
  }
  return { bound, boundStart, end };
}

const near = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** Same amount: equal after exact conversion of units. Says nothing about bounds. Ranges agree only with ranges. */
export function sameAmount(a: Quantity, b: Quantity): boolean {
  if ((a.kind === 'ordinal') !== (b.kind === 'ordinal')) return false;
  if ((a.high === undefined) !== (b.high === undefined)) return false;
  const share = (quantity: Quantity): boolean =>
    quantity.unit?.dimension === 'ratio' || (quantity.kind === 'fraction' && !quantity.unit);
  const comparable = a.unit?.dimension === b.unit?.dimension || (share(a) && share(b));
  if (!comparable) return false;
  const size = (quantity: Quantity, value: number): number => value * (quantity.unit?.factor ?? 1);
  const lowAgrees = near(size(a, a.value), size(b, b.value));
  return lowAgrees && (a.high === undefined || b.high === undefined || near(size(a, a.high), size(b, b.high)));
}

/** True if `quote` states the amount of `claim` at least as certainly: the bound may be weakened, never sharpened. */
export function boundCovers(quote: Bound, claim: Bound): boolean {
  if (quote === claim) return true;
  if (claim === 'about') return quote === 'exact';
  if (claim === 'at-least') return quote === 'exact' || quote === 'more-than';
  if (claim === 'at-most') return quote === 'exact' || quote === 'less-than';
  return false;
}
