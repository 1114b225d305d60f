// Which stores beside the record searches ask, and in which order.
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { orderOfStores } from '../../../src/footnote/beside/vector-store.ts';

const wantedOf = (VECTOR_STORE?: string) =>
  loadConfig({ folder: '/nowhere', environment: { FOOTNOTE_DATA: '/nowhere', VECTOR_STORE } }).stores.vector;

describe('orderOfStores', () => {
  it.each([
    [[], undefined, []],
    [['firestore', 'azure', 'openai'], undefined, ['openai', 'azure', 'firestore']],
    [['mine', 'firestore'], undefined, ['firestore', 'mine']],
    [['azure', 'firestore', 'openai'], 'firestore', ['firestore', 'openai', 'azure']],
    [['azure', 'openai'], 'embedded', []],
  ])('of %j with VECTOR_STORE %s is %j', (searchable, wanted, expected) => {
    expect(orderOfStores(searchable, wantedOf(wanted))).toEqual(expected);
  });

  it('names what is missing where the store that is named is not there', () => {
    expect(() => orderOfStores(['azure'], wantedOf('firestore'))).toThrowError(
      expect.objectContaining({
        code: 'config-invalid',
        message:
          'VECTOR_STORE is firestore, and no store firestore can be searched here (there are: embedded, azure). Set FIRESTORE_PROJECT_ID, or name another store.',
      }),
    );
    expect(() => wantedOf('elsewhere')).toThrowError(/VECTOR_STORE must be one of embedded, openai/);
  });
});
