// How much of something a thing has, as a sentence says it outright: "The Oder is 866 km long", "Alpha costs $20 per month". Invariant: the figure is
// exact, of the very attribute and of the very thing, and what limits it ("per month") is told with it.
import { findQuantities, type Quantity } from '../../../text/quantities/quantities.ts';
import type { ThingReading } from './events.ts';
import { isSubject, subjectBefore } from './things.ts';

export interface Attribute {
  /** What a thing has: `a length of`, `Length:`. */
  readonly nouns: readonly string[];
  /** What a thing is: `866 km long`. */
  readonly adjectives: readonly string[];
  /** What a thing does: `costs $20`. */
  readonly verbs: readonly string[];
  /** Of its unit; `none`: a plain count. */
  readonly dimensions: readonly string[];
  readonly more: readonly string[];
  readonly less: readonly string[];
}

/** Dimensions of quantities that are sums of money. */
export const money: readonly string[] = ['usd', 'eur', 'gbp', 'jpy', 'cny', 'inr', 'chf', 'cad', 'aud'];
const attribute = (
  [nouns, adjectives, verbs, dimensions]: readonly [string, string, string, readonly string[]],
  more: string,
  less: string,
): Attribute => {
  const list = (words: string): readonly string[] => words.split('/').filter((word) => word !== '');
  return {
    nouns: list(nouns),
    adjectives: list(adjectives),
    verbs: list(verbs),
    dimensions,
    more: list(more),
    less: list(less),
  };
};

export const attributes = {
  length: attribute(['length/total length', 'long/in length', '', ['length']], 'longer', 'shorter'),
  height: attribute(['height', 'tall/high/in height', '', ['length']], 'taller/higher', 'lower'),
  depth: attribute(['depth/maximum depth', 'deep/in depth', '', ['length']], 'deeper', 'shallower'),
  width: attribute(['width', 'wide/in width', '', ['length']], 'wider', 'narrower'),
  area: attribute(
    ['area/total area/surface area/floor area/floor space', '', 'covers', ['area']],
    'larger/bigger',
    'smaller',
  ),
  weight: attribute(['weight/mass', '', 'weighs', ['mass']], 'heavier', 'lighter'),
  price: attribute(
    [
      'price/cost/list price/unit price/retail price/sale price/price per unit',
      '',
      'costs/is priced at/sells for/is sold for',
      money,
    ],
    'more expensive/costlier',
    'cheaper/less expensive',
  ),
  speed: attribute(['top speed/maximum speed', '', '', ['speed']], 'faster', 'slower'),
  population: attribute(['population', '', '', ['none']], 'more populous', 'less populous'),
} as const satisfies Record<string, Attribute>;
export type AttributeName = keyof typeof attributes;
export const attributeNames = Object.keys(attributes) as readonly AttributeName[];

export interface AmountReading {
  /** In the base of its dimension. */
  readonly value: number;
  readonly dimension: string;
  /** As it stands, with what limits it. */
  readonly text: string;
  /** `per month`, in small letters; two amounts are compared where it is the same. */
  readonly per: string;
}

/** `plugins` of "has 120 plugins", the name of an attribute, or what a column is called: `battery life`. */
export type Measured =
  | { readonly attribute: AttributeName }
  | { readonly counted: string }
  | { readonly column: string };

/** What columns and rows are called that tell it. */
export const nounsOf = (what: Measured): readonly string[] =>
  'column' in what ? [what.column] : 'counted' in what ? [what.counted] : attributes[what.attribute].nouns;

const tail =
  /^(?: (?:per|an?|each|every|for each|for every)(?: [\p{L}-]+){1,2}?(?: (?:per|for each|for every|and) [\p{L}-]+)?|\/[\p{L}]+)(?=$|[.,;!]| (?:and|with|which|in)\b)/u;
/** What may follow a figure without limiting it. */
const harmless = /^(?:[.!;]?$|[.;] |, (?:and|which|making|with|it|while|whereas)\b| (?:and|with|making|which)\b)/u;

