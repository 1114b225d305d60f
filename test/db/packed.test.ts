// What is packed ahead is byte for byte what packing in place gives, and comes back.
import { describe, expect, it } from 'vitest';
import { packAhead, packJson, unpackJson } from '../../src/db/packed.ts';
import { turnsWhile } from '../../testkit/event-loop-turns.ts';

const words = Array.from({ length: 21_000 }, (_, at) => ({
  text: `word "${at}" ünd`,
  start: at,
  box: [at, 1, 2.5, 3],
}));

describe('packAhead', () => {
  it('packs what is large in short pieces and on a thread, to the bytes that packing in place gives', async () => {
    const value = { pages: [{ number: 1, label: undefined }], missing: undefined, words, 'a"b': 'text', places: [] };
    const { turns } = await turnsWhile(() => packAhead([value]));
    // At most 2000 members are printed in one go.
    expect(turns).toBeGreaterThanOrEqual(11);
    const packed = packJson(value);
    expect(packJson(value)).toBe(packed);
    expect(Buffer.from(packed).equals(packJson({ ...value }))).toBe(true);
    expect(unpackJson(packed, 'It')).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it('leaves what is small, and what has no members, to whoever writes it', async () => {
    const value = { pages: [], headings: [{ title: 'One' }] };
    await packAhead([value, {}]);
    expect(unpackJson(packJson(value), 'It')).toEqual(value);
  });
});
