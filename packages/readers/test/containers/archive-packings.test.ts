// What BZIP2, XZ and Zstandard pack is read as their own programs wrote it, to the end or not at all, and bombs are refused on the way.
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { isLikelyArchive } from '../../src/archive-kind.ts';
import type { UnpackedFile, UnpackLimits } from '../../src/reader.ts';
import { openArchive } from '../../src/registry/archive-files.ts';

const limits: UnpackLimits = { maxFiles: 100, maxFileBytes: 2 ** 28, maxTotalBytes: 2 ** 28 };

async function open(name: string, bytes: Uint8Array, more: Partial<UnpackLimits> = {}) {
  const files: UnpackedFile[] = [];
  for await (const file of openArchive({ name, bytes }, { ...limits, ...more })) files.push(file);
  return Object.fromEntries(
    files.map(({ path, content }) => [path, content instanceof Uint8Array ? Buffer.from(content).toString() : content]),
  );
}
const decoded = (text: string): Buffer => Buffer.from(text, 'base64');

/** The same TAR of two files by bzip2 1.0.8, xz 5.4.1 and zstd 1.5.4. */
const packed = {
  bz2: decoded(
    'QlpoOTFBWSZTWeQl2xgAAKP/hsoQEEBIAf8AAAKEgHdn3uAAAIAEAAgwALrQSkjao9EZpNANGQepmo8oNTRHqAAaAABoASiU2pgCYAAmmhoxz8L1jFOw6oAK1BEQnbOPAwZ4YNCMURAoEfmVNRTMoIX5PubKWymqsttEHjADHu8DBRVgqnTCkoaBgwogabw0L1Ag6IAVJI4CwzI2TmXPRwuXp0CtYm3xqhFDSNwfnB7nafGN5H04qSFJsKdBpfMicMLLBED+LuSKcKEhyEu2MA==',
  ),
  xz: decoded(
    '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4Cf/ALFdADMbyc2KqWBCyovlbIlgDxQsihJQkvWdyCh/EOSXoxfvXhPQqb2vvKB+2Y+lKPUX/149iRCbJNqlyuRLVHhpDTcHVvGki7vZAKLSEb5pLvjlrjAhDAu4RUdBB+eliUJk1AjMXGrdSsitDNxH1nnKhY/3142UtYvP+2RQJS5bxNQb556FlafkZUrGnY9Fn1at4R9W3VLyDCr39DJKusuIPlLDwAi+L8NtHDAU0ueK6W6MAAAAAACapZQs5YVptgABzQGAUAAAjGim0rHEZ/sCAAAAAARZWg==',
  ),
  zst: decoded(
    'KLUv/WQAJ4UEAALHFheAqwPACBbdX9w4LnmSl63IIttNY0l1Ckubsllub29951N8LFEUpYcRG9++g9smk8Y6pECIWEBfyqm7k/3CKK8ugVWzMrsrtYRere2s7gNrg2lxz8QHg+laIo8SIDArLq0DEmAQPOh2X1UDCmCMSqLDATrBNKG2jRr+MH8KtXEI2D8wDTDDw0EBzKPODidopEM=',
  ),
};
/** Of the same TAR, with sums by SHA-256. */
const xzBySha = decoded(
  '/Td6WFoAAArh+wyhAgAhARYAAAB0L+Wj4Cf/ALFdADMbyc2KqWBCyovlbIlgDxQsihJQkvWdyCh/EOSXoxfvXhPQqb2vvKB+2Y+lKPUX/149iRCbJNqlyuRLVHhpDTcHVvGki7vZAKLSEb5pLvjlrjAhDAu4RUdBB+eliUJk1AjMXGrdSsitDNxH1nnKhY/3142UtYvP+2RQJS5bxNQb556FlafkZUrGnY9Fn1at4R9W3VLyDCr39DJKusuIPlLDwAi+L8NtHDAU0ueK6W6MAAAAAADF53FM9Ljv1UHcMJEQ+hTvvH3w6AExzJKOe1iy74PzbgAB5QGAUAAA1+9ZObbp3xwCAAAAAApZWg==',
);
/** 64 MB of zeros. */
const bzip2Bomb = decoded(
  'QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZFwkgoACKo8EAwABAAAAIIAAwzAUppqhJIbAiSQ8XckU4UJALGuUe',
);
const inside = { 'folder/minutes.md': '# Minutes\n\nThe board met in May.\n', 'plain.txt': 'plain words\n' };

describe('BZIP2, XZ and Zstandard', () => {
  it('are read as TAR where they hold one, by their bytes', async () => {
    for (const [ending, bytes] of Object.entries(packed)) {
      expect(await open(`x.tar.${ending}`, bytes), ending).toEqual(inside);
      expect(await open('x', bytes), ending).toEqual(inside);
      expect(isLikelyArchive({ name: 'x.md', bytes }), ending).toBe(true);
    }
    expect(isLikelyArchive({ name: 'x.md', bytes: Buffer.from('BZh9 is how such files begin.') })).toBe(false);
  });

  it('are the one file that they hold otherwise, several streams in a row included', async () => {
    const frames = Buffer.concat([
      zstdCompressSync('one '),
      Buffer.from('502a4d18030000004a4a4a', 'hex'),
      zstdCompressSync('two'),
    ]);
    expect(await open('notes.md.zst', frames)).toEqual({ 'notes.md': 'one two' });
    const [bz2] = Object.values(await open('a', Buffer.concat([packed.bz2, packed.bz2]), { maxFiles: 100 }));
    expect(bz2).toBe(inside['folder/minutes.md']);
  });

  it('say what is damaged: cut, changed, or followed by something else', async () => {
    for (const [ending, bytes] of Object.entries(packed)) {
      await expect(open(`x.${ending}`, bytes.subarray(0, bytes.length - 9)), ending).rejects.toMatchObject({
        code: 'invalid-media',
        message: expect.stringMatching(/^x\.\w+ is damaged: .*(ends too early|broken|checksum)/),
      });
      const changed = Buffer.from(bytes);
      changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 0x55;
      await expect(open(`x.${ending}`, changed), ending).rejects.toMatchObject({ code: 'invalid-media' });
    }
    const tail = Buffer.concat([zstdCompressSync('one'), Buffer.from('something else')]);
    await expect(open('x.zst', tail)).rejects.toMatchObject({ code: 'invalid-media' });
    await expect(open('x.tar.xz', xzBySha)).rejects.toMatchObject({
      code: 'unsupported-media',
      message: expect.stringMatching(/^x\.tar\.xz is packed by XZ with a filter or a checksum/),
    });
  });

  it('are refused as bombs on the way, and by the limits of what they hold', async () => {
    const zeros = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024));
    for (const [name, bytes] of [
      ['x.zst', zeros],
      ['x.bz2', bzip2Bomb],
    ] as const)
      await expect(open(name, bytes), name).rejects.toMatchObject({
        code: 'too-large',
        message: expect.stringMatching(/bomb/),
      });
    for (const [ending, bytes] of Object.entries(packed))
      await expect(open(`x.${ending}`, bytes, { maxTotalBytes: 5000 }), ending).rejects.toMatchObject({
        code: 'too-large',
        message: expect.stringMatching(/5000 bytes/),
      });
  });

  it('hold archives within the limits of any other', async () => {
    const tar = pack();
    for (let at = 0; at < 101; at++) tar.entry({ name: `${at}.txt` }, 'x');
    tar.finalize();
    await expect(open('many.tar.zst', zstdCompressSync(await buffer(tar)))).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/more than 100 files/),
    });
  });
});
