// What a search that failed had to tell before it did: each store that was asked, and why it could not serve. Whoever goes on without the search tells it.
import type { FootnoteError } from '../../core/errors.ts';
import type { Degradation } from '../../core/search.ts';

const told = new WeakMap<FootnoteError, readonly Degradation[]>();

/** The same error, with what was told of the stores. */
export function tellingOf(error: FootnoteError, degraded: readonly Degradation[]): FootnoteError {
  told.set(error, [...failuresOf(error), ...degraded]);
  return error;
}

export const failuresOf = (error: FootnoteError): readonly Degradation[] => told.get(error) ?? [];

/** Several that were searched may say the same of what they share. */
export function unique(degraded: readonly Degradation[]): Degradation[] {
  return [...new Map(degraded.map((one) => [`${one.component}\n${one.code}\n${one.detail}`, one])).values()];
}

/** As `degraded` says it: the component, for whoever says why there is no answer. */
export const unsearchedComponent = 'retrieval';
export const nothingSearched = ({ code }: FootnoteError): Degradation => ({
  component: unsearchedComponent,
  code,
  detail: 'No store that could answer was there to be searched, so this answer is not grounded in any document.',
  effect: 'Nothing was searched.',
});
