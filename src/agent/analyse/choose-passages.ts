// The passages of a section, best first by the order that all answers share (src/passages). Invariants: each is an exact part of one piece of evidence
// that is about the thing of the section; a part that says more of another section is left to that one. Pure.
import { claimTextOf } from '../../answer/claim-text.ts';
import type { DraftClaim } from '../../answer/claims/draft.ts';
import type { Evidence } from '../../core/search.ts';
import { type Frame, holds, readFrame } from '../../passages/frame.ts';
import { rankByWords } from '../../passages/rank.ts';
import { termSet, termsOf } from '../../text/terms.ts';
import type { SectionPlan } from './sections.ts';
import type { Saying } from './subject.ts';

/** More than a section shows: some do not pass the check, some are said already. */
const mostPassages = 12;
const length = { fewest: 4, most: 60 };

/** `found`: in the order of the search. */
export function choosePassages(
  { words, others, areas, thing }: SectionPlan,
  found: readonly { readonly item: Evidence; readonly sayings: readonly Saying[] }[],
): readonly DraftClaim[] {
  const sayingsOf = new Map(found.map(({ item, sayings }) => [item, sayings] as const));
  const evidence = found.map(({ item }) => item);
  const beside = others.map((other) => readFrame(other).terms);
  const chosenFor = (query: string): readonly DraftClaim[] => {
    const frame = readFrame(query);
    const parts = rankByWords(frame, evidence).flatMap(({ chunk, passage }) =>
      (sayingsOf.get(chunk) ?? []).flatMap((saying) => {
        if (saying.start >= passage.end || passage.start >= saying.end) return [];
        const claim = claimOf(chunk, saying);
        const held = termSet([...saying.heads, claim?.text].join('\n'));
        const count = (terms: Frame['terms']): number => terms.filter((term) => holds(term, held) > 0).length;
        const own = count(frame.terms);
        // What says more of another section is left to that one.
        if (!claim || (words !== '' && own === 0) || beside.some((terms) => count(terms) > own)) return [];
        return [{ own, claim: { ...claim, relevance: Math.min(1, own / 4) } }];
      }),
    );
    return parts.toSorted((one, other) => other.own - one.own).map(({ claim }) => claim);
  };
  const queries = areas.length > 0 ? areas : [words === '' ? thing.name : words];
  const byQuery = queries.map((query) => {
    const chosen = chosenFor(query);
    return areas.length > 0 ? chosen.filter(({ text }) => speaksOfArea(query, text)) : chosen;
  });
  // Each area is spoken of first where anything speaks of it.
  const all = [...byQuery.flatMap((chosen) => chosen.slice(0, 1)), ...byQuery.flat()];
  return [...new Map(all.map((claim) => [claim.text, claim] as const)).values()].slice(0, mostPassages);
}

function claimOf(
  { documentId, chunkId, text, start: at }: Evidence,
  { start, end, from, kind }: Saying,
): Omit<DraftClaim, 'relevance'> | undefined {
  const said = text.slice(start, end);
  const count = said.split(/\s+/u, length.most + 1).length;
  if (count < length.fewest || count > length.most || said.endsWith('?')) return undefined;
  const written = kind === 'row' ? said.trim() : claimTextOf(said, text);
  if (written === '') return undefined;
  const span = { documentId, chunkId, start: at + (kind === 'row' ? start : from), end: at + end };
  return { text: written, spans: [span] };
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
