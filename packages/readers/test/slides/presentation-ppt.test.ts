import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import {
  numbersOf,
  type PptFixture,
  pptContainer,
  pptGroup,
  pptOf,
  pptRecord,
  pptShape,
  pptText,
} from '../../testkit/ppt-fixture.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const read = async (fixture: PptFixture) => {
  const document = await parseFile({ name: 'a.ppt', bytes: pptOf(fixture) });
  expectWellFormed(document);
  return document;
};

const [title, body, other] = [0, 1, 4];
const reference = (index: number): Buffer => pptRecord(0x0f9e, numbersOf(index));
const words = (box: readonly [number, number, number, number], text: string): Buffer =>
  pptShape({ box, text: pptText(other, text) });

describe('PPT', () => {
  it('reads slides in their order: titles, points by level, boxes in reading order, notes', async () => {
    // Characters, level, mask of properties and these: nothing, a bullet behind a tab stop that is told of, no bullet.
    const runs = [
      '060000000000' + '00000000',
      '060000000100' + '01001000' + '0100' + '0100' + '20030000',
      '050000000000' + '01000000' + '0000',
    ];
    const styles = pptRecord(0x0fa1, Buffer.from(runs.join(''), 'hex'));
    const document = await read({
      slides: [
        {
          outline: Buffer.concat([pptText(title, 'The plan'), pptText(body, 'first\rinner\rlast', [styles])]),
          shapes: [
            words([2000, 1000, 3000, 1500], 'right'),
            words([100, 1000, 1500, 1500], 'left\u000bside'),
            pptShape({ box: [100, 400, 3000, 900], text: reference(1) }),
            pptShape({ box: [100, 50, 3000, 300], text: reference(0) }),
            pptShape({ box: [100, 4000, 500, 4100], text: pptText(other, '*'), placeholder: 8 }),
            pptShape({ box: [600, 4000, 900, 4100], text: pptText(other, 'Confidential'), placeholder: 9 }),
          ],
          notes: 'Speak up.',
        },
        { shapes: [words([0, 0, 9, 9], 'Page * of ten')], isHidden: true },
      ],
    });
    expect(document.text).toBe(
      'The plan\n\n- first\n  - inner\n\nlast\n\nleft\nside\n\nright\n\nSpeaker notes: Speak up.\n\nSlide 2\n\nPage * of ten',
    );
    expect(document.places.map(({ label }) => label)).toEqual(['slide 1', 'slide 2']);
    expect(document.runningHeads).toEqual([{ page: 1, text: 'Confidential' }]);
    expect(document).toMatchObject({ title: 'The plan', metadata: { slides: 2 } });
    expect(document.warnings).toEqual([expect.stringContaining('slide 2')]);
  });

  it('reads what was saved last, art, alternative texts, comments; not what is deleted or hidden', async () => {
    const fields = pptRecord(0x0fd8, numbersOf(5));
    const comment = pptContainer(0x1388, [
      pptContainer(0x138a, [
        pptContainer(0x138b, [
          pptContainer(0x2ee0, [
            pptRecord(0x0fba, Buffer.from('Ada', 'utf16le'), { instance: 0 }),
            pptRecord(0x0fba, Buffer.from('Why?', 'utf16le'), { instance: 1 }),
          ]),
        ]),
      ]),
    ]);
    const document = await read({
      slides: [{ shapes: [words([0, 0, 9, 9], 'before')] }],
      saved: {
        0: {
          shapes: [
            pptShape({ box: [0, 0, 9, 9], text: pptText(other, 'Page *, a * star', [fields]) }),
            pptShape({ box: [0, 50, 9, 59], properties: { 192: 'drawn', 897: 'A cat' } }),
            pptShape({ box: [0, 90, 9, 99], text: pptText(other, 'unseen'), properties: { 959: 0x0002_0002 } }),
            pptShape({ box: [0, 90, 9, 99], text: pptText(other, 'gone'), flags: 8 }),
          ],
          more: [comment],
        },
      },
    });
    expect(document.text).toBe('Slide 1\n\nPage , a * star\n\ndrawn\n\nImage: A cat\n\nComment by Ada: Why?');
  });

  it('takes the title in its place for that of the slide, and reads letters of symbol fonts', async () => {
    const font = (name: string, instance: number): Buffer =>
      pptRecord(0x0fb7, Buffer.concat([Buffer.from(name.padEnd(32, '\0'), 'utf16le'), Buffer.alloc(4)]), { instance });
    const fonts = pptContainer(0x03f2, [pptContainer(0x07d5, [font('Arial', 0), font('Symbol', 1)])]);
    // One paragraph; four characters in the first font, two in the second, one place of a font for symbols among letters.
    const runs = [
      '080000000000' + '00000000',
      '04000000' + '00000100' + '0000',
      '02000000' + '02000100' + '0000' + '0100',
      '02000000' + '00008000' + '0100',
    ];
    const styles = pptRecord(0x0fa1, Buffer.from(runs.join(''), 'hex'));
    const document = await read({
      slides: [
        {
          shapes: [
            pptShape({ box: [0, 500, 9, 509], text: pptText(title, 'Aside') }),
            pptShape({ box: [0, 0, 9, 9], text: pptText(title, 'In its place'), placeholder: 13 }),
            pptShape({ box: [0, 900, 9, 909], text: pptText(other, 'MIP-b\u00a3\uf062', [styles]) }),
          ],
        },
      ],
      document: [fonts],
    });
    expect(document.text).toBe('In its place\n\nAside\n\nMIP-β≤β');
  });

  it('reads tables by where their cells stand', async () => {
    const cell = (text: string, box: readonly [number, number, number, number]): Buffer =>
      pptShape({ box, text: pptText(other, text), isChild: true });
    const table = pptGroup(
      [0, 0, 300, 300],
      [
        cell('North', [0, 100, 100, 300]),
        cell('Item', [0, 0, 100, 100]),
        cell('Costs', [100, 0, 300, 100]),
        cell('a', [100, 100, 200, 200]),
        cell('b', [200, 100, 300, 200]),
        cell('c', [100, 200, 200, 300]),
        cell('d', [200, 200, 300, 300]),
        cell('e', [201, 201, 290, 290]),
      ],
      { properties: { 927: 1 } },
    );
    const document = await read({ slides: [{ shapes: [table] }] });
    expect(document.text).toBe('Slide 1\n\nItem | Costs\nNorth | a | b\nNorth | c | d e');
  });

  it('hands over the office files that were put into it', async () => {
    const inner = pptOf({ slides: [{ shapes: [words([0, 0, 9, 9], 'inside')] }] });
    const object = (id: number): Buffer => pptContainer(0x0fcc, [pptRecord(0x0fc3, numbersOf(0, 0, 0, 0, id, 0))]);
    const { attachments } = await read({
      slides: [{ shapes: [words([0, 0, 9, 9], 'outside')] }],
      document: [pptContainer(0x0409, [object(100), object(101), object(100), object(102)])],
      parts: [
        pptRecord(0x1011, Buffer.concat([numbersOf(inner.length), deflateSync(inner)]), { instance: 1 }),
        pptRecord(0x1011, Buffer.from('neither packed nor an office file'), { instance: 1 }),
        pptRecord(0x1011, inner),
      ],
    });
    expect(attachments?.map(({ name }) => name)).toEqual(['object 1.ppt', 'object 2.ppt']);
    expect(Buffer.from(attachments?.[0]?.bytes ?? []).equals(Buffer.from(inner))).toBe(true);
  });

  it('survives texts of an odd length at odd addresses', async () => {
    const odd = (length: number): Buffer =>
      pptShape({
        box: [0, 0, 9, 9],
        text: Buffer.concat([pptRecord(0x0f9f, numbersOf(other)), pptRecord(0x0fa0, Buffer.alloc(length, 0x41))]),
      });
    const document = await read({
      slides: [{ shapes: Array.from({ length: 400 }, (_, index) => odd(index * 2 + 1)) }],
    });
    expect(document.text).toContain('\u4141');
  });

  it('leaves out fields behind characters of two units', async () => {
    const marked = pptText(other, '😀 page * of *', [pptRecord(0x0fd8, numbersOf(8))]);
    const document = await read({ slides: [{ shapes: [pptShape({ box: [0, 0, 9, 9], text: marked })] }] });
    expect(document.text).toBe('Slide 1\n\n😀 page  of *');
  });

  it('says a page of notes once, however many slides name it', async () => {
    const slide = (index: number) => ({ shapes: [words([0, 0, 9, 9], `words ${index}`)] });
    const file = Buffer.from(
      pptOf({ slides: [{ ...slide(0), notes: 'Speak up.' }, ...Array.from({ length: 9 }, (_, at) => slide(at + 1))] }),
    );
    // The atom of each slide, which has the number of its notes behind sixteen bytes.
    const head = Buffer.from('ef0318000000', 'hex');
    for (let at = file.indexOf(head); at >= 0; at = file.indexOf(head, at + 1))
      if (file.readUInt32LE(at + 22) > 500) file.writeUInt32LE(500, at + 22);
    const { text } = await parseFile({ name: 'a.ppt', bytes: Uint8Array.from(file) });
    expect(text).toContain('words 9');
    expect(text.match(/Speak up/gu)).toHaveLength(1);
  });

  it.each([
    ['an encrypted file', { slides: [], isEncrypted: true }, 'invalid-media', 'encrypted with a password'],
    ['a file of version 95', { slides: [], streams: { PP40: Buffer.alloc(5000) } }, 'unsupported-media', 'version 95'],
    ['a file without slides', { slides: [] }, 'invalid-media', 'has no text'],
    [
      'a file without its document',
      { slides: [], streams: { 'PowerPoint Document': Buffer.alloc(5000) } },
      'invalid-media',
      'holds no presentation',
    ],
  ] as const)('refuses %s', async (_, fixture, code, why) => {
    await expect(read(fixture)).rejects.toMatchObject({ code, message: expect.stringContaining(why) });
  });
});
