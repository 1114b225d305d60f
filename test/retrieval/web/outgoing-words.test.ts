// What may leave for a search of the web: what a person wrote in the session, and nothing else, however it is written.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutgoingWords } from '../../../src/retrieval/web/outgoing-words.ts';

const from = (...said: readonly string[]) => {
  const outgoing = createOutgoingWords(said);
  return { of: (query: string) => outgoing(query).query, withheld: (query: string) => outgoing(query).withheld };
};

describe('words that leave', () => {
  it('are messages as they stand, and words of them as the person wrote them, in their order and once', () => {
    const words = from('Who bought Zorblax?', 'Is C++ 2.5 faster than the XR-2040?');
    expect(words.of(' Who  bought Zorblax? ')).toBe(' Who  bought Zorblax? ');
    expect(words.of('zoRBlax zorblax, bought: who!?!')).toBe('Who bought Zorblax');
    expect(words.of('Zorblax takeover')).toBe('Zorblax');
    expect(words.withheld('Zorblax takeover of the year')).toBe(2);
    expect(words.withheld('when was the Zorblax bought')).toBe(0);
    expect(words.of('xr-2040 2.5 c++')).toBe('C++ 2.5 XR-2040');
    expect(words.of('KESTREL, Acme 12')).toBe('Who bought Zorblax?');
  });

  it('are other forms of a word as the one that was written', () => {
    const words = from('Which lighthouses were painted in Brazil?');
    expect(words.of('lighthouse painting Brazilian')).toBe('lighthouses painted');
  });

  it('are pieces of what was written in scripts without spaces', () => {
    const words = from('東京の天気');
    expect(words.of('東京の天気')).toBe('東京の天気');
    expect(words.of('秘密の計画')).toBe('東京の天気');
    expect(words.of('東京 秘密')).toBe('東京');
  });

  it('are never others, whatever is written', () => {
    const word = fc.constantFrom(
      'ada',
      'brook',
      'leith',
      'kestrel',
      'acme',
      'Zorblax',
      'zwölf',
      '12',
      'É',
      '東京都',
      'a',
    );
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
    const written = fc.tuple(text, fc.constantFrom('', '!', '.a', '​'), fc.string()).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), written, (said, query) => {
        const all = new Set(said.flatMap((message) => message.split(' ')));
        const left = from(...said).of(query);
        if (said.includes(left)) return;
        const words = left.split(' ');
        expect(words.filter((one) => !all.has(one) && !said.some((message) => message.includes(one)))).toEqual([]);
        expect(new Set(words).size).toBe(words.length);
      }),
      { numRuns: 2000 },
    );
  });
});
