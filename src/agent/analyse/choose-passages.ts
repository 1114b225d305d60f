// The passages of a section, best first: those that hold most terms of its query, in the order of the search. Invariants: each is an exact span of
// one piece of evidence; a passage that holds more terms of another section of the analysis is left to that one. Pure.
import { claimTextOf } from '../../answer/claim-text.ts';
import type { DraftClaim } from '../../answer/claims/draft.ts';
import type { Evidence } from '../../core/search.ts';
import { termSet, termsOf } from '../../text/terms.ts';
import type { SectionPlan } from './sections.ts';
import type { Saying } from './subject.ts';

/** More than a section shows: some do not pass the check, some are said already. */
const mostPassages = 12;
const words = { fewest: 4, most: 60 };

/** `found`: in the order of the search. */
export function choosePassages(
  plan: SectionPlan,
  found: readonly { readonly item: Evidence; readonly sayings: readonly Saying[] }[],
): readonly DraftClaim[] {
  const passages = found.flatMap(({ item, sayings }) =>
    sayings.flatMap(({ start, end, from, kind, heads }) => {
      const said = item.text.slice(start, end);
      const count = said.split(/\s+/u, words.most + 1).length;
      if (count < words.fewest || count > words.most || said.endsWith('?')) return [];
      const text = kind === 'row' ? said.trim() : claimTextOf(said, item.text);
      const worth = worthOf(plan, said, heads);
      if (text === '' || worth === 0) return [];
      const { documentId, chunkId } = item;
      const span = { documentId, chunkId, start: item.start + (kind === 'row' ? start : from), end: item.start + end };
      return [{ worth, claim: { text, spans: [span], relevance: worth / (1 + worth) } }];
    }),
  );
  const best = passages.toSorted((one, other) => other.worth - one.worth).map(({ claim }) => claim);
  // Each area is spoken of first where anything speaks of it.
  const first = plan.areas.flatMap((area) => best.find(({ text }) => speaksOfArea(area, text)) ?? []);
  return [...new Set([...first, ...best])].slice(0, mostPassages);
}

/** How many terms of the section it holds, with the headings over it; 0: it belongs to another section, or to none. */
function worthOf({ terms, others, areas, thing }: SectionPlan, said: string, heads: readonly string[]): number {
  const whole = [...heads, said].join('\n');
  if (areas.length > 0) return areas.filter((area) => speaksOfArea(area, whole)).length;
  const held = termSet(whole);
  if (terms.size === 0) return 1 + held.intersection(termSet(thing.name)).size;
  const own = held.intersection(terms).size;
  return others.some((other) => held.intersection(other).size > own) ? 0 : own;
}

/** By one of its words, or one of the same family ("architect", "architecture"). */
export function speaksOfArea(area: string, said: string): boolean {
  const held = termsOf(said);
  return termsOf(area).some(({ term }) => held.some((other) => isOfFamily(term, other.term)));
}

function isOfFamily(a: string, b: string): boolean {
  let common = 0;
  while (common < a.length && a[common] === b[common]) common += 1;
  return a === b || (common >= 5 && a.length + b.length - 2 * common <= 5);
}
