import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { docNumbering } from '../../src/words/word-doc-lists.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';
import { docOfRuns } from '../../testkit/word-doc-fixture.ts';

const read = async (bytes: Uint8Array) => {
  const document = await parseFile({ name: 'a.doc', bytes });
  expectWellFormed(document);
  return document;
};
/** The place of a piece of the text. */
const at = (text: string, piece: string): { from: number; to: number } => {
  const from = text.indexOf(piece);
  return { from, to: from + piece.length };
};

describe('letters of symbol fonts in a DOC', () => {
  it('are read as what they show: inserted ones, and those of a run', async () => {
    const text = 'At 90(C, a b, done \xfc.\r';
    const document = await read(
      docOfRuns({
        text,
        characters: [
          // A symbol of font 1 at U+F0B0; a run in font 1; a run in font 2.
          { ...at(text, '('), sprms: '096a 0100b0f0' },
          { ...at(text, 'a b'), sprms: '4f4a 0100' },
          { ...at(text, '\xfc'), sprms: '4f4a 0200' },
        ],
        fonts: [{ name: 'Times New Roman' }, { name: 'Symbol' }, { name: 'Wingdings' }],
      }),
    );
    expect(document.text).toBe('At 90°C, α β, done ✓.');
  });
});

describe('rows of a DOC', () => {
  const inTable = '1624 01';

  it('end where the Data stream says so, if their properties did not fit in', async () => {
    const text = 'a\x07b\x07\x07c\x07d\x07\x07after\r';
    const long = Buffer.from('16240117240108d6080002000064000065', 'hex');
    const document = await read(
      docOfRuns({
        text,
        paragraphs: [
          { from: 0, to: 4, sprms: inTable },
          { from: 4, to: 5, sprms: '4666 04000000' },
          { from: 5, to: 9, sprms: inTable },
          { from: 9, to: 10, sprms: '4666 04000000' },
        ],
        data: Buffer.concat([Buffer.alloc(4), Buffer.of(long.length, 0), long]),
      }),
    );
    expect(document.text).toBe('a | b\nc | d\n\nafter');
  });

  it('lose nothing that no mark of a cell ends', async () => {
    const text = 'framed\rtwice\rafter\r';
    const bare = await read(docOfRuns({ text, paragraphs: [{ from: 0, to: 13, sprms: inTable }] }));
    expect(bare.text).toBe('framed\n\ntwice\n\nafter');
    const row = 'a\x07b\rafter\r';
    const open = await read(docOfRuns({ text: row, paragraphs: [{ from: 0, to: 4, sprms: inTable }] }));
    expect(open.text).toBe('a | b\n\nafter');
  });
});

describe('comments of a DOC', () => {
  it('are told apart by where the file says that they begin, and have their authors', async () => {
    const document = await read(
      docOfRuns({
        text: 'a\x05 b\x05\r',
        comments: [
          { text: 'Why?\rReally', author: 'Ada' },
          { text: 'No.', author: 'Bob' },
        ],
      }),
    );
    expect(document.text).toBe('a b\n\nComment by Ada: Why? Really\n\nComment by Bob: No.');
  });
});

describe('lists of a DOC', () => {
  const levels = [
    { kind: 0, text: '%1.' },
    { kind: 4, text: '(%2)' },
    { kind: 23, text: '\u00b7' },
  ];
  /** Paragraphs of one letter, each with its properties. */
  const paragraphsOf = (...sprms: readonly string[]) =>
    sprms.flatMap((one, index) => (one === '' ? [] : [{ from: index * 2, to: index * 2 + 2, sprms: one }]));

  it('have the labels that Word counts', async () => {
    const [first, inner, bullet, other] = ['0b46 0100', '0b46 0100 0a26 01', '0b46 0100 0a26 02', '0b46 0200'];
    const document = await read(
      docOfRuns({
        text: 'a\rb\rc\rd\re\rf\rg\r',
        paragraphs: paragraphsOf(first, inner, inner, bullet, '', first, other),
        levels,
        secondStart: 7,
      }),
    );
    expect(document.text).toBe('1. a\n  (a) b\n  (b) c\n    - d\n\ne\n\n2. f\n7. g');
  });

  it('number headings by their style, unless a paragraph leaves the list', async () => {
    const document = await read(
      docOfRuns({ text: 'A\rB\rC\r', paragraphs: paragraphsOf('', '0b46 0000', ''), levels, heading: '0b46 0100' }),
    );
    expect(document.headings.map(({ title }) => title)).toEqual(['1. A', 'B', '2. C']);
  });

  it('are without labels where their tables are cut off', () => {
    const references = Buffer.alloc(4 + 16);
    references.writeUInt32LE(1, 0);
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.of(9, 0, 1),
      Buffer.concat([Buffer.of(1, 0), Buffer.alloc(28 + 20)]),
    ]) {
      const numbering = docNumbering(bytes, Math.min(30, bytes.length), references.subarray(0, 10));
      expect(numbering({ id: '1', level: 0 })).toBeUndefined();
    }
  });
});
