import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { isLikelyArchive, isTarHeader } from '../../src/archive-kind.ts';
import { createPathRules } from '../../src/inner-paths.ts';
import type { UnpackedFile, UnpackLimits } from '../../src/reader.ts';
import { openArchive } from '../../src/registry/archive-files.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { neverRead } from '../../testkit/program.ts';
import { zipFile } from '../../testkit/zip-file.ts';

const limits: UnpackLimits = { maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 2_000_000 };

async function filesOf(name: string, bytes: Uint8Array, more: Partial<UnpackLimits> = {}): Promise<UnpackedFile[]> {
  const files: UnpackedFile[] = [];
  for await (const file of openArchive({ name, bytes }, { ...limits, ...more }, neverRead)) files.push(file);
  return files;
}

/** Path and text, or code and message of what was refused. */
const shown = (files: readonly UnpackedFile[]): Record<string, string> =>
  Object.fromEntries(
    files.map(({ path, content }) => [
      path,
      content instanceof Uint8Array ? Buffer.from(content).toString() : `${content.code}: ${content.message}`,
    ]),
  );

async function tarFile(
  entries: readonly { name: string; content?: string; type?: 'file' | 'symlink' | 'directory'; linkname?: string }[],
): Promise<Buffer> {
  const tar = pack();
  for (const { content = '', ...header } of entries) tar.entry(header, content);
  tar.finalize();
  return buffer(tar);
}

describe('openArchive', () => {
  it('yields the files of ZIP, TAR, TAR in GZIP and GZIP', async () => {
    const zip = zipFile([
      { name: 'folder/' },
      { name: 'folder/a.md', content: '# A' },
      { name: 'stored.txt', content: 'B', method: 0 },
    ]);
    expect(shown(await filesOf('x.zip', zip))).toEqual({ 'folder/a.md': '# A', 'stored.txt': 'B' });
    const tar = await tarFile([
      { name: 'folder', type: 'directory' },
      { name: 'folder/a.md', content: '# A' },
      { name: `${'long/'.repeat(30)}b.txt`, content: 'B' },
    ]);
    const inside = { 'folder/a.md': '# A', [`${'long/'.repeat(30)}b.txt`]: 'B' };
    expect(shown(await filesOf('x.tar', tar))).toEqual(inside);
    expect(shown(await filesOf('x.tgz', gzipSync(tar)))).toEqual(inside);
    expect(shown(await filesOf('notes.md.gz', gzipSync('# Notes')))).toEqual({ 'notes.md': '# Notes' });
  });

  it('refuses paths that lead out, links, encrypted and unknown packing one by one, and reads the others', async () => {
    const files = shown(
      await filesOf(
        'x.zip',
        zipFile([
          { name: '../../etc/passwd', content: 'x' },
          { name: '/root.txt', content: 'x' },
          { name: 'C:\\windows.txt', content: 'x' },
          { name: 'link', content: '/etc/passwd', mode: 0o120777 },
          { name: 'secret.txt', content: 'x', isEncrypted: true },
          { name: 'odd.txt', content: 'x', method: 14 },
          { name: 'big.txt', content: 'x', claimedBytes: 1_000_001 },
          { name: 'good.txt', content: 'good' },
        ]),
      ),
    );
    expect(files).toMatchObject({
      '__/__/etc/passwd': expect.stringMatching(/invalid-media: .*leads out/),
      'root.txt': expect.stringMatching(/invalid-media: .*absolute/),
      'C:/windows.txt': expect.stringMatching(/invalid-media: .*absolute/),
      link: expect.stringMatching(/unsupported-media: .*link/),
      'secret.txt': expect.stringMatching(/invalid-media: .*password is needed/),
      'odd.txt': expect.stringMatching(/unsupported-media: .*method 14/),
      'big.txt': expect.stringMatching(/too-large: .*1000001 bytes/),
      'good.txt': 'good',
    });
    const tar = await tarFile([
      { name: 'link', type: 'symlink', linkname: '/etc/passwd' },
      { name: 'good.txt', content: 'good' },
    ]);
    expect(shown(await filesOf('x.tar', tar))).toMatchObject({
      link: expect.stringMatching(/unsupported-media: .*symlink/),
      'good.txt': 'good',
    });
  });

  it('checks each file against what the archive says of it', async () => {
    const files = shown(
      await filesOf(
        'x.zip',
        zipFile([
          { name: 'longer.txt', content: 'x'.repeat(5000), claimedBytes: 10 },
          { name: 'shorter.txt', content: 'x', claimedBytes: 10 },
          { name: 'changed.txt', content: 'x', claimedCrc: 7 },
          { name: 'good.txt', content: 'good' },
        ]),
      ),
    );
    expect(files).toMatchObject({
      'longer.txt': expect.stringContaining('longer than the archive says'),
      'shorter.txt': expect.stringContaining('shorter than the archive says'),
      'changed.txt': expect.stringContaining('checksum'),
      'good.txt': 'good',
    });
  });

  it('refuses bombs before or while they unpack', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const much = { maxFileBytes: 2 ** 30, maxTotalBytes: 2 ** 30 };
    const flat = zipFile([{ name: 'zeros.txt', content: zeros }]);
    await expect(filesOf('flat.zip', flat, much)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/bomb/),
    });
    const packed = gzipSync(zeros);
    await expect(filesOf('zeros.txt.gz', packed, much)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/bomb/),
    });
    const shared = zipFile(
      [
        { name: 'a.txt', content: 'same' },
        { name: 'b.txt', content: 'same' },
      ],
      { sharing: true },
    );
    await expect(filesOf('shared.zip', shared)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/share the same/),
    });
    const many = zipFile(Array.from({ length: 101 }, (_, at) => ({ name: `${at}.txt`, content: 'x' })));
    await expect(filesOf('many.zip', many)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/more than 100 files/),
    });
    const total = zipFile([{ name: 'a.txt', content: 'x', claimedBytes: 2_000_001 }]);
    await expect(filesOf('total.zip', total)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/2000000 bytes/),
    });
    const tar = await tarFile(Array.from({ length: 101 }, (_, at) => ({ name: `${at}.txt`, content: 'x' })));
    await expect(filesOf('many.tar', tar)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/more than 100 files/),
    });
  });

  it('says what is wrong with an archive, each thing in its own words', async () => {
    const zip = zipFile([{ name: 'a.txt', content: 'a' }]);
    const secret = zipFile([{ name: 'a.txt', content: 'a', isEncrypted: true }]);
    const gz = gzipSync('text '.repeat(1000));
    const cases: readonly (readonly [string, Uint8Array, string, RegExp])[] = [
      ['cut.zip', zip.subarray(0, zip.length - 30), 'invalid-media', /damaged: it is cut off, its end is missing/],
      ['secret.zip', secret, 'invalid-media', /a password is needed/],
      ['empty.zip', zipFile([]), 'invalid-media', /holds no file/],
      ['cut.gz', gz.subarray(0, gz.length - 12), 'invalid-media', /ends too early/],
      ['broken.gz', Buffer.concat([gz.subarray(0, 12), Buffer.alloc(40, 0xff)]), 'invalid-media', /is broken/],
    ];
    for (const [name, bytes, code, message] of cases)
      await expect(filesOf(name, bytes), name).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await expect(filesOf('a.epub', new TextEncoder().encode('# Text'))).rejects.toMatchObject({
      code: 'invalid-media',
    });
    await expect(filesOf('a.md', new TextEncoder().encode('# Text'))).rejects.toMatchObject({
      details: { document: 'text/markdown' },
    });
  });

  it('is no document itself, and says so to a parser', async () => {
    const zip = zipFile([{ name: 'a.txt', content: 'a' }]);
    await expect(parseFile({ name: 'a.docx', bytes: zip })).rejects.toMatchObject({
      details: { archive: 'application/zip' },
    });
  });
});

