// Whether a text says anything of the measure under which a thing is compared: a figure in other units is none. Pure.
import { type Attribute, attributeNames, attributes } from '../../answer/support/compared/amounts.ts';
import { findQuantities } from '../../text/quantities/quantities.ts';
import { termSet } from '../../text/terms.ts';

/** `said`: the claim, with what stands over it. Of a criterion that is no measure nothing can be told, and it counts as spoken of. */
export function speaksOf(criterion: string, said: string): boolean {
  const wanted = criterion.toLowerCase().trim();
  const name = attributeNames.find((one) => attributes[one].nouns.some((noun) => noun === wanted));
  if (name === undefined || !termSet(wanted).isDisjointFrom(termSet(said))) return true;
  const { adjectives, verbs, dimensions }: Attribute = attributes[name];
  const folded = ` ${said.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return (
    [...adjectives, ...verbs].some((word) => folded.includes(` ${word} `)) ||
    findQuantities(said).some(({ unit }) => unit !== undefined && dimensions.includes(unit.dimension))
  );
}
