import { describe, expect, it } from 'vitest';
import { verifyClaims } from '../../src/answer/verify-claims.ts';

const collect = async (lines: readonly string[]): Promise<unknown[]> => {
  const rows: unknown[] = [];
  for await (const row of verifyClaims(lines)) rows.push(row);
  return rows;
};

describe('verifyClaims', () => {
  it('gives a verdict per line in order and keeps ids as they are', async () => {
    const rows = await collect([
      '\uFEFF{"id":"a","claim":"It is 5 km long.","quote":"It is 5 km long."}',
      '',
      '{"id":7,"claim":"It is 6 km long.","quote":"It is 5 km long.","extra":true}',
    ]);
    expect(rows).toEqual([
      { id: 'a', support: 1, verdict: 'supported', reasons: ['verbatim'] },
      expect.objectContaining({ id: 7, verdict: 'unsupported', reasons: ['number-changed: 5 km → 6 km'] }),
    ]);
  });
  it.each([
    ['{"id":1', 'not JSON'],
    ['[]', 'Line 2'],
    ['{"id":1,"claim":"x"}', 'quote'],
    ['{"claim":"x","quote":"x"}', 'id'],
  ])('stops at a bad line and names it: %s', async (bad, part) => {
    const run = collect(['{"id":0,"claim":"x","quote":"x"}', bad]);
    await expect(run).rejects.toMatchObject({ code: 'invalid-request', details: { line: 2 } });
    await expect(run).rejects.toThrow(part);
  });
});
