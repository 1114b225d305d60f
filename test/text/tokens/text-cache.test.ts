import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheTexts } from '../../../src/text/tokens/text-cache.ts';

describe('cacheTexts', () => {
  it('gives what is read anew, whatever was read before, over more texts than it holds', () => {
    const read = cacheTexts((text, variant) => `${variant}:${text}`, { characters: 40, shortest: 2, longest: 20 });
    const text = fc.string({ unit: 'binary', maxLength: 24 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.constantFrom('', 'en', 'de')), { maxLength: 200 }), (asked) => {
        for (const [one, variant] of asked) expect(read(one, variant)).toBe(`${variant}:${one}`);
      }),
    );
  });

  it('reads a text once for each variant as long as it is asked for, however many others come', () => {
    const reads: string[] = [];
    const read = cacheTexts(
      (text, variant) => {
        reads.push(text + variant);
        return { text };
      },
      { characters: 100, shortest: 1 },
    );
    const first = read('the otter', 'en');
    for (let other = 0; other < 200; other++) {
      read(`another ${other}`);
      if (other % 4 === 0) expect(read('the otter', 'en')).toBe(first);
    }
    expect(reads.filter((one) => one === 'the otteren')).toHaveLength(1);
    expect(read('the otter', 'de')).not.toBe(first);
  });

  it('forgets: of ten times what it holds, what came first is read again', () => {
    let reads = 0;
    const read = cacheTexts(
      () => {
        reads++;
        return {};
      },
      { characters: 1000, shortest: 1 },
    );
    for (let at = 0; at < 1000; at++) read(`0123456${at}`);
    read('01234560');
    expect(reads).toBe(1001);
    read('0123456999');
    expect(reads).toBe(1001);
  });

  it('holds neither what is shorter nor what is longer than told', () => {
    let reads = 0;
    const read = cacheTexts(
      () => {
        reads++;
        return {};
      },
      { characters: 1000, shortest: 3, longest: 5 },
    );
    for (const text of ['ab', 'abcdef', 'abc', 'abcde']) for (let time = 0; time < 2; time++) read(text);
    expect(reads).toBe(6);
  });
});
