import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords, segmentPieces, segmentSentences } from '../../src/text/sentences.ts';
import { startProcessorTime } from '../../testkit/processor-time.ts';

const pieces = (text: string, language?: string): string[] =>
  segmentSentences(text, language === undefined ? {} : { language }).map(({ start, end }) => text.slice(start, end));

describe('segmentSentences', () => {
  const table: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
    ['titles', 'Dr. Mora met Prof. Lind. They spoke.', ['Dr. Mora met Prof. Lind.', 'They spoke.']],
    ['U.S. inside', 'U.S. Copper rose. It fell later.', ['U.S. Copper rose.', 'It fell later.']],
    ['U.S. at the end', 'She moved to the U.S. The move was hard.', ['She moved to the U.S.', 'The move was hard.']],
    ['references', 'See Fig. 2 and Sec. 4 for No. 7. Done here.', ['See Fig. 2 and Sec. 4 for No. 7.', 'Done here.']],
    [
      'e.g. and i.e.',
      'Use a cache, e.g. Redis, i.e. memory. It helps.',
      ['Use a cache, e.g. Redis, i.e. memory.', 'It helps.'],
    ],
    ['et al.', 'Moss et al. Lind showed it. We agree.', ['Moss et al. Lind showed it.', 'We agree.']],
    ['initials', 'J. R. Mora wrote it. He won.', ['J. R. Mora wrote it.', 'He won.']],
    [
      'more initials',
      'It is by J. R. R. Tolkien and Ulla K. Brand. Read it.',
      ['It is by J. R. R. Tolkien and Ulla K. Brand.', 'Read it.'],
    ],
    [
      'an initial at the start',
      'A. Carrots sells them. George W. Bush was there.',
      ['A. Carrots sells them.', 'George W. Bush was there.'],
    ],
    [
      'letters of things',
      'The gate is in Terminal C. Lunch is served in Hall A. Carrots contain vitamin A. J. Moss ate some in Room\nB. Nobody saw it.',
      [
        'The gate is in Terminal C.',
        'Lunch is served in Hall A.',
        'Carrots contain vitamin A.',
        'J. Moss ate some in Room\nB.',
        'Nobody saw it.',
      ],
    ],
    [
      'German letters of things',
      'Er hält auf Gleis B. Reisende steigen um.',
      ['Er hält auf Gleis B.', 'Reisende steigen um.'],
    ],
    [
      'labels of clauses',
      'Clause 3. Fuel may not be stored. It burns.\nArticle IV. Records are kept.\nAnnex B. Fees are due.',
      ['Clause 3. Fuel may not be stored.', 'It burns.', 'Article IV. Records are kept.', 'Annex B. Fees are due.'],
    ],
    ['a figure at the end', 'We met on day 5. Lunch was late.', ['We met on day 5.', 'Lunch was late.']],
    ['the U.S. Army', 'He left the U.S. Army in May. It rained.', ['He left the U.S. Army in May.', 'It rained.']],
    ['decimals', 'It weighs 3.5 kg. That is 7.7 lb.', ['It weighs 3.5 kg.', 'That is 7.7 lb.']],
    [
      'versions and files',
      'Version v1.2.3 reads app.config.ts now. Run it.',
      ['Version v1.2.3 reads app.config.ts now.', 'Run it.'],
    ],
    ['addresses', 'Open https://a.example/x.y?z=1. Then log in.', ['Open https://a.example/x.y?z=1.', 'Then log in.']],
    ['times', 'It opens at 9 a.m. Monday. We wait.', ['It opens at 9 a.m. Monday.', 'We wait.']],
    ['quotes', 'She said "Stop." Then she left.', ['She said "Stop."', 'Then she left.']],
    ['a question inside', '"Really?" he asked. Yes.', ['"Really?" he asked.', 'Yes.']],
    [
      'footnote marks',
      'It grew.[12] Nobody knew why.[3, 4] We do.',
      ['It grew.[12]', 'Nobody knew why.[3, 4]', 'We do.'],
    ],
    [
      'ellipsis of points set apart',
      'For FM posed . . . a complete reordering . . . and Armstrong lost. He died.',
      ['For FM posed . . . a complete reordering . . . and Armstrong lost.', 'He died.'],
    ],
    ['ellipsis', 'He waited... and left. Gone.', ['He waited... and left.', 'Gone.']],
    ['a snippet', 'Mar 3, 2020 ... The bridge opened.', ['Mar 3, 2020 ...', 'The bridge opened.']],
    ['a full stop glued on', 'It ended.Then more. End.', ['It ended.Then more.', 'End.']],
    [
      'German ordinals',
      'Am 3. Oktober war es so. Dr. Klee kam z.B. um 8 Uhr.',
      ['Am 3. Oktober war es so.', 'Dr. Klee kam z.B. um 8 Uhr.'],
    ],
    ['Chinese', '今天下雨。你去吗？不去！', ['今天下雨。', '你去吗？', '不去！']],
    ['Japanese', '雨です。「行く。」と言った。', ['雨です。', '「行く。」', 'と言った。']],
    ['Arabic', 'هل هذا صحيح؟ نعم. انتهى.', ['هل هذا صحيح؟', 'نعم.', 'انتهى.']],
    [
      'a wrapped line',
      'A sentence that was\nwrapped by a page. Next\none.',
      ['A sentence that was\nwrapped by a page.', 'Next\none.'],
    ],
    ['a CRLF wrap', 'A sentence that was\r\nwrapped. Two.', ['A sentence that was\r\nwrapped.', 'Two.']],
    ['paragraphs', 'No full stop here\n\nSecond paragraph', ['No full stop here', 'Second paragraph']],
    [
      'Markdown',
      '# Title\n\nText here.\n\n- first item\n- second. Third.',
      ['Title', 'Text here.', 'first item', 'second.', 'Third.'],
    ],
    ['underlined heading', 'Title of it\n===\nText.', ['Title of it', 'Text.']],
    ['a list item that wraps', '- one that goes\n  on here\n- two', ['one that goes\n  on here', 'two']],
    ['numbered items', '1. Open the door.\n2. Walk in.', ['1. Open the door.', '2. Walk in.']],
    [
      'numbered items after a sentence',
      'Do this.\n3. Open it.\n4. Walk in.',
      ['Do this.', '3. Open it.', '4. Walk in.'],
    ],
    [
      'a number that begins a line',
      'The sum of all that was counted in that year is told on p.\n127. The next sum was counted by other people in the winter, and is not told there.',
      [
        'The sum of all that was counted in that year is told on p.\n127.',
        'The next sum was counted by other people in the winter, and is not told there.',
      ],
    ],
    [
      'a number that wraps',
      'It was found after a long and bitter search in chapter\n12. The end was near.',
      ['It was found after a long and bitter search in chapter\n12.', 'The end was near.'],
    ],
    ['tables', '| a | b |\n|---|---|\n| 1 | 2 |', ['| a | b |', '| 1 | 2 |']],
    [
      'rows as a spreadsheet reader writes them',
      'town | barrels\ntown: Ulm; barrels: 3\ntown: Rye; barrels: 4',
      ['town | barrels', 'town: Ulm; barrels: 3', 'town: Rye; barrels: 4'],
    ],
    [
      'a wrapped sentence with a colon and a semicolon',
      'He had two: one was red; the other: it was\nblue. It stayed.',
      ['He had two: one was red; the other: it was\nblue.', 'It stayed.'],
    ],
    ['tab separated rows', 'name\tage\nAda\t36', ['name\tage', 'Ada\t36']],
    [
      'code',
      'Run this:\n\n```ts\nconst a = 1;\nrun(a);\n```\nDone.',
      ['Run this:', 'const a = 1;', 'run(a);', 'Done.'],
    ],
    [
      'a heading without marks',
      '3.2 Cold Storage\nCold storage keeps the grain dry for up to nine months in most of the country.',
      ['3.2 Cold Storage', 'Cold storage keeps the grain dry for up to nine months in most of the country.'],
    ],
    ['nothing', ' \n\t\n', []],
    ['punctuation only', '--- ... !!', []],
  ];
  it.each(table)('%s', (_what, text, expected) => {
    expect(pieces(text)).toEqual(expected);
  });

  it('takes the language when it is told', () => {
    expect(pieces('Der 2. Versuch gelang.', 'de')).toEqual(['Der 2. Versuch gelang.']);
  });

  it('names what each piece is', () => {
    const text = '# Head\n\nOne.\n\n- item\n\n| a | b |\n\n```\nx = 1\n```';
    expect(segmentPieces(text).map((piece) => piece.kind)).toEqual(['heading', 'sentence', 'item', 'row', 'code']);
  });

  it('cuts what is too long at clauses', () => {
    const clause = (word: string): string => Array.from({ length: 40 }, () => word).join(' ');
    const text = `${clause('alpha')}; ${clause('beta')}, and ${clause('gamma')}.`;
    const found = pieces(text);
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found[0]).toBe(`${clause('alpha')};`);
    for (const piece of found) expect(countWords(piece)).toBeLessThanOrEqual(60);
  });

  it('stays linear on hostile input', () => {
    const tookMs = startProcessorTime();
    for (const part of ['a', 'a. ', 'word ', '[1].', '"\u201d', '- ', '| ', '\n', '1. ', '。'])
      segmentSentences(part.repeat(100_000 / part.length));
    // Quadratic work on 100,000 characters would take minutes.
    expect(tookMs()).toBeLessThan(20_000);
  });

  it('always yields trimmed, sorted, disjoint pieces of at most 60 words', () => {
    const fragments = fc.constantFrom(
      'Dr. ',
      'U.S. ',
      'word ',
      'A',
      '.',
      '. ',
      '! ',
      '? ',
      '\n',
      '\n\n',
      '- ',
      '1. ',
      '| a | b |\n',
      '```\n',
      '# ',
      '"',
      '。',
      '中文',
      '…',
      '\t',
      '\r\n',
      '3.5',
      '[1]',
      'é',
      '😀',
      '; ',
      ', ',
      'long '.repeat(70),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fragments, { maxLength: 60 }).map((parts) => parts.join('')),
          fc.string({ unit: 'binary', maxLength: 300 }),
        ),
        (text) => {
          let last = 0;
          for (const { start, end } of segmentSentences(text)) {
            const piece = text.slice(start, end);
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            expect(piece.trim()).toBe(piece);
            expect(countWords(piece)).toBeLessThanOrEqual(60);
            expect(piece.split(/\s+/).length).toBeLessThanOrEqual(60);
            last = end;
          }
          // Nothing with a letter or digit is lost.
          const letters = (part: string): number => part.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
          const kept = segmentSentences(text).reduce((sum, { start, end }) => sum + letters(text.slice(start, end)), 0);
          const marks = [...text.matchAll(/^\s{0,3}(?:```|~~~).*$/gmu)].reduce(
            (sum, match) => sum + letters(match[0]),
            0,
          );
          expect(kept + marks).toBeGreaterThanOrEqual(letters(text));
        },
      ),
      { numRuns: 120 },
    );
  });
});

describe('countWords', () => {
  it('counts runs of non-space, and pairs of characters where there are no spaces', () => {
    expect(countWords('one two  three\nfour')).toBe(4);
    expect(countWords('今天天气很好')).toBe(3);
    expect(countWords('')).toBe(0);
  });
});
