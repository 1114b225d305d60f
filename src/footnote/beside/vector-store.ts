// Which stores beside the record searches ask, in which order: the one that serves mode `vector`, then those that stand in for it. Here alone
// stands what VECTOR_STORE means. Invariant: a store that is named and is not there is a mistake that is told at the start, never
// silently another store.
import { type hostedStores, vectorStores } from '../../config/stores.ts';
import { FootnoteError } from '../../core/errors.ts';

type VectorStore = (typeof vectorStores)[number];

/** What makes a store exist. */
const configuredBy: Readonly<Record<(typeof hostedStores)[number], string>> = {
  openai: 'Set OPENAI_API_KEY',
  azure: 'Set AZURE_SEARCH_ENDPOINT',
  postgres: 'Set DATABASE_URL',
  firestore: 'Set FIRESTORE_PROJECT_ID',
};

/** As they stand in for each other; stores of an application's own come behind. */
const placeOf = (name: string): number => {
  const place = vectorStores.indexOf(name as VectorStore);
  return place < 0 ? vectorStores.length : place;
};

/**
 * Names of the stores that can be searched, in the order in which they are asked; none: the store inside the record serves every mode.
 * Throws `config-invalid`.
 */
export function orderOfStores(searchable: readonly string[], wanted: VectorStore | undefined): readonly string[] {
  if (wanted === 'embedded') return [];
  const ordered = searchable.toSorted((left, right) => placeOf(left) - placeOf(right));
  if (wanted === undefined) return ordered;
  if (!ordered.includes(wanted))
    throw new FootnoteError(
      'config-invalid',
      `VECTOR_STORE is ${wanted}, and no store ${wanted} can be searched here (there are: ${['embedded', ...ordered].join(', ')}). ${configuredBy[wanted]}, or name another store.`,
    );
  return [wanted, ...ordered.filter((name) => name !== wanted)];
}
