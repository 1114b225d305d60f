// What a store holds, in words: the same wherever it is told.
import type { StoreStatus } from '../../footnote/facade.ts';
import { plural } from './render.ts';

/** One that is down counts nothing, which is not the same as holding nothing. */
export const holdingOf = ({ status, documents, chunks }: StoreStatus): string =>
  status === 'down' ? 'does not say what it holds' : `${plural(documents, 'document')}, ${plural(chunks, 'chunk')}`;

const learnedAlone = 'Search by meaning goes by what is learned from the documents alone:';

/** What the sentence encoder has to do with search by meaning, where that is not as it should be in the end. */
export function encoderOf({ vectors }: Pick<StoreStatus, 'vectors'>): string {
  const { state, embedded = 0 } = vectors?.encoder ?? {};
  if (state === 'encoding')
    return `The sentence encoder has read ${embedded} of ${plural(vectors?.chunks ?? 0, 'chunk')} for search by meaning.`;
  if (state === 'too-many') return `${learnedAlone} encoding so many chunks would take this machine too long.`;
  return state === 'unavailable' ? `${learnedAlone} the sentence encoder does not run here.` : '';
}
