// What a store holds, in words: the same wherever it is told.
import type { StoreStatus } from '../../footnote/facade.ts';
import { plural } from './render.ts';

/** One that is down counts nothing, which is not the same as holding nothing. */
export const holdingOf = ({ status, documents, chunks }: StoreStatus): string =>
  status === 'down' ? 'does not say what it holds' : `${plural(documents, 'document')}, ${plural(chunks, 'chunk')}`;
