// A sub-query in the words that it is searched by: what earlier parts found takes the place of what it only refers to. Invariant: what is filled in
// comes from verified claims, and a text that was read can name what is looked for, never where or under whose rights.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { findNames } from '../../text/words/names.ts';
import { withBefore } from '../intent/follow-up.ts';
import { withNameBefore } from './name-before.ts';
import type { SubQuery } from './plan.ts';
import { refersBack } from './refers-back.ts';

/** What an earlier part came to. */
export interface EarlierPart {
  readonly id: string;
  readonly question: string;
  /** As it was searched, with what it referred to filled in. */
  readonly asked?: string;
  readonly claims: readonly Pick<VerifiedClaim, 'text'>[];
}

const longestFill = 120;
const longestQuery = 1_000;

/** Total: what cannot be filled stays as it is. */
export function filledQuery({ query, dependencies, about }: SubQuery, earlier: readonly EarlierPart[]): string {
  // What only goes on about the same thing refers to nothing: that thing is named behind it (passages/frame.ts).
  if (about !== undefined && !refersBack(query))
    return about === '' ? query : `${query.replace(/[?？]+$/u, '')} (${about})`;
  if (dependencies.length === 0) return query;
  let filled = query;
  for (const { id, question, claims } of earlier) {
    const found = namedBy(question, claims);
    filled = filled.replaceAll(`{${id}}`, found ?? '').replaceAll(/\s{2,}/gu, ' ');
  }
  if (filled === query) {
    const before = earlier.map(({ question, asked = question, claims }) => ({ question: asked, claims }));
    filled = withNameBefore(query, before) ?? withBefore(query, before.at(-1)?.question ?? '');
  }
  const bounded = filled.slice(0, longestQuery).toWellFormed().trim();
  return bounded === '' ? query : bounded;
}

/** What the claims name that the question did not: a name where there is one, else the first claim itself. */
export function namedBy(question: string, claims: EarlierPart['claims']): string | undefined {
  const asked = question.toLowerCase();
  const [first] = claims;
  if (!first) return undefined;
  const names = findNames(first.text)
    .filter(({ initial }) => !initial)
    .map(({ text }) => text)
    .filter((name) => !asked.includes(name.toLowerCase()));
  return (names[0] ?? first.text).slice(0, longestFill).toWellFormed();
}
