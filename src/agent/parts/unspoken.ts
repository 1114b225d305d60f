// What a part asks that nothing around a claim speaks of: the noun of "What is the warranty of the Finch?", the object of "Who approves exceptions?". A claim
// from such a passage is about something else. Pure.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { likeness, termSet, termsOf } from '../../answer/question/terms.ts';
import type { Evidence } from '../../core/search.ts';
import { speaksOf } from '../plan/criterion.ts';
import { bareOf } from '../plan/phrases.ts';
import { namedTerms } from './owned.ts';

const factOf =
  /^[Ww]hat (?:is|are|was|were) (?:the |its |their |his |her |\p{Lu}.{0,60}?['’]s? )(?<noun>\p{Ll}[\p{L}-]{2,30}(?: \p{Ll}[\p{L}-]{2,30})?)(?: (?:of|for|at|in|on|under) .+)?$/u;
/** Of these a text speaks in many words, or without any. */
const abstract =
  /^(?:reasons?|causes?|purpose|names?|titles?|results?|outcomes?|effects?|impact|roles?|jobs?|position|status|types?|kinds?|meaning|topics?|subjects?|points?|ideas?|goals?|problems?|issues?|solutions?|ways?|process|differences?|answers?|nationality|profession|occupation|relationship|size|number|amount|capital|date|year|day|time|place|location|main .+|first .+|last .+)$/iu;

/** The passages that claims stand in, with what stands over them, as one text. */
function aroundOf(claims: readonly VerifiedClaim[], evidence: readonly Evidence[]): string {
  const spans = claims.flatMap((claim) => claim.spans);
  const from = evidence.filter(({ chunkId }) => spans.some((span) => span.chunkId === chunkId));
  return [
    ...claims.map(({ text }) => text),
    ...spans.flatMap(({ title, columns }) => [title, ...(columns?.names ?? [])]),
    ...from.flatMap(({ text, headingPath }) => [...headingPath, text]),
  ].join('\n');
}

const isHeld = (term: string, held: ReadonlySet<string>): boolean =>
  held.has(term) || [...held].some((one) => likeness(term, one) >= 0.5);

/** The very thing that is asked for, where nothing around the claim speaks of it; undefined where something does. */
export function unspokenNoun(query: string, claim: VerifiedClaim, evidence: readonly Evidence[]): string | undefined {
  const noun = factOf.exec(bareOf(query))?.groups?.['noun'];
  if (noun === undefined || abstract.test(noun)) return undefined;
  const around = aroundOf([claim], evidence);
  if (speaksOf(noun, around)) return undefined;
  const held = termSet(around);
  return [...termSet(noun)].some((term) => isHeld(term, held)) ? undefined : noun;
}

const fewTerms = 3;

/** Of a question in few words, those that no passage of its claims speaks of; names are looked at elsewhere. */
export function unspokenIn(
  query: string,
  claims: readonly VerifiedClaim[],
  evidence: readonly Evidence[],
): readonly string[] {
  const names = namedTerms(query);
  const wanted = termSet(query);
  if (wanted.size > fewTerms || !/^(?:who|which|what|how many|does|do|is|are)\b/iu.test(query)) return [];
  const held = termSet(aroundOf(claims, evidence));
  return termsOf(query).flatMap(({ term, start, end }) =>
    names.has(term) || isHeld(term, held) ? [] : [query.slice(start, end)],
  );
}
