import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { messageOf, type Tree, text } from '../../testkit/outlook-fixture.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

/** A list of properties of fixed size ([MS-OXMSG] §2.4): each its tag, and eight bytes. */
function fixed(entries: readonly (readonly [tag: number, value: Buffer])[], headerBytes = 32): Uint8Array {
  const list = Buffer.alloc(headerBytes + 16 * entries.length);
  for (const [index, [tag, value]] of entries.entries()) {
    list.writeUInt32LE(tag, headerBytes + 16 * index);
    value.copy(list, headerBytes + 16 * index + 8);
  }
  return list;
}
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(value);
  return bytes;
};
/** Windows counts tenths of microseconds from 1601 on. */
const time = (value: string): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE((BigInt(Date.parse(value)) + 11_644_473_600_000n) * 10_000n);
  return bytes;
};

/** Numbers from 0x8000 on stand for named properties: of one set, by their number in it ([MS-OXMSG] §2.2.3). */
function names(set: string, numbers: readonly number[]): Tree {
  const [first = '', second = '', third = '', ...rest] = set.split('-');
  const reversed = (hex: string): string => (hex.match(/../gu) ?? []).reverse().join('');
  const entries = Buffer.alloc(8 * numbers.length);
  for (const [index, one] of numbers.entries()) {
    entries.writeUInt32LE(one, index * 8);
    entries.writeUInt16LE(3 << 1, index * 8 + 4);
    entries.writeUInt16LE(index, index * 8 + 6);
  }
  return {
    '__substg1.0_00020102': Buffer.from(reversed(first) + reversed(second) + reversed(third) + rest.join(''), 'hex'),
    '__substg1.0_00030102': entries,
    '__substg1.0_00040102': new Uint8Array(0),
  };
}

async function parse(tree: Tree) {
  const document = await parseFile({ name: 'a.msg', bytes: messageOf(tree) });
  expectWellFormed(document);
  return document;
}

describe('Outlook messages that are not Unicode', () => {
  const russian = Buffer.from('cff0e8e2e5f22c20ece8f0', 'hex'); // "Привет, мир" in windows-1251
  const chinese = Buffer.from('aee6a6a1b4fab8d5', 'hex'); // "格式測試" in Big5
  const of = (subject: Uint8Array, pages: readonly (readonly [number, Buffer])[]): Promise<{ title?: string }> =>
    parse({
      '__properties_version1.0': fixed(pages),
      '__substg1.0_0037001E': subject,
      '__substg1.0_1000001E': Buffer.from('Plain words.'),
    });

  it('are read in the code page that they name', async () => {
    expect(await of(russian, [[0x3ffd_0003, number(1251)]])).toMatchObject({ title: 'Привет, мир' });
  });

  it('are read in that of the language in which they were sent', async () => {
    expect(await of(chinese, [[0x3fde_0003, number(950)]])).toMatchObject({ title: '格式測試' });
    expect(await of(russian, [[0x3fde_0003, number(20866)]])).toMatchObject({ title: 'Привет, мир' });
  });

  it('have their HTML read as its head says', async () => {
    const html = '<html><head><meta charset=iso-8859-2></head><body><p>\xe9\xec\xbe \xf8</p></body></html>';
    const document = await parse({
      '__properties_version1.0': fixed([]),
      '__substg1.0_0037001F': text('S'),
      '__substg1.0_10130102': Buffer.from(html, 'latin1'),
    });
    expect(document.text).toBe('S\n\néěž ř');
  });

  it('are read as their bytes look where neither says it', async () => {
    const japanese = Buffer.from('82b182f182c982bf82cd90a28a45', 'hex'); // "こんにちは世界" in Shift-JIS
    expect(await of(japanese, [[0x3fde_0003, number(20127)]])).toMatchObject({ title: 'こんにちは世界' });
    expect(await of(Buffer.from('9347f6df659485', 'hex'), [])).toMatchObject({ title: '“Göße”…' });
  });
});

describe('Outlook items that are no messages', () => {
  const item = (kind: string, more: Tree): Tree => ({
    '__properties_version1.0': fixed([]),
    '__substg1.0_001A001F': text(kind),
    '__substg1.0_0037001F': text('Harbour'),
    '__substg1.0_1000001F': text('Bring the charts.'),
    ...more,
  });

  it('say when and where an appointment is', async () => {
    const document = await parse(
      item('IPM.Appointment', {
        '__properties_version1.0': fixed([
          [0x8000_0040, time('2024-05-06T08:00:00Z')],
          [0x8001_0040, time('2024-05-06T09:30:00Z')],
        ]),
        '__substg1.0_8002001F': text('Pier 5'),
        '__substg1.0_8003001F': text('every Monday'),
        '__nameid_version1.0': names('00062002-0000-0000-C000-000000000046', [0x820d, 0x820e, 0x8208, 0x8232]),
      }),
    );
    expect(document.text).toBe(
      'Harbour\n\nWhen: 2024-05-06 08:00 – 09:30 (UTC)\nRepeats: every Monday\nWhere: Pier 5\n\nBring the charts.',
    );
  });

  it('say when a task is due', async () => {
    const document = await parse(
      item('IPM.Task', {
        '__properties_version1.0': fixed([[0x8000_0040, time('2024-05-10T00:00:00Z')]]),
        '__nameid_version1.0': names('00062003-0000-0000-C000-000000000046', [0x8105]),
      }),
    );
    expect(document.text).toBe('Harbour\n\nDue: 2024-05-10\n\nBring the charts.');
  });

  it('say how a contact is reached', async () => {
    const document = await parse(
      item('IPM.Contact', {
        '__substg1.0_3A16001F': text('Fence Co'),
        '__substg1.0_3A08001F': text('+1 555 0100'),
        '__substg1.0_3A15001F': text('12 Quay\r\nDover'),
        '__substg1.0_3A26001F': text('Kent'),
      }),
    );
    expect(document.text).toContain(
      'Organisation: Fence Co\nPhone (work): +1 555 0100\nAddress: 12 Quay Dover Kent\n\nBring',
    );
  });
});

describe('Clear-signed Outlook messages', () => {
  it('give the files inside of what was signed, and not it itself', async () => {
    const part = 'Content-Type: text/csv; name=b.csv\r\nContent-Disposition: attachment; filename=b.csv\r\n\r\na,b\r\n';
    const signed = `Content-Type: multipart/signed; boundary=b; protocol="application/pkcs7-signature"\r\n\r\n--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nSigned words.\r\n--c\r\n${part}--c--\r\n--b--\r\n`;
    const document = await parse({
      '__properties_version1.0': fixed([]),
      '__substg1.0_001A001F': text('IPM.Note.SMIME.MultipartSigned'),
      '__substg1.0_0037001F': text('Harbour'),
      '__substg1.0_1000001F': text('Signed words.'),
      '__attach_version1.0_#00000000': {
        '__properties_version1.0': fixed([], 8),
        '__substg1.0_37010102': Buffer.from(signed),
        '__substg1.0_370E001F': text('multipart/signed'),
      },
    });
    expect(document.text).toBe('Harbour\n\nAttachments: b.csv\n\nSigned words.');
    expect(document.metadata).toMatchObject({ signed: 'S/MIME' });
  });
});
