// What may leave for a search of the web: whatever a person wrote, and nothing that only documents say.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutgoingWords } from '../../../src/retrieval/web/outgoing-words.ts';

const foundIn = (question: string, ...texts: readonly string[]) => {
  const words = createOutgoingWords(question);
  words.read(texts);
  return words;
};

describe('words that leave', () => {
  it('are those of the question, in whatever order, and those that nobody here wrote', () => {
    const words = foundIn('Who bought Zorblax?', 'Acme bought Zorblax for 12 million. Its secret name is Kestrel.');
    expect(words.of('Who bought Zorblax?')).toBe('Who bought Zorblax?');
    expect(words.of('zorblax, bought: who')).toBe('zorblax, bought: who');
    expect(words.of('Zorblax takeover')).toBe('Zorblax takeover');
    expect(words.of('chief executive of Acme')).toBe('chief executive of');
    expect(words.of('KESTREL, Acme 12')).toBe('Who bought Zorblax?');
  });

  it('are told from those of documents in scripts without spaces, too', () => {
    const words = foundIn('東京の天気', '秘密の計画は来週です');
    expect(words.of('東京の天気')).toBe('東京の天気');
    expect(words.of('秘密の計画')).toBe('東京の天気');
    expect(words.of('東京 秘密')).toBe('東京');
  });

  it('are never of documents alone, whatever is asked and found', () => {
    const word = fc.constantFrom('ada', 'brook', 'leith', 'kestrel', 'acme', 'Zorblax', 'zwölf', '12', 'É', '東京都');
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), text, (question, found, query) => {
        const words = createOutgoingWords(question);
        for (const one of found) words.read([one]);
        const wordsIn = (of: string): string[] => of.toLowerCase().split(' ').filter(Boolean);
        const said = new Set(wordsIn(question));
        const secret = new Set(found.flatMap(wordsIn).filter((one) => !said.has(one)));
        expect(wordsIn(words.of(query)).filter((one) => secret.has(one))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
