// What a question wants its things weighed by: "which came first", "is A cheaper than B". Only what figures can decide; pure.
import { attributes } from '../../answer/support/compared/amounts.ts';
import { comparativeOf, ofColumn, type Relation } from '../../answer/support/compared/compare.ts';
import { eventOf } from '../../answer/support/compared/events.ts';
import { withoutMark } from './phrases.ts';

/** A question about all of the things, answered from what is found of each. */
export interface Weighing {
  readonly asked: string;
  readonly things: readonly string[];
  /** Absent: no rule tells it from figures, and whoever asked is told so. */
  readonly relation?: Relation;
  /** Nobody asked for it outright: where the figures do not tell, nothing is missing. */
  readonly isImplied?: true;
}

const superlatives: Readonly<Record<string, string>> = {
  longest: 'longer',
  shortest: 'shorter',
  tallest: 'taller',
  highest: 'higher',
  lowest: 'lower',
  deepest: 'deeper',
  shallowest: 'shallower',
  widest: 'wider',
  narrowest: 'narrower',
  largest: 'larger',
  biggest: 'bigger',
  smallest: 'smaller',
  heaviest: 'heavier',
  lightest: 'lighter',
  cheapest: 'cheaper',
  fastest: 'faster',
  slowest: 'slower',
};
const early = /\b(?:first|earlier|earliest|older|oldest|before|sooner)\b/iu;
const late = /\b(?:last|later|latest|newer|newest|younger|youngest|after|more recent(?:ly)?|most recent(?:ly)?)\b/iu;
const eventWord = /\b(\p{L}+(?:ed|en)|available|built|born|begun)\b/giu;
const comes = /\b(?:c[ao]mes?|is|was|are|were|appear(?:ed|s)?|exist(?:ed|s)?)\b/iu;
const oldOne = /\b(?:older|oldest|newer|newest|younger|youngest)\b/iu;
/** Of these "larger" is their area. */
const hasArea =
  /\b(?:area|country|countries|island|islands|lake|lakes|city|cities|park|parks|state|states|province|forest|desert|sites?|warehouses?|plots?|offices?|halls?|rooms?|flats?|apartments?|shops?)\b/iu;

/** Undefined where no figures would decide it: "which is better", "who is American". */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function relationOf(asked: string): Relation | undefined {
  const text = withoutMark(asked.replace(/\s+/gu, ' '));
  if (/\b(?:not|least|n't)\b/iu.test(text)) return undefined;
  const [isEarly, isLate] = [early.test(text), late.test(text)];
  if (isEarly !== isLate) {
    const events = [...text.matchAll(eventWord)].flatMap(([word]) => eventOf(word) ?? []);
    const isDied = /\b(?:died|dead|closed|ended)\b/iu.test(text);
    const wants = isEarly ? 'first' : 'last';
    if (events.length > 1 || (isDied && !events.includes('died'))) return undefined;
    const [event] = events;
    if (event) return { by: 'time', event, wants };
    // "Which was the first to serve pizza": of no event that is known here.
    if (!oldOne.test(text) && /\b(?:first|last|before|after|later|earlier)\b (?:to )?\p{Ll}/iu.test(text))
      return undefined;
    return comes.test(text)
      ? { by: 'time', wants, event: /^who(?:se)?\b/iu.test(text) ? 'born' : undefined }
      : undefined;
  }
  if (isEarly && isLate) return undefined;
  const counted =
    /\b(?:has|have|had|offers?|includes?|contains?|employs?|supports?) (?:the )?(more|most|fewer|fewest) (\p{Ll}[\p{L} -]{1,40})$/iu.exec(
      text,
    );
  if (counted) {
    const isMore = /^mo/iu.test(counted[1] ?? '');
    return {
      by: 'amount',
      what: { counted: counted[2] ?? '' },
      wants: isMore ? 'more' : 'less',
      word: isMore ? 'more' : 'fewer',
    };
  }
  if (/\bcosts? (more|less)\b/iu.test(text))
    return comparativeOf(/\bmore\b/iu.test(text) ? 'more expensive' : 'cheaper');
  if (/\b(?:more|most) expensive\b/iu.test(text)) return comparativeOf('more expensive');
  if (/\b(?:more|most) populous\b|\b(?:larger|largest|bigger|biggest|higher|greater) population\b/iu.test(text))
    return comparativeOf('more populous');
  const delivered = /\bdelivered (?:faster|fastest)\b/iu.test(text);
  if (delivered) return ofColumn('delivery time', 'shorter');
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  // "Has the longer battery life": of something that its own word names, and the adjective does not.
  const [, degree = '', had] =
    /\b(?:has|have|had|with|offers?) (?:the |an? )?(\p{L}{1,30}(?:er|est)) (\p{L}[\p{L} -]{1,40})$/iu.exec(text) ?? [];
  const adjective = degree.toLowerCase();
  const ofNamed = had === undefined ? undefined : ofColumn(had.toLowerCase(), superlatives[adjective] ?? adjective);
  const isAttribute = Object.values(attributes).some(({ nouns }: { readonly nouns: readonly string[] }) =>
    nouns.includes(had?.toLowerCase() ?? ''),
  );
  if (ofNamed && !isAttribute) return ofNamed;
  const comparatives = words.flatMap((word) => comparativeOf(superlatives[word] ?? word) ?? []);
  const [relation] = comparatives;
  if (!relation || comparatives.length > 1) return undefined;
  const attribute = 'attribute' in relation.what ? relation.what.attribute : undefined;
  if (attribute === 'area' && !hasArea.test(text)) return undefined;
  const nouns: readonly string[] = attribute === undefined ? [] : attributes[attribute].nouns;
  return had === undefined || nouns.includes(had.toLowerCase()) ? relation : undefined;
}

/** By what things are weighed where only the criterion is named: "compare A and B in price". */
const ofCriterion: readonly (readonly [criterion: RegExp, relation: Relation])[] = [
  [
    /^(?:list )?prices?$|^costs?$|^pricing$/iu,
    { by: 'amount', what: { attribute: 'price' }, wants: 'less', word: 'cheaper' },
  ],
  [/^length$/iu, { by: 'amount', what: { attribute: 'length' }, wants: 'more', word: 'longer' }],
  [/^height$/iu, { by: 'amount', what: { attribute: 'height' }, wants: 'more', word: 'taller' }],
  [/^depth$/iu, { by: 'amount', what: { attribute: 'depth' }, wants: 'more', word: 'deeper' }],
  [/^width$/iu, { by: 'amount', what: { attribute: 'width' }, wants: 'more', word: 'wider' }],
  [/^(?:total |surface )?area$/iu, { by: 'amount', what: { attribute: 'area' }, wants: 'more', word: 'larger' }],
  [/^weight$/iu, { by: 'amount', what: { attribute: 'weight' }, wants: 'more', word: 'heavier' }],
  [/^(?:top |maximum )?speed$/iu, { by: 'amount', what: { attribute: 'speed' }, wants: 'more', word: 'faster' }],
  [/^population$/iu, { by: 'amount', what: { attribute: 'population' }, wants: 'more', word: 'more populous' }],
  [
    /^(?:year|date) of (?:first )?release$|^release (?:year|date)$/iu,
    { by: 'time', event: 'released', wants: 'first' },
  ],
  [
    /^(?:year|date) of (?:foundation|founding)$|^founding (?:year|date)$/iu,
    { by: 'time', event: 'founded', wants: 'first' },
  ],
];

export const relationOfCriterion = (criterion: string): Relation | undefined =>
  ofCriterion.find(([pattern]) => pattern.test(criterion.trim()))?.[1];
