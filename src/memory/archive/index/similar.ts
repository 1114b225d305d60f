// Hits of a search by meaning: turns that are near the query, whatever their words and whatever stands around them.
import type { TurnHits } from './search.ts';
import type { Nearness } from './turn-vectors.ts';

/** A turn with this cosine or more is a hit. */
export const leastSimilar = 0.3;

export function similarTurns(filtered: TurnHits, { cosines, roles }: Nearness): TurnHits {
  const places: number[] = [];
  const hitRoles = new Uint8Array(cosines.length);
  for (const [place, cosine] of cosines.entries()) {
    if (cosine < leastSimilar) continue;
    places.push(place);
    hitRoles[place] = roles[place] as number;
  }
  return { ...filtered, places: Uint32Array.from(places), scores: cosines, roles: hitRoles };
}
