// Whether a text says anything of the measure under which a thing is compared: a figure in other units is none. Pure.
import { findQuantities } from '../../text/quantities/quantities.ts';
import { termSet } from '../../text/terms.ts';

const money = 'usd eur gbp jpy cny inr chf cad aud'.split(' ');
/** The dimensions of the figures that tell a measure. */
const measures: Readonly<Record<string, readonly string[]>> = {
  length: ['length'],
  height: ['length'],
  depth: ['length'],
  width: ['length'],
  area: ['area'],
  weight: ['mass'],
  price: money,
  cost: money,
  speed: ['speed'],
};
/** Units of money are too many to know them all. */
const otherWord: Readonly<Record<string, string>> = { price: 'cost', cost: 'price' };

/** `said`: the claim, with what stands over it. Of a criterion that is no measure nothing can be told, and it counts as spoken of. */
export function speaksOf(criterion: string, said: string): boolean {
  const wanted = criterion.toLowerCase().trim();
  const dimensions = measures[wanted];
  if (!dimensions || !termSet(`${wanted} ${otherWord[wanted] ?? ''}`).isDisjointFrom(termSet(said))) return true;
  return findQuantities(said).some(({ unit }) => unit !== undefined && dimensions.includes(unit.dimension));
}
