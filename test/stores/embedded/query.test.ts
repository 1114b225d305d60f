// What a query's text asks for: operators in short queries, plain words in questions, guesses only where nothing was found.
import { describe, expect, it } from 'vitest';
import { buildSegment } from '../../../src/engine/build-segment.ts';
import { createLexicalIndex } from '../../../src/engine/lexical.ts';
import { expandTerms } from '../../../src/engine/threads/search-work.ts';
import { readOperators, readQuery, wantedTerms, withGuesses } from '../../../src/stores/embedded/query.ts';

const parseQuery = (...given: Parameters<typeof readQuery>) => {
  const read = readQuery(...given);
  return withGuesses(read, expandTerms(given[1].state(), read.unknown));
};

describe('readOperators', () => {
  it.each([
    ['otter river', 'otter river', [], []],
    ['"white water" otter', 'white water otter', ['white water'], []],
    ['otter -river -"white water"', 'otter', [], ['river', 'white water']],
    ['„weißes Wasser“ “soft light”', 'weißes Wasser soft light', ['weißes Wasser', 'soft light'], []],
    ['well-known state-of-the-art', 'well-known state-of-the-art', [], []],
    ['-5 degrees', '-5 degrees', [], []],
  ])('reads %s', (text, words, required, excluded) => {
    const read = readOperators(text);
    expect(read.words.replace(/\s+/gu, ' ').trim()).toBe(words);
    expect([read.required, read.excluded]).toEqual([required, excluded]);
  });

  it.each([
    'What does "Principle of explosion" mean?',
    'the film that was called "The End" and came out when we were still at school',
    '-river',
    '-river -otter',
    '"unbalanced',
    '',
  ])('takes %s as it stands', (text) => {
    expect(readOperators(text)).toEqual({ words: text, required: [], excluded: [] });
  });
});

describe('readQuery and withGuesses', () => {
  const index = createLexicalIndex();
  index.replace(
    [],
    [buildSegment([{ row: 1, key: 'a', group: 'g', fields: [['hous', 'getusernam', 'lantern', 'haus']], extra: [] }])],
  );

  it('counts repeated words and stems in every language of the index', () => {
    expect(parseQuery('houses and houses', index, ['en']).terms).toEqual([{ term: 'hous', weight: 2 }]);
    const both = parseQuery('Häuser', index, ['en', 'de']);
    expect(both.terms.map(({ term }) => term)).toContain('haus');
    // The German reading is known, so the English one is not guessed at.
    expect(both.notes).toEqual([]);
  });

  it('knows what stands side by side in each language by itself, whatever other languages there are', () => {
    const text = 'rare diseases of the genomes project';
    const alone = readQuery(text, index, ['en']).parsed;
    const { parsed } = readQuery(text, index, ['en', 'de', 'nl']);
    expect(alone.pairs).toEqual([
      ['rare', 'diseas'],
      ['diseas', 'genom'],
      ['genom', 'project'],
    ]);
    expect(parsed.pairs).toEqual(expect.arrayContaining([...alone.pairs]));
    // Of a word that is held in one reading the others are not missing; of one that is not, one is.
    const held = new Set(['diseas', 'genom']);
    const wanted = wantedTerms(parsed, (term) => held.has(term)).map(({ term }) => term);
    expect(wanted).toHaveLength(4);
    expect(wanted).toEqual(expect.arrayContaining(['diseas', 'genom', 'project']));
  });

  it('guesses at a word that no chunk holds, for less weight, and says so', () => {
    const parsed = parseQuery('lantren', index, ['en']);
    expect(parsed.terms).toContainEqual({ term: 'lantern', weight: 0.5 });
    expect(parsed.notes).toEqual(['no chunk holds “lantren”: searched as lantern']);
  });

  it('drops phrases of stop words alone', () => {
    expect(parseQuery('"to be" houses', index, ['en']).required).toEqual([]);
  });

  it('bounds what a pasted page costs', () => {
    const page = Array.from({ length: 4000 }, (_, at) => `word${at}`).join(' ');
    expect(parseQuery(page, index, ['en']).terms.length).toBeLessThanOrEqual(128 + 8 * 8);
  });
});
