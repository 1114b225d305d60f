// What packers make of ZIP and TAR beside the letter of the format, and what happens to archives on their way.
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import type { UnpackedFile } from '../../src/reader.ts';
import { openArchive } from '../../src/registry/archive-files.ts';
import { type ZipMember, zipFile } from '../../testkit/zip-file.ts';

const limits = { maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 2_000_000 };

async function open(name: string, bytes: Uint8Array): Promise<Record<string, string>> {
  const files: UnpackedFile[] = [];
  for await (const file of openArchive({ name, bytes }, limits)) files.push(file);
  return Object.fromEntries(
    files.map(({ path, content }) => [
      path,
      content instanceof Uint8Array ? Buffer.from(content).toString() : `${content.code}: ${content.message}`,
    ]),
  );
}

describe('names in ZIP archives', () => {
  const namesOf = async (...names: Uint8Array[]): Promise<string[]> =>
    Object.keys(await open('a.zip', zipFile(names.map((rawName) => ({ name: '', rawName, content: 'x' })))));

  it('are UTF-8 where they are valid as that, marked or not', async () => {
    expect(await namesOf(Buffer.from('Übersicht 日本.txt'))).toEqual(['Übersicht 日本.txt']);
  });

  it('are in the code page of the country where Windows packed them', async () => {
    const japanese = Buffer.concat([Buffer.from('838a837c815b8367', 'hex'), Buffer.from('.txt')]); // "リポート"
    expect(await namesOf(japanese)).toEqual(['リポート.txt']);
    // The second byte of "表" is a backslash.
    const list = Buffer.concat([Buffer.from('88ea9797955c', 'hex'), Buffer.from('.txt')]);
    expect(await namesOf(list)).toEqual(['一覧表.txt']);
    const ofHex = (names: readonly string[]): Uint8Array[] => names.map((hex) => Buffer.from(hex, 'hex'));
    const chinese = ['bacfcdac20b7a2c6b12e706466', 'bbe1d2e9bcc7c2bc20cafdbedd2e646f6378', 'cfeec4bfbcc6bbae2e747874'];
    expect(await namesOf(...ofHex(chinese))).toEqual(['合同 发票.pdf', '会议记录 数据.docx', '项目计划.txt']);
    const korean = ['bab8b0edbcad20c8b8c0c7b7cf2e706466', 'b0e8bee0bcad20bbe7c1f82e646f6378'];
    expect(await namesOf(...ofHex(korean))).toEqual(['보고서 회의록.pdf', '계약서 사진.docx']);
    const russian = Buffer.concat([Buffer.from('8ee2e7a5e2', 'hex'), Buffer.from(' 2024.txt')]); // "Отчет" in code page 866
    expect(await namesOf(russian)).toEqual(['Отчет 2024.txt']);
  });

  it('are in code page 437, as the format says, where they are western', async () => {
    // "Größe", "Rücksprache", "Café" and a lone "é".
    const names = ['4772 94e165', '52 81636b73707261636865', '4361 6682', '82'].map((hex) =>
      Buffer.concat([Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.from('.txt')]),
    );
    expect(await namesOf(...names)).toEqual(['Größe.txt', 'Rücksprache.txt', 'Café.txt', 'é.txt']);
    // In Shift-JIS the letter and the one behind it are kana: "château", "gâteau".
    const french = ['63688374656175', '678374656175'].map((hex) => Buffer.from(hex, 'hex'));
    expect(await namesOf(...french)).toEqual(['château', 'gâteau']);
  });
});

describe('ZIP archives', () => {
  const members: ZipMember[] = [{ name: 'a.txt', content: 'A' }];

  it('are read where bytes follow their end', async () => {
    const zip = zipFile(members);
    expect(await open('a.zip', Buffer.concat([zip, Buffer.from('<!-- served by a page -->\r\n')]))).toEqual({
      'a.txt': 'A',
    });
    expect(await open('a.zip', Buffer.concat([zip, Buffer.alloc(100_000)]))).toEqual({ 'a.txt': 'A' });
  });

  it('that are parts of one say so', async () => {
    const last = zipFile(members);
    last.writeUInt16LE(2, last.length - 18);
    const refused = { code: 'unsupported-media', message: expect.stringContaining('one of several parts') };
    await expect(open('a.zip', last)).rejects.toMatchObject(refused);
    await expect(open('a.zip.001', zipFile(members).subarray(0, 40))).rejects.toMatchObject(refused);
  });

  it('hold files packed by bzip2 and Zstandard, and those from a pipe', async () => {
    // "Tide: 03:40" by bzip2 1.0.8.
    const bzip2 = Buffer.from('QlpoOTFBWSZTWRBgZrEAAAObAEAATBAEAAYgIAAiBkPUIMmIdNLsQHi7kinChICDAzWI', 'base64');
    const zip = zipFile([
      { name: 'b.txt', content: bzip2, plain: 'Tide: 03:40', method: 12 },
      { name: 'z.txt', content: 'Depth: 5 m', method: 93 },
      { name: '-', content: 'from a pipe', mode: 0o010600 },
      { name: 'l.txt', content: 'Depth: 5 m', method: 93, claimedBytes: 4 },
      { name: 'm.txt', content: bzip2, plain: 'Tide: 03:40', method: 12, claimedBytes: 4 },
    ]);
    const longer = expect.stringContaining('longer than the archive says');
    expect(await open('a.zip', zip)).toEqual({
      'b.txt': 'Tide: 03:40',
      'z.txt': 'Depth: 5 m',
      '-': 'from a pipe',
      'l.txt': longer,
      'm.txt': longer,
    });
  });
});

describe('TAR archives', () => {
  it('are read where no head names a format', async () => {
    const tar = pack();
    tar.entry({ name: 'a.txt' }, 'A');
    tar.finalize();
    const bytes = await buffer(tar);
    // As it was before 1988: neither mark nor version, and a sum without them.
    bytes.fill(0, 257, 512).fill(0x20, 148, 156);
    const sum = bytes.subarray(0, 512).reduce((whole, byte) => whole + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    expect(await open('a.tar', bytes)).toEqual({ 'a.txt': 'A' });
  });

  it('that end too early say so in plain words', async () => {
    const tar = pack();
    tar.entry({ name: 'a.txt' }, 'A'.repeat(600));
    tar.finalize();
    const cut = (await buffer(tar)).subarray(0, 700);
    await expect(open('a.tar', cut)).rejects.toMatchObject({ message: expect.stringContaining('it ends too early') });
  });
});