describe('isLikelyArchive', () => {
  it('goes by the first bytes, and for ZIP containers by the name', async () => {
    const zip = zipFile([{ name: 'a.txt' }]);
    const tar = await tarFile([{ name: 'a.txt', content: 'text' }]);
    const likely = (name: string, bytes: Uint8Array): boolean => isLikelyArchive({ name, bytes });
    expect([likely('a.zip', zip), likely('a', zip), likely('a.docx', zip)]).toEqual([true, true, false]);
    expect([likely('a.tar', tar), likely('a.md', tar), isTarHeader(tar.subarray(1))]).toEqual([true, true, false]);
    expect([likely('a.md', gzipSync('x')), likely('a.zip', Buffer.from('PK'))]).toEqual([true, false]);
  });
});

describe('createPathRules', () => {
  it('writes every path the same way, tells equal ones apart, and leaves out what is never read', () => {
    const safe = createPathRules(neverRead);
    const path = (raw: string): string | undefined => safe(raw)?.path;
    expect([path('./a//b.md'), path('a\\b.md'), path('a/b.md')]).toEqual(['a/b.md', 'a/b (2).md', 'a/b (3).md']);
    expect(path('Cafe\u0301.md')).toBe('Caf\u00e9.md');
    expect(['x/.git/config', '.env', 'a/__MACOSX/b', '._a.md', 'a/', ''].map(path)).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
    expect(safe('a\u0000.md')).toMatchObject({ path: 'a_.md', refused: expect.stringContaining('control') });
    expect(safe(`${'a'.repeat(1001)}`)).toMatchObject({ refused: expect.stringContaining('1000') });
  });

  it('stays linear over thousands of equal names', () => {
    const safe = createPathRules(neverRead);
    const names = new Set(Array.from({ length: 10_000 }, () => safe('same.txt')?.path));
    expect(names.size).toBe(10_000);
  });
});
