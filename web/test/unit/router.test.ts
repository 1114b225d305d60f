// Addresses say the whole state, below any prefix, and take nothing that is none.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, formatAddress, parseAddress } from '../../src/shared/router.ts';

const parse = (path: string, home = '/') => parseAddress(new URL(path, 'http://127.0.0.1:4180'), home);

describe('an address', () => {
  it('is read as it was written, below any prefix', () => {
    const id = fc.stringMatching(/^[\w:/?#%. äß-]{1,20}$/u).filter((text) => !['.', '..'].includes(text));
    const place = fc.nat(1_000_000);
    const address: fc.Arbitrary<Address> = fc.oneof(
      fc.constant<Address>({ page: 'ask' }),
      id.map((session): Address => ({ page: 'ask', session })),
      fc.constantFrom<Address>({ page: 'documents' }, { page: 'sources' }, { page: 'search' }, { page: 'traces' }),
      id.map((q): Address => ({ page: 'search', query: new URLSearchParams({ q }).toString() })),
      id.map((one): Address => ({ page: 'traces', id: one, query: 'scale=log' })),
      id.map((source): Address => ({ page: 'documents', source })),
      fc.constantFrom<Address>({ page: 'evals' }, { page: 'memory' }, { page: 'settings' }, { page: 'health' }),
      fc
        .tuple(id, fc.dictionary(id, id, { minKeys: 1 }))
        .map(([one, query]): Address => ({ page: 'conversations', id: one, query: { ...query } })),
      fc
        .tuple(id, fc.integer({ min: 1, max: 99 }))
        .map(([session, index]): Address => ({ page: 'ask', session, cite: { answer: 'ans_1', index } })),
      fc
        .tuple(id, place, place)
        .map(([one, start, length]): Address => ({ page: 'document', id: one, start, end: start + length })),
      id.map((one): Address => ({ page: 'document', id: one, start: 3, end: 40, words: [{ start: 5, end: 9 }] })),
    );
    fc.assert(
      fc.property(address, fc.constantFrom('/', '/docs/', '/a/b/'), (one, home) => {
        expect(parse(formatAddress(one, home), home)).toEqual(one);
      }),
    );
  });

  it.each([
    ['/app/', { page: 'ask' }],
    ['/app/ask/s1/', { page: 'ask', session: 's1' }],
    ['/app/ask/s1?cite=ans_1', { page: 'ask', session: 's1' }],
    ['/app/ask/s1?cite=ans_1.x', { page: 'ask', session: 's1' }],
    ['/app/documents/d1?start=9&end=4', { page: 'document', id: 'd1', start: 9, end: 9 }],
    ['/app/documents/d1?start=-3', { page: 'document', id: 'd1', start: 0, end: 0 }],
    [
      '/app/documents/d1?start=2&end=9&words=1-4.4-6.x.8-8.7-9',
      {
        page: 'document',
        id: 'd1',
        start: 2,
        end: 9,
        words: [
          { start: 4, end: 6 },
          { start: 7, end: 9 },
        ],
      },
    ],
    ['/app/documents', { page: 'documents' }],
    ['/app/documents/?source=', { page: 'documents' }],
    ['/app/documents/%E0%A4%A', { page: 'unknown' }],
    ['/app/search/?q=a%20b&mode=', { page: 'search', query: 'q=a+b&mode=' }],
    ['/app/search/more', { page: 'unknown' }],
    ['/app/traces/%E0%A4%A', { page: 'unknown' }],
    ['/app/conversations?q=&from=2022', { page: 'conversations', query: { from: '2022' } }],
    ['/app/conversations/%E0%A4%A', { page: 'unknown' }],
    ['/app/memory/m1', { page: 'unknown' }],
    ['/app/toString', { page: 'unknown' }],
    ['/app/elsewhere', { page: 'unknown' }],
    ['/other', { page: 'unknown' }],
  ])('%s is read for what it says', (path, expected) => {
    expect(parse(path)).toEqual(expected);
  });
});