function readingOf(
  quantity: Quantity,
  sentence: string,
  dimensions: readonly string[] | undefined,
  rest?: string,
): AmountReading | undefined {
  const { kind, bound, high, unit, value } = quantity;
  if (kind !== 'cardinal' || bound !== 'exact' || high !== undefined) return undefined;
  const dimension = unit?.dimension ?? 'none';
  if (dimensions && !dimensions.includes(dimension)) return undefined;
  const after = rest ?? sentence.slice(quantity.end);
  const per = tail.exec(after)?.[0] ?? '';
  if (!harmless.test(after.slice(per.length))) return undefined;
  const text = `${quantity.text}${per}`;
  return { value: value * (unit?.factor ?? 1), dimension, text, per: per.trim().toLowerCase() };
}

/** What the sentence says of how much the thing has. */
export function amountsIn(sentence: string, what: Measured, { thing, meant }: ThingReading): readonly AmountReading[] {
  // What is known by the name of a column alone, no sentence says outright.
  if (sentence.length > 1_000 || 'column' in what) return [];
  const isOwn = (words: string): boolean => {
    const subject = subjectBefore(words);
    return isSubject(subject, thing) || meant(subject);
  };
  const found: AmountReading[] = [];
  for (const quantity of findQuantities(sentence)) {
    const before = sentence.slice(0, quantity.boundStart).trimEnd();
    const after = sentence.slice(quantity.end);
    if ('counted' in what) {
      const verb = / (?:has|offers|includes|contains|employs|supports)$/u.exec(before);
      const noun = ` ${what.counted}`;
      if (!verb || !isOwn(before.slice(0, verb.index)) || !after.toLowerCase().startsWith(noun.toLowerCase())) continue;
      const read = readingOf(quantity, sentence, ['none'], after.slice(noun.length));
      if (read) found.push(read);
      continue;
    }
    const { nouns, adjectives, verbs, dimensions } = attributes[what.attribute];
    const isAre = / (?:is|are|measures|stretches|runs)$/u.exec(before);
    const adjective = adjectives.find(
      (one) => after.startsWith(` ${one}`) && !/^[\p{L}-]/u.test(after.slice(one.length + 1)),
    );
    const verb = verbs.find((one) => before.endsWith(` ${one}`));
    const noun = nouns.find(
      (one) => / has an? $/u.test(before.slice(0, -one.length - 3)) && before.endsWith(` ${one} of`),
    );
    const isNamed = nouns.some((one) => {
      const of =
        before.toLowerCase().startsWith(`the ${one} of `) && isAre
          ? before.slice(`the ${one} of `.length, isAre.index)
          : undefined;
      const possessive =
        isAre && before.slice(0, isAre.index).endsWith(`’s ${one}`.replace('’', before.includes('’') ? '’' : "'"));
      if (of !== undefined) return isSubject(of, thing);
      return possessive ? isSubject(before.slice(0, (isAre?.index ?? 0) - one.length - 3), thing) : false;
    });
    const subject =
      adjective !== undefined && isAre
        ? before.slice(0, isAre.index)
        : verb !== undefined
          ? before.slice(0, -verb.length - 1)
          : noun !== undefined
            ? before.slice(0, before.lastIndexOf(' has a'))
            : undefined;
    if (!isNamed && (subject === undefined || !isOwn(subject))) continue;
    const read = readingOf(
      quantity,
      sentence,
      dimensions,
      adjective === undefined ? after : after.slice(adjective.length + 1),
    );
    if (read) found.push(read);
  }
  return found;
}

/** The figure of a cell, where it is one and nothing else. `dimensions`: undefined for any; `unit`: of its column. */
export function amountOfCell(
  value: string,
  dimensions: readonly string[] | undefined,
  unit?: string,
): AmountReading | undefined {
  const text = unit === undefined ? value.trim() : `${value.trim()} ${unit}`;
  const [quantity, ...more] = findQuantities(text);
  if (!quantity || more.length > 0 || quantity.boundStart !== 0) return undefined;
  return readingOf(quantity, text, dimensions);
}
